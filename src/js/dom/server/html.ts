import { type ServerElement, type ServerNode, toKebabCase } from "./element.js";

/** Void elements. */
const VOID_ELEMENTS = new Set([
  "br",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);
/** Elements whose contents are not parsed as text; they are serialised without contents. */
const RAW_TEXT_ELEMENTS =
  /^(?:script|style|template|xmp|iframe|noembed|noframes|noscript|plaintext)$/;
/** Elements in which the HTML parser drops a leading newline. */
const NEWLINE_DROPPING_ELEMENTS = /^(?:pre|textarea|listing)$/;

const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes text for contents and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => ENTITIES[char] ?? char);
}

/** Serialises a node and its descendants to HTML. */
export function toHtml(node: ServerNode): string {
  if (node.nodeType === 3) return escapeHtml(node.data);
  const { localName: tag } = node;
  const attributes = [...attributesOf(node)].map(([name, value]) =>
    value === "" ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`,
  );
  const start = `<${tag}${attributes.join("")}>`;
  if (VOID_ELEMENTS.has(tag)) return start;
  const inside = RAW_TEXT_ELEMENTS.test(tag) ? "" : node.childNodes.map(toHtml).join("");
  const line = NEWLINE_DROPPING_ELEMENTS.test(tag) && inside.startsWith("\n") ? "\n" : "";
  return `${start}${line}${inside}</${tag}>`;
}

/** Returns the attributes of an element including `style`. */
function attributesOf(element: ServerElement): Map<string, string> {
  const style = safeStyles(element).map(([name, value]) => `${toKebabCase(name)}:${value}`);
  return style.length === 0
    ? element.attributes
    : new Map([...element.attributes, ["style", style.join(";")]]);
}

/**
 * Returns the style declarations of an element, except for values that contain several
 * declarations.
 */
export function safeStyles(element: ServerElement): [property: string, value: string][] {
  return Object.entries(element.style).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1] !== "" && !/[;{}]/.test(entry[1]),
  );
}
