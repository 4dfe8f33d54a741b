import { throwExpected } from "../arguments.js";
import { setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { StateChange, Steps } from "../state-change.js";
import type { Json } from "../types.js";

/** Maximum depth at which parts are compared; deeper ones are replaced. */
const MAX_COMPARED_DEPTH = 64;
/** Maximum number of items that a list may lose at its start, if others are added at its end. */
const MAX_DROPPED_ITEMS = 16;

/** Returns the changes that make `before` equal to `after`. */
export function changesBetween(before: Json, after: Json): StateChange[] {
  const changes: StateChange[] = [];
  collectChanges(before, after, [], changes);
  return changes;
}

function collectChanges(before: Json, after: Json, at: Steps, changes: StateChange[]): void {
  if (before === after) return;
  if (at.length < MAX_COMPARED_DEPTH) {
    if (Array.isArray(before) && Array.isArray(after)) {
      compareLists(before, after, at, changes);
      return;
    }
    if (isJsonObject(before) && isJsonObject(after)) {
      compareObjects(before, after, at, changes);
      return;
    }
  }
  if (!isEqual(before, after)) changes.push({ at, set: after });
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  at: Steps,
  changes: StateChange[],
): void {
  const keys = Object.keys(after);
  const kept = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  // The order of keys is part of the value.
  const isSameOrder = kept.every((key, index) => key === keys[index]);
  if (!isSameOrder) {
    changes.push({ at, set: after });
    return;
  }
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) changes.push({ at: [...at, key], delete: true });
  for (const key of keys) {
    const value = after[key] as Json;
    if (Object.hasOwn(before, key))
      collectChanges(before[key] as Json, value, [...at, key], changes);
    else changes.push({ at: [...at, key], set: value });
  }
}

function compareLists(
  before: readonly Json[],
  after: readonly Json[],
  at: Steps,
  changes: StateChange[],
): void {
  const dropped = droppedCount(before, after);
  if (dropped === undefined) {
    changes.push({ at, set: after as Json });
    return;
  }
  if (dropped > 0) changes.push({ at, drop: dropped });
  const kept = before.length - dropped;
  for (let index = 0; index < kept; index += 1)
    collectChanges(before[index + dropped] as Json, after[index] as Json, [...at, index], changes);
  if (after.length > kept) changes.push({ at, append: after.slice(kept) });
}

/** Returns how many items the list has lost at its start, or undefined if it has lost others. */
function droppedCount(before: readonly Json[], after: readonly Json[]): number | undefined {
  const least = Math.max(0, before.length - after.length);
  if (least === 0 && isEqual(before[0] ?? null, after[0] ?? null)) return 0;
  for (let count = least; count <= Math.min(MAX_DROPPED_ITEMS, before.length); count += 1) {
    const rest = before.slice(count);
    if (rest.length > 0 && isEqual(rest[0] as Json, after[0] as Json)) {
      if (rest.every((item, index) => isEqual(item, after[index] as Json))) return count;
    }
  }
  return least === 0 ? 0 : undefined;
}

/** Returns whether two values are equal, with their keys in the same order. */
function isEqual(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const otherKeys = Object.keys(other);
  if (keys.length !== otherKeys.length) return false;
  return keys.every(
    (key, index) =>
      key === otherKeys[index] &&
      isEqual((one as JsonObject)[key] as Json, (other as JsonObject)[key] as Json),
  );
}

/** Applies changes. Returns the new value; the old one may be changed. Throws if a part is missing. */
export function applyChanges(value: Json, changes: readonly StateChange[]): Json {
  const root = { value };
  for (const change of changes) applyChange(root, change);
  return root.value;
}

function applyChange(root: { value: Json }, change: StateChange): void {
  let parent: Json = root;
  let step: string | number = "value";
  for (const next of change.at) {
    parent = partOf(parent, step);
    step = next;
  }
  if ("append" in change) listOf(parent, step).push(...change.append);
  else if ("drop" in change) listOf(parent, step).splice(0, change.drop);
  else if ("set" in change) setPart(parent, step, change.set);
  else if (isJsonObject(parent) && parent !== root) delete parent[step];
  else throw new Error("expected the deleted part to be a key of an object");
}

/** Tests of the values of changes, by the key that names their kind. */
const CHANGE_TESTS: { readonly [kind: string]: (value: unknown) => boolean } = {
  set: () => true,
  delete: (value) => value === true,
  append: Array.isArray,
  drop: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

/** Throws unless each change has one of the four forms, because another one would not be applied. */
export function assertChanges(changes: readonly unknown[]): void {
  for (const change of changes) {
    const { at, ...others } = Object(change) as { [key: string]: unknown };
    const [[kind, value] = ["", null], ...rest] = Object.entries(others);
    const isChange = Object.hasOwn(CHANGE_TESTS, kind) && CHANGE_TESTS[kind]?.(value) === true;
    if (!Array.isArray(at) || !at.every(isStep) || !isChange || rest.length > 0)
      throwExpected("a change", CHANGE_FORMS, change);
  }
}

function isStep(step: unknown): boolean {
  return typeof step === "string" || typeof step === "number";
}

const CHANGE_FORMS =
  "`{ at, set }`, `{ at, delete: true }`, `{ at, append }` with a list or `{ at, drop }` with a count";

function partOf(value: Json, step: string | number): Json {
  const part =
    typeof value === "object" && value !== null && Object.hasOwn(value, step)
      ? (value as { [step: string | number]: Json })[step]
      : undefined;
  if (part === undefined) throw new Error(`missing \`${step}\` of a changed value`);
  return part;
}

function listOf(parent: Json, step: string | number): Json[] {
  const list = partOf(parent, step);
  if (!Array.isArray(list)) throw new Error(`expected \`${step}\` of a changed value to be a list`);
  return list;
}

function setPart(parent: Json, step: string | number, value: Json): void {
  if (Array.isArray(parent) && typeof step === "number" && Object.hasOwn(parent, step))
    parent[step] = value;
  else if (isJsonObject(parent)) setOwn(parent, String(step), value);
  else throw new Error(`expected an object or a list that contains \`${step}\``);
}
