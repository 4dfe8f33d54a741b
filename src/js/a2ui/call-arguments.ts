import { checkArguments } from "../catalog/check/values.js";
import type { CatalogDefinition } from "../catalog/types.js";
import type { CallContext } from "../functions/call-context.js";
import { markData, textMark, unmarkData } from "../functions/data-mark.js";
import { evaluate } from "../functions/evaluate.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { getOwn } from "./data-model.js";
import { bindCall } from "./directives.js";
import { segmentsOf } from "./node-ids.js";

/** Codes of invalid arguments: unknown, missing, and of a wrong type, value or size. */
const ARGUMENT_CODES = ["CAT001", "CAT002", "CAT003", "CAT004", "CAT005"];

export interface ArgumentSource extends CallContext {
  /** Whether a bare `{path}` in an argument is data. */
  atKeys: boolean;
  /** Returns the data model that paths begin at. */
  dataModel(): Json | undefined;
}

/** Returns the arguments of a call of the agent, with its bindings and calls resolved. */
export function resolveArguments(
  call: JsonObject,
  source: ArgumentSource,
): { args: JsonObject; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  /** Values of bindings and literals, by the object that marks their location. */
  const values = new Map<Json, () => Json>();
  const mark = (read: () => Json): Json => {
    const marker = {};
    values.set(marker, read);
    return marker;
  };
  const bindPath = (path: string): Json =>
    mark(() => markData(segmentsOf(path).reduce(getOwn, source.dataModel()) ?? null));
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    const read = values.get(value["binding"] ?? null);
    if (read !== undefined) return read();
    const filled = fillEach(value);
    const { call, args } = value;
    if (typeof call === "string")
      return markData(evaluate({ ...filled, ...textMark(call, args) }, source));
    // The data do not choose a function.
    return typeof filled["call"] === "string" ? markData(filled) : filled;
  };
  const fillEach = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, fill(value)]));
  const bound = bindCall(call, {
    atKeys: source.atKeys,
    isV10: true,
    diagnostics,
    bind: bindPath,
    bindList: (path) => ({ binding: bindPath(path) }),
    literal: (value) => ({ binding: mark(() => markData(fillEach(value))) }),
  });
  const args = isJsonObject(bound) ? bound["args"] : undefined;
  const filled = isJsonObject(args) ? unmarkData(fillEach(args)) : {};
  return { args: filled, diagnostics };
}

/** Returns why the arguments of a call are invalid, or undefined. */
export function argumentError(
  catalog: CatalogDefinition,
  name: string,
  args: JsonObject,
): string | undefined {
  const location = { path: [], owner: name, ownerDepth: 0, isResolved: true };
  const found = checkArguments(catalog, name, args, location);
  return found.find(({ code }) => ARGUMENT_CODES.includes(code))?.message;
}
