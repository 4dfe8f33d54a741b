import { dashed, type TextElement, type TextNode } from "./element.js";

/** Void elements. */
const empty = new Set(["br", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
/** Elements whose contents are not parsed as text; they are serialised without contents. */
const raw = /^(?:script|style|template|xmp|iframe|noembed|noframes|noscript|plaintext)$/;
/** Elements in which the HTML parser drops a leading newline. */
const swallows = /^(?:pre|textarea|listing)$/;

const entities: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes text for contents and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => entities[char] ?? char);
}

/** Serialises a node and its descendants to HTML. */
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

/** Returns the attributes of an element including `style`. */
function attributesOf(element: TextElement): Map<string, string> {
  const style = stylesOf(element).map(([name, value]) => `${dashed(name)}:${value}`);
  return style.length === 0
    ? element.attributes
    : new Map([...element.attributes, ["style", style.join(";")]]);
}

/**
 * Returns the style declarations of an element, except for values that contain several
 * declarations.
 */
export function stylesOf(element: TextElement): [property: string, value: string][] {
  return Object.entries(element.style).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1] !== "" && !/[;{}]/.test(entry[1]),
  );
}
