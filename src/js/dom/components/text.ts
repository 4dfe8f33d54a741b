import { asText, jsonEqual, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute, nameGroup } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { type Block, type Inline, isPlain, type Parsed, parseMarkdown } from "../base/markdown.js";
import { safeUrl } from "../base/url.js";
import { make } from "./create-element.js";

const variants = ["body", "h1", "h2", "h3", "h4", "h5", "caption"] as const;

/** Word that may be broken in a row, so that a button next to it fits. */
const longWord = /\S{28}/;

/** Text with a subset of Markdown, rendered as DOM nodes; HTML in it is text. */
export const text: Component = (_node, context) => {
  const element = make(context, "div", "bn-text");
  let variant: (typeof variants)[number] = "body";
  let shown: Shown | undefined;
  const set = (prop: string, value: Json): void => {
    if (prop === "text") {
      const words = asText(value);
      shown = write(context, element, words, shown);
      element.classList.toggle("bn-long", longWord.test(words));
    } else if (prop === "variant") {
      element.classList.remove(`bn-${variant}`);
      variant = oneOf(value, variants);
      element.classList.add(`bn-${variant}`);
    } else return;
    if (!shown) return;
    // A heading is a role and a level, so that a new variant changes attributes and not the
    // element. A text without characters has no role.
    const level = /^h\d$/.test(variant) && shown.parts.some(hasWords) ? variant.slice(1) : "";
    attribute(element, "role", level === "" ? "" : "heading");
    attribute(element, "aria-level", level);
    nameGroup(element);
  };
  element.classList.add("bn-body");
  return { element, set };
};

/** Text rendered in an element. */
interface Shown {
  /** Undefined if the text has no Markdown. */
  parsed: Parsed | undefined;
  parts: readonly Part[];
}

/** Description of a node: a text, or an element with its parts. */
type Part = string | Piece;
type Piece = {
  tag: keyof HTMLElementTagNameMap;
  className: string;
  attributes: { [name: string]: string };
  parts: Part[];
};

/** Renders a text into an element. Unchanged parts keep their nodes and the user's selection. */
function write(
  context: Context,
  element: HTMLElement,
  value: string,
  before: Shown | undefined,
): Shown {
  const parsed = isPlain(value) ? undefined : parseMarkdown(value, before?.parsed);
  const parts = parsed ? partsOf(parsed, before) : textParts(value);
  const only = element.firstChild;
  if (before) renew(context, element, before.parts, parts);
  else if (parsed) {
    element.replaceChildren();
    fill(context, element, parts);
  } else if (only?.nodeType === 3 && only === element.lastChild) say(only as Text, value);
  else element.textContent = value;
  return { parsed, parts };
}

/** Returns the parts of a text without Markdown; an empty text has none. */
function textParts(text: string): Part[] {
  return text === "" ? [] : [text];
}

/** Returns the parts of a parsed text. Unchanged blocks reuse their parts. */
function partsOf({ blocks }: Parsed, before: Shown | undefined): Part[] {
  const [first] = blocks;
  if (blocks.length === 1 && first?.kind === "paragraph") return first.children.map(inline);
  return blocks.map((one, at) => {
    const [old, part] = [before?.parsed?.blocks[at], before?.parts[at]];
    if (part !== undefined && old === one) return part;
    return old?.kind === "list" && isPiece(part) ? block(one, old.items, part.parts) : block(one);
  });
}

// Appends the parts one by one, because the number of arguments of a call is limited.
function fill(context: Context, element: HTMLElement, parts: readonly Part[]): void {
  for (const part of parts) element.append(made(context, part));
}

/**
 * Updates the parts of an element. Equal parts at the beginning keep their nodes, and the next one
 * is updated in place if possible. Changes of the nodes by other code, such as page translation,
 * are tolerated.
 */
