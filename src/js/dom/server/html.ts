import { dashed, type TextElement, type TextNode } from "./element.js";

/** Elements without an end. */
const empty = new Set(["br", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
/** Elements in which text would not be read as text: nothing is written into them. */
const raw = /^(?:script|style|template|xmp|iframe|noembed|noframes|noscript|plaintext)$/;
/** Where the HTML parser swallows the first new line. */
const swallows = /^(?:pre|textarea|listing)$/;

const entities: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Text that means itself, between tags and in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => entities[char] ?? char);
}

/** An element with all that is in it, as HTML. */
export function toHtml(node: TextNode): string {
  if (node.nodeType === 3) return escapeHtml(node.data);
  const { localName: tag } = node;
  const attributes = [...attributesOf(node)].map(([name, value]) =>
    value === "" ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`,
  );
  const start = `<${tag}${attributes.join("")}>`;
  if (empty.has(tag)) return start;
  const inside = raw.test(tag) ? "" : node.childNodes.map(toHtml).join("");
  const line = swallows.test(tag) && inside.startsWith("\n") ? "\n" : "";
  return `${start}${line}${inside}</${tag}>`;
}

/** The attributes of an element, its styles among them. */
function attributesOf(element: TextElement): Map<string, string> {
  const style = stylesOf(element).map(([name, value]) => `${dashed(name)}:${value}`);
  return style.length === 0
    ? element.attributes
    : new Map([...element.attributes, ["style", style.join(";")]]);
}

/** The styles that say one thing each: a text of several would be more than the property that it was set for. */
export function stylesOf(element: TextElement): [property: string, value: string][] {
  return Object.entries(element.style).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1] !== "" && !/[;{}]/.test(entry[1]),
  );
}
