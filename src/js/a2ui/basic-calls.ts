import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic } from "../types.js";
import { diagnostic } from "./translation.js";

/** Maximum length of a shown pattern. */
const MAX_SHOWN = 80;

/** Returns the warnings about a call of `@index` or `regex` that has no result. */
export function checkBasicCall(call: JsonObject, pointer: string, isTop: boolean): Diagnostic[] {
  if (call["call"] === "@index") return checkIndex(call, pointer, isTop);
  const { args } = call;
  const pattern = isJsonObject(args) ? args["pattern"] : undefined;
  if (call["call"] !== "regex" || typeof pattern !== "string") return [];
  // No text matches it, because the anchor is after or before a slash.
  const [, inner, flags] = /^\/(\^[^|]*|[^|]*[^\\|]\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (inner !== undefined) {
    const letters = flags?.includes("i") ? ", with `[Aa]` for both cases of a letter" : "";
    const help =
      inner.length > MAX_SHOWN ? "leave out the slashes" : `write \`${inner}\`${letters}`;
    const text = `the slashes in \`${pattern.slice(0, MAX_SHOWN)}\` are part of the pattern, so no text matches`;
    return [diagnostic("A2UI026", text, help, `${pointer}/args/pattern`)];
  }
  if (isPattern(pattern)) return [];
  const text = `invalid regular expression \`${pattern.slice(0, MAX_SHOWN)}\`, so nothing is checked`;
  const help = /\(\?[a-z]+\)/i.test(pattern)
    ? "leave out flags such as `(?i)`, and write `[Aa]` for both cases of a letter"
    : "write a pattern of JavaScript, in which only `^ $ \\ . * + ? ( ) [ ] { } | /` are escaped";
  return [diagnostic("A2UI026", text, help, `${pointer}/args/pattern`)];
}

/** Returns whether a text is a regular expression with the flag `u`, with which checks read it. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** Returns the warning for an `@index` outside of templates, where it is null. */
function checkIndex(call: JsonObject, pointer: string, isTop: boolean): Diagnostic[] {
  const named = call["catalogId"] !== undefined;
  if (!named && !isTop) return [];
  const text = named
    ? "`@index` belongs to no catalog"
    : "`@index` is only available in a template";
  const help = named ? "remove `catalogId`" : "move the component into the template of a list";
  return [diagnostic("A2UI022", text, help, pointer)];
}
