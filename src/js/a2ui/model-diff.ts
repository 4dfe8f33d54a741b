import { isJsonObject, jsonEqual } from "../json-value.js";
import type { Json } from "../types.js";
import { getOwn } from "./data-model.js";
import { pointerOf } from "./node-ids.js";
import { isReachable } from "./path-checks.js";

/** Update of one path; without `value` the path is deleted. */
export interface ModelChange {
  path: string;
  value?: Json;
}

/**
 * Returns the path updates from one model to another. A list is replaced if it became shorter or
 * mostly differs; an object is replaced if no path can name a changed key.
 */
export function modelDiff(before: Json | undefined, after: Json | undefined): ModelChange[] {
  const changes: ModelChange[] = [];
  const compare = (
    oldValue: Json | undefined,
    newValue: Json | undefined,
    segments: string[],
  ): void => {
    if (jsonEqual(oldValue, newValue)) return;
    const path = segments.length === 0 ? "/" : pointerOf(segments);
    if (newValue === undefined) changes.push({ path });
    else if (
      Array.isArray(oldValue) &&
      Array.isArray(newValue) &&
      newValue.length >= oldValue.length
    ) {
      const same = oldValue.filter((item, at) => jsonEqual(item, newValue[at])).length;
      // Most items differ if items were inserted at the start or the list is new.
      if (same * 2 < newValue.length) changes.push({ path, value: newValue });
      else {
        for (const [at, item] of newValue.entries())
          compare(oldValue[at], item, [...segments, String(at)]);
      }
    } else if (isJsonObject(oldValue) && isJsonObject(newValue)) {
      const names = [...new Set([...Object.keys(oldValue), ...Object.keys(newValue)])];
      const changed = names.filter(
        (name) => !jsonEqual(getOwn(oldValue, name), getOwn(newValue, name)),
      );
      if (!changed.every(isReachable)) changes.push({ path, value: newValue });
      else {
        for (const name of changed)
          compare(getOwn(oldValue, name), getOwn(newValue, name), [...segments, name]);
      }
    } else changes.push({ path, value: newValue });
  };
  compare(before, after, []);
  return changes;
}
