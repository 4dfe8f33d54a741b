import { asText, jsonEqual, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute, nameGroup } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { type Block, type Inline, isPlain, type Parsed, parseMarkdown } from "../base/markdown.js";
import { safeUrl } from "../base/url.js";
import { make } from "./create-element.js";

const variants = ["body", "h1", "h2", "h3", "h4", "h5", "caption"] as const;

/** A word that may be broken in a row: beside a long address there must be room for a button. */
const longWord = /\S{28}/;

/** Text with a little markdown, made of nodes: markup in it is text. */
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
    // A role and a level, so that another variant is another attribute and not another element. A heading without words is none.
    const level = /^h\d$/.test(variant) && shown.parts.some(hasWords) ? variant.slice(1) : "";
    attribute(element, "role", level === "" ? "" : "heading");
    attribute(element, "aria-level", level);
    nameGroup(element);
  };
  element.classList.add("bn-body");
  return { element, set };
};

/** What an element shows of a text. */
interface Shown {
  /** Nothing where it has no marks. */
  parsed: Parsed | undefined;
  parts: readonly Part[];
}

/** A node to be: a text, or an element and what is in it. */
type Part = string | Piece;
type Piece = {
  tag: keyof HTMLElementTagNameMap;
  className: string;
  attributes: { [name: string]: string };
  parts: Part[];
};

/** Makes an element show a text. What it showed `before` and goes on to show stays, and what the reader has selected in it. */
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

/** Empty text is no node. */
function textParts(text: string): Part[] {
  return text === "" ? [] : [text];
}

/** The parts of a text. Those of the blocks that stayed are there already. */
function partsOf({ blocks }: Parsed, before: Shown | undefined): Part[] {
  const [first] = blocks;
  if (blocks.length === 1 && first?.kind === "paragraph") return first.children.map(inline);
  return blocks.map((one, at) => {
    const [old, part] = [before?.parsed?.blocks[at], before?.parts[at]];
    if (part !== undefined && old === one) return part;
    return old?.kind === "list" && isPiece(part) ? block(one, old.items, part.parts) : block(one);
  });
}

// One by one: a long text has more parts than a call takes arguments.
function fill(context: Context, element: HTMLElement, parts: readonly Part[]): void {
  for (const part of parts) element.append(made(context, part));
}

/**
 * Puts other parts into an element: those at its beginning that are the same stay, and the next one is renewed where it can be. What others
 * have done to its nodes, as those do who translate pages, must not matter.
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

/** Makes the node of one part that of another, where they are of one kind; answers whether they are. */
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

/** Gives a text node its words. It stays, and with it what the reader has selected around it, and in what is gone on with. */
function say(node: Text, words: string): void {
  if (words.startsWith(node.data)) node.appendData(words.slice(node.data.length));
  else node.data = words;
}

/** Asked of the parts: while a server's page is taken over, the element may still show other words. */
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
  // A server may have drawn more than there is now.
  if (part.parts.length === 0) element.textContent = "";
  return element;
}

/** Of the items of a list those stay that were there, each with its part. */
function block(one: Block, before?: readonly Inline[][], parts?: readonly Part[]): Piece {
  switch (one.kind) {
    case "heading": {
      const level = one.level as 1 | 2 | 3 | 4 | 5 | 6;
      return piece(`h${level}`, one.children.map(inline), {}, `bn-h${Math.min(level, 5)}`);
    }
    case "paragraph":
      return piece("p", one.children.map(inline));
    case "code":
      // Long lines are scrolled, also by keys, which not every browser lets them be by itself.
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
      // A link that may not be followed is its words.
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
