import type { JsonObject } from "../json-value.js";
import type { Diagnostic } from "../types.js";
import { diagnostic } from "./translation.js";

/** Returns the warning for an `@index` outside of templates, where it is null. */
export function checkIndex(call: JsonObject, pointer: string, isTop: boolean): Diagnostic[] {
  const named = call["catalogId"] !== undefined;
  if (!named && !isTop) return [];
  const text = named
    ? "`@index` belongs to no catalog"
    : "`@index` is only available in a template";
  const help = named ? "remove `catalogId`" : "move the component into the template of a list";
  return [diagnostic("A2UI022", text, help, pointer)];
}
