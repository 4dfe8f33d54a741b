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
  const segments: string[] = [];
  const path = (): string => (segments.length === 0 ? "/" : pointerOf(segments));
  /** Compares each value once: it adds the changes of inner values, and may then replace them. */
  const compare = (oldValue: Json | undefined, newValue: Json | undefined): void => {
    const start = changes.length;
    const replace = (): void => {
      changes.length = start;
      changes.push({ path: path(), ...(newValue !== undefined && { value: newValue }) });
    };
    /** Compares inner values. Returns whether they differ. */
    const compareAt = (name: string): boolean => {
      const count = changes.length;
      segments.push(name);
      compare(getOwn(oldValue, name), getOwn(newValue, name));
      segments.pop();
      return changes.length > count;
    };
    if (Array.isArray(oldValue) && Array.isArray(newValue)) {
      const isShorter = newValue.length < oldValue.length;
      const same = isShorter ? 0 : oldValue.filter((_, at) => !compareAt(String(at))).length;
      // Most items differ if items were inserted at the start or the list is new.
      if (isShorter || same * 2 < newValue.length) replace();
      else for (let at = oldValue.length; at < newValue.length; at += 1) compareAt(String(at));
    } else if (isJsonObject(oldValue) && isJsonObject(newValue)) {
      const names = [...new Set([...Object.keys(oldValue), ...Object.keys(newValue)])];
      const changed = names.filter(compareAt);
      if (!changed.every(isReachable)) replace();
    } else if (!jsonEqual(oldValue, newValue)) replace();
  };
  compare(before, after);
  return changes;
}