function renew(
  context: Context,
  element: HTMLElement,
  before: readonly Part[],
  parts: readonly Part[],
): void {
  const nodes = element.childNodes;
  const most = nodes.length === before.length ? Math.min(before.length, parts.length) : 0;
  let at = 0;
  while (at < most && jsonEqual(before[at], parts[at])) at += 1;
  if (at < most && renewed(context, nodes[at], before[at], parts[at])) at += 1;
  for (let left = nodes.length; left > at; left -= 1) element.lastChild?.remove();
  fill(context, element, parts.slice(at));
}

/** Updates the node of a part in place. Returns false if the parts are of different types. */
function renewed(
  context: Context,
  node: Node | undefined,
  old: Part | undefined,
  now: Part | undefined,
): boolean {
  if (isPiece(old) && isPiece(now)) {
    const { parts: before, ...head } = old;
    const { parts, ...other } = now;
    const element = node as Partial<HTMLElement> | undefined;
    if (element?.localName !== now.tag || !jsonEqual(head, other)) return false;
    renew(context, element as HTMLElement, before, parts);
    return true;
  }
  if (node?.nodeType !== 3 || typeof old !== "string" || typeof now !== "string") return false;
  say(node as Text, now);
  return true;
}

/**
 * Sets the data of a text node, by appending if possible, because that keeps the user's selection.
 */
function say(node: Text, words: string): void {
  if (words.startsWith(node.data)) node.appendData(words.slice(node.data.length));
  else node.data = words;
}

/**
 * Reports whether a part has text. It inspects the parts, because the element may have other text
 * during hydration.
 */
function hasWords(part: Part): boolean {
  return isPiece(part) ? part.parts.some(hasWords) : part !== "";
}

function isPiece(part: Part | undefined): part is Piece {
  return typeof part === "object";
}

function made(context: Context, part: Part): Node | string {
  if (!isPiece(part)) return part;
  const element = make(context, part.tag, part.className);
  for (const [name, value] of Object.entries(part.attributes)) element.setAttribute(name, value);
  fill(context, element, part.parts);
  // The server may have rendered other contents.
  if (part.parts.length === 0) element.textContent = "";
  return element;
}

/** Returns the part of a block. Unchanged list items reuse their parts. */
function block(one: Block, before?: readonly Inline[][], parts?: readonly Part[]): Piece {
  switch (one.kind) {
    case "heading": {
      const level = one.level as 1 | 2 | 3 | 4 | 5 | 6;
      return piece(`h${level}`, one.children.map(inline), {}, `bn-h${Math.min(level, 5)}`);
    }
    case "paragraph":
      return piece("p", one.children.map(inline));
    case "code":
      // Makes long lines scrollable by keyboard, which not every browser does by default.
      return piece("pre", textParts(one.text), { tabindex: "0" });
    case "list": {
      const items = one.items.map((item, at) => {
        const same = before?.[at] === item ? parts?.[at] : undefined;
        return same ?? piece("li", item.map(inline));
      });
      const start = { start: String(one.start) };
      const attributes = one.ordered && one.start !== 1 ? start : {};
      const level = one.level > 0 ? `bn-level-${one.level}` : "";
      return piece(one.ordered ? "ol" : "ul", items, attributes, level);
    }
  }
}

function inline(one: Inline): Part {
  switch (one.kind) {
    case "text":
      return one.text;
    case "code":
      return piece("code", [one.text]);
    case "strong":
    case "em":
      return piece(one.kind, one.children.map(inline));
    case "link": {
      const url = safeUrl(one.url, "link");
      // An unsafe link is rendered as its text.
      if (url === null) return piece("span", one.children.map(inline));
      const attributes = { href: url, target: "_blank", rel: "noopener noreferrer" };
      return piece("a", one.children.map(inline), attributes);
    }
  }
}

function piece(
  tag: Piece["tag"],
  parts: Part[],
  attributes: Piece["attributes"] = {},
  className = "",
): Piece {
  return { tag, className, attributes, parts };
}
