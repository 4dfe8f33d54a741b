import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { isIndex } from "./node-ids.js";
import { diagnostic, sizeDiagnostic } from "./translation.js";

/** Maximum nesting depth of a data model or a message. */
export const maxDepth = 1_000;
/**
 * Maximum number of nulls that one path may add before its value: the agent chooses the index, and
 * this process pays for the memory.
 */
const maxAddedNulls = 1_000;

/** Returns why A2UI cannot set a value at a path, or undefined if it can. */
export function checkPath(
  model: Json | undefined,
  segments: readonly string[],
  pointer: string,
): Diagnostic | undefined {
  if (segments.length > maxDepth) return sizeDiagnostic("the path has too many steps", pointer);
  // A missing model is an object. Below it, the next segment decides the type.
  let current: Json | undefined = model ?? {};
  let gaps = 0;
  for (const segment of segments) {
    const container: Json = current ?? (isIndex(segment) ? [] : {});
    if (Array.isArray(container)) {
      if (!isIndex(segment)) {
        const help = "write an index; the length of the list appends an item";
        return pathError(`\`${segment}\` is not a list index`, help, pointer);
      }
      gaps += Math.max(0, Number(segment) - container.length);
      if (gaps > maxAddedNulls) {
        return indexError(segment, pointer);
      }
      current = container[Number(segment)];
    } else if (isJsonObject(container)) {
      current = Object.hasOwn(container, segment) ? container[segment] : undefined;
    } else {
      const help = "replace the value with an object first";
      return pathError(`cannot set \`${segment}\` in a ${typeof container}`, help, pointer);
    }
  }
  return undefined;
}

/**
 * Names that no A2UI path can contain: empty segments are skipped, and A2UI renderers reject those
 * with a meaning in JavaScript.
 */
const unreachableNames = new Set(["", "__proto__", "constructor", "prototype"]);

export function isReachable(segment: string): boolean {
  return !unreachableNames.has(segment);
}

/**
 * Returns whether `formatString` can interpolate a path. A path that begins like a number or a
 * constant is parsed as that.
 */
export function isInterpolable(path: string): boolean {
  return /^(?!-?\d|(?:true|false|null)(?!\w))[A-Za-z0-9/._-]+$/.test(path);
}

/** Returns whether a value is nested more than `levels` deep. */
export function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

export function indexError(index: string, pointer: string): Diagnostic {
  const help = `set the whole list, or an index that leaves at most ${maxAddedNulls} items empty`;
  return pathError(`the index \`${index}\` is too far past the end`, help, pointer);
}

function pathError(message: string, help: string, pointer: string): Diagnostic {
  return diagnostic("A2UI005", message, help, pointer, "error");
}
