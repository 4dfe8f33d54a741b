import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { isIndex } from "./names.js";
import { tooMuch, trouble } from "./translation.js";

/** A data model, or a message, that is deeper is none that anybody could send. */
export const deepest = 1_000;
/** So many nulls one path may put in front of its value: the index is the agent's, the memory is ours. */
const mostGaps = 1_000;

/** Why A2UI takes no value at a path of a data model; undefined where it does. */
export function obstacle(
  model: Json | undefined,
  segments: readonly string[],
  pointer: string,
): Diagnostic | undefined {
  if (segments.length > deepest) return tooMuch("the path has too many steps", pointer);
  // A model that is not there is an object; below it, the next step says what is made.
  let at: Json | undefined = model ?? {};
  let gaps = 0;
  for (const segment of segments) {
    const held: Json = at ?? (isIndex(segment) ? [] : {});
    if (Array.isArray(held)) {
      if (!isIndex(segment)) {
        const help = "name the index of an item; the length of the list is the next one";
        return refused(`\`${segment}\` is no index of a list`, help, pointer);
      }
      gaps += Math.max(0, Number(segment) - held.length);
      if (gaps > mostGaps) {
        const help = `set the whole list, or an index that leaves at most ${mostGaps} empty`;
        return refused(`the index \`${segment}\` is too far past the end`, help, pointer);
      }
      at = held[Number(segment)];
    } else if (isJsonObject(held)) {
      at = Object.hasOwn(held, segment) ? held[segment] : undefined;
    } else {
      const help = "replace the value itself by an object first";
      return refused(`there is no \`${segment}\` in a ${typeof held}`, help, pointer);
    }
  }
  return undefined;
}

/** Names that no path of A2UI leads to: an empty step is left out, and the others its renderers refuse, as they have a meaning in JavaScript. */
const unnamed = new Set(["", "__proto__", "constructor", "prototype"]);

export function isNamed(segment: string): boolean {
  return !unnamed.has(segment);
}

/** Whether a path can stand in a text of `formatString`; what begins as a number or a constant is read as that. */
export function isInterpolable(path: string): boolean {
  return /^(?!\d|(?:true|false|null)(?!\w))[A-Za-z0-9/._-]+$/.test(path);
}

/** Whether a value holds others more than so many levels below it. */
export function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function refused(message: string, help: string, pointer: string): Diagnostic {
  return trouble("A2UI005", message, help, pointer, "error");
}
