import { toJsonText } from "../json-text.js";

/**
 * Serialises the result of a node. Keys with `undefined` are left out; values that are not JSON
 * throw.
 */
export function toResultText(answer: unknown): string {
  const text = toJsonText(answer ?? null, true);
  if ("text" in text) return text.text;
  const { message, location } = text.error;
  const pointer = location?.kind === "pointer" ? location.pointer : "";
  throw new Error(pointer === "" ? message : `${message} at ${pointer}`);
}
