import type { Json } from "../../types.js";
import { textOf } from "./document.js";

/** Escapes a text for content and attributes; line breaks survive the normalisation of XML. */
export function escapeXml(value: Json | undefined): string {
  const text = value === undefined ? "" : textOf(value);
  const names: { [char: string]: string } = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"\t\n\r]/g, (char) => names[char] ?? `&#${char.charCodeAt(0)};`);
}
