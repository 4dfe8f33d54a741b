import { displayText, jsonEqual, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { safeUrl } from "../../url.js";
import { updateAttribute, updateGroupRole } from "../base/accessibility.js";
import type { Component, Context } from "../base/component.js";
import { type Block, type Inline, isPlain, type Parsed, parseMarkdown } from "../base/markdown.js";
import { createElement, createFrom, elementModel } from "./create-element.js";

const VARIANTS = ["body", "h1", "h2", "h3", "h4", "h5", "caption"] as const;

const TEXT = elementModel("div", "bn-text bn-body bn", { dir: "auto" });

/** Word that may be broken in a row, so that a button next to it fits. */
const LONG_WORD = /\S{28}/;

/** Text with a subset of Markdown, rendered as DOM nodes; HTML in it is text. */
export const text: Component = (node, context) => {
  const element = createFrom(context, TEXT, node);
  let variant: (typeof VARIANTS)[number] = "body";
  let isLong = false;
  /** Level of a heading; unknown for an element of the server. */
  let lastLevel = context.adoption ? null : "";
  let rendered: RenderedText | undefined;
  const set = (prop: string, value: Json, appended?: string): void => {
    if (prop === "text" && appended !== undefined && appendPlain(element, rendered, appended))
      return;
    if (prop === "text") {
      const content = displayText(value);
      rendered = renderText(context, element, content, rendered);
      const hasLongWord = content.length >= 28 && LONG_WORD.test(content);
      if (hasLongWord !== isLong) isLong = element.classList.toggle("bn-long");
    } else if (prop === "variant") {
      element.classList.remove(`bn-${variant}`);
      variant = oneOf(value, VARIANTS);
      element.classList.add(`bn-${variant}`);
    } else return;
    if (!rendered) return;
    // A heading is a role and a level, so that a new variant changes attributes and not the
    // element. A text without characters, or with headings of its own, has no role.
    const isHeading =
      /^h\d$/.test(variant) && rendered.parts.some(hasText) && !rendered.parts.some(isHeadingPart);
    const level = isHeading ? variant.slice(1) : "";
    if (level === lastLevel) return;
    lastLevel = level;
    updateAttribute(element, "role", level === "" ? "" : "heading");
    updateAttribute(element, "aria-level", level);
    updateGroupRole(element);
  };
  return { element, set };
};

/** Text rendered in an element. */
interface RenderedText {
  /** Undefined if the text has no Markdown. */
  parsed: Parsed | undefined;
  /** Replaced when a text is appended. */
  parts: readonly TextPart[];
}

/** Length of a text from which added characters cannot make its start a list item. */
const LONG_START = 64;

/**
 * Appends to a text without Markdown in constant time: the text so far is not read. Returns false
 * if the text has to be rendered again.
 */
function appendPlain(
  element: HTMLElement,
  rendered: RenderedText | undefined,
  added: string,
): boolean {
  const node = element.lastChild;
  if (!rendered || rendered.parsed || node?.nodeType !== 3 || node !== element.firstChild)
    return false;
  const data = node as Text;
  if (data.length < LONG_START || !isPlain(`x${added}`)) return false;
  const tail = data.substringData(data.length - LONG_START, LONG_START);
  if (LONG_WORD.test(tail + added) && !element.classList.contains("bn-long")) return false;
  data.appendData(added);
  rendered.parts = [(rendered.parts[0] as string) + added];
  return true;
}

/** Description of a node: a text, or an element with its parts. */
type TextPart = string | ElementPart;
type ElementPart = {
  tag: keyof HTMLElementTagNameMap;
  className: string;
  attributes: { [name: string]: string };
  parts: TextPart[];
};

/** Renders a text into an element. Unchanged parts keep their nodes and the user's selection. */
function renderText(
  context: Context,
  element: HTMLElement,
  value: string,
  previous: RenderedText | undefined,
): RenderedText {
  const parsed = isPlain(value) ? undefined : parseMarkdown(value, previous?.parsed);
  const parts = parsed ? parsedParts(parsed, previous) : plainParts(value);
  const only = element.firstChild;
  if (previous) updateParts(context, element, previous.parts, parts);
  else if (parsed) {
    element.replaceChildren();
    appendParts(context, element, parts);
  } else if (only?.nodeType === 3 && only === element.lastChild) setText(only as Text, value);
  else element.textContent = value;
  return { parsed, parts };
}

/** Returns the parts of a text without Markdown; an empty text has none. */
function plainParts(text: string): TextPart[] {
  return text === "" ? [] : [text];
}

/** Returns the parts of a parsed text. Unchanged blocks reuse their parts. */
function parsedParts({ blocks }: Parsed, previous: RenderedText | undefined): TextPart[] {
  const [first] = blocks;
  if (blocks.length === 1 && first?.kind === "paragraph") return first.children.map(inlinePart);
  return blocks.map((one, at) => {
    const [old, part] = [previous?.parsed?.blocks[at], previous?.parts[at]];
    if (part !== undefined && old === one) return part;
    return old?.kind === "list" && isElementPart(part)
      ? blockPart(one, old.items, part.parts)
      : blockPart(one);
  });
}

// Appends the parts one by one, because the number of arguments of a call is limited.
function appendParts(context: Context, element: HTMLElement, parts: readonly TextPart[]): void {
  for (const part of parts) element.append(createNode(context, part));
}

/**
 * Updates the parts of an element. Equal parts at the beginning keep their nodes, and the next one
 * is updated in place if possible. Changes of the nodes by other code, such as page translation,
 * are tolerated.
 */
function updateParts(
  context: Context,
  element: HTMLElement,
  previous: readonly TextPart[],
  parts: readonly TextPart[],
): void {
  const nodes = element.childNodes;
  const reusable = nodes.length === previous.length ? Math.min(previous.length, parts.length) : 0;
  let at = 0;
  while (at < reusable && jsonEqual(previous[at], parts[at])) at += 1;
  if (at < reusable && updatePart(context, nodes[at], previous[at], parts[at])) at += 1;
  for (let left = nodes.length; left > at; left -= 1) element.lastChild?.remove();
  appendParts(context, element, parts.slice(at));
}

/** Updates the node of a part in place. Returns false if the parts are of different types. */
function updatePart(
  context: Context,
  node: Node | undefined,
  old: TextPart | undefined,
  now: TextPart | undefined,
): boolean {
  if (isElementPart(old) && isElementPart(now)) {
    const { parts: previous, ...head } = old;
    const { parts, ...other } = now;
    const element = node as Partial<HTMLElement> | undefined;
    if (element?.localName !== now.tag || !jsonEqual(head, other)) return false;
    updateParts(context, element as HTMLElement, previous, parts);
    return true;
  }
  if (node?.nodeType !== 3 || typeof old !== "string" || typeof now !== "string") return false;
  setText(node as Text, now);
  return true;
}

/**
 * Sets the data of a text node, by appending if possible, because that keeps the user's selection.
 */
function setText(node: Text, data: string): void {
  if (data.startsWith(node.data)) node.appendData(data.slice(node.data.length));
  else node.data = data;
}

/**
 * Returns whether a part has text. It inspects the parts, because the element may have other text
 * during hydration.
 */
function hasText(part: TextPart): boolean {
  return isElementPart(part) ? part.parts.some(hasText) : part !== "";
}

function isElementPart(part: TextPart | undefined): part is ElementPart {
  return typeof part === "object";
}

function isHeadingPart(part: TextPart): boolean {
  return isElementPart(part) && /^h\d$/.test(part.tag);
}

function createNode(context: Context, part: TextPart): Node | string {
  if (!isElementPart(part)) return part;
  const element = createElement(context, part.tag, part.className);
  for (const [name, value] of Object.entries(part.attributes)) element.setAttribute(name, value);
  appendParts(context, element, part.parts);
  // The server may have rendered other contents.
  if (part.parts.length === 0) element.textContent = "";
  return element;
}

/** Returns the part of a block. Unchanged list items reuse their parts. */
function blockPart(
  one: Block,
  previous?: readonly Inline[][],
  parts?: readonly TextPart[],
): ElementPart {
  switch (one.kind) {
    case "heading": {
      const level = one.level as 1 | 2 | 3 | 4 | 5 | 6;
      return elementPart(
        `h${level}`,
        one.children.map(inlinePart),
        { dir: "auto" },
        `bn-h${Math.min(level, 5)}`,
      );
    }
    case "paragraph":
      return elementPart("p", one.children.map(inlinePart), { dir: "auto" });
    case "code":
      // Makes long lines scrollable by keyboard, which not every browser does by default.
      return elementPart("pre", plainParts(one.text), { tabindex: "0", dir: "auto" });
    case "list": {
      const items = one.items.map((item, at) => {
        const same = previous?.[at] === item ? parts?.[at] : undefined;
        return same ?? elementPart("li", item.map(inlinePart));
      });
      const start = { start: String(one.start) };
      const attributes = { dir: "auto", ...(one.ordered && one.start !== 1 ? start : {}) };
      const level = one.level > 0 ? `bn-level-${one.level}` : "";
      return elementPart(one.ordered ? "ol" : "ul", items, attributes, level);
    }
  }
}

function inlinePart(one: Inline): TextPart {
  switch (one.kind) {
    case "text":
      return one.text;
    case "code":
      return elementPart("code", [one.text]);
    case "strong":
    case "em":
      return elementPart(one.kind, one.children.map(inlinePart));
    case "link": {
      const url = safeUrl(one.url, "link");
      // An unsafe link is rendered as its text.
      if (url === null) return elementPart("span", one.children.map(inlinePart));
      const attributes = { href: url, target: "_blank", rel: "noopener noreferrer" };
      return elementPart("a", one.children.map(inlinePart), attributes);
    }
  }
}

function elementPart(
  tag: ElementPart["tag"],
  parts: TextPart[],
  attributes: ElementPart["attributes"] = {},
  className = "",
): ElementPart {
  return { tag, className, attributes, parts };
}
