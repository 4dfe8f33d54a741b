import { setOwn } from "../../json-text.js";
import { isJsonObject, type JsonObject, jsonEqual, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Invalid operation of a JSON Patch. */
export class PatchError extends Error {}

/** Object whose property `root` is changed by patches, so that the root is a value like any other. */
export type PatchedDocument = { root: Json };

/** Keys on the way to a changed value. */
export type ChangedPath = readonly string[];

/** Maximum number of values and characters that the `copy` operations of a stream add. */
const MAX_COPIED = 1_000_000;

type Container = Json[] | JsonObject;

/** Place of a value: its pointer, the keys of it, and the container with the key in it. */
interface Target {
  path: string;
  keys: string[];
  container: Container;
  key: string;
}

/** Applies the JSON Patches (RFC 6902) of a stream. */
export class Patcher {
  /** Values and characters that may still be copied. */
  #budget = MAX_COPIED;
  #changed: ChangedPath[] = [];
  #undo: (() => void)[] = [];

  /**
   * Applies a patch in place and returns the changed paths. Throws a `PatchError` for an invalid
   * operation; then no operation has an effect.
   */
  apply(document: PatchedDocument, patch: Json | undefined): ChangedPath[] {
    if (!Array.isArray(patch)) throw new PatchError("the patch is not a list");
    this.#changed = [];
    try {
      for (const operation of patch) this.#apply(document, operation);
    } catch (reason) {
      for (const undo of this.#undo.reverse()) undo();
      throw reason;
    } finally {
      this.#undo = [];
    }
    return this.#changed;
  }

  #apply(document: JsonObject, operation: Json): void {
    if (!isJsonObject(operation)) throw new PatchError("an operation is not an object");
    const { op, path, from, value = null } = operation;
    if (op === "add") this.#insert(locate(document, path), copyJson(value));
    else if (op === "remove") this.#remove(locate(document, path));
    else if (op === "replace") this.#replace(locate(document, path), copyJson(value));
    else if (op === "move") {
      const moved = this.#remove(locate(document, from));
      this.#insert(locate(document, path), moved);
    } else if (op === "copy") {
      const copied = copyJson(read(locate(document, from)), (size) => this.#spend(size));
      this.#insert(locate(document, path), copied);
    } else if (op !== "test") throw new PatchError(`unknown operation \`${textOf(op)}\``);
    else if (!jsonEqual(read(locate(document, path)), value))
      throw new PatchError(`the value at \`${textOf(path)}\` differs`);
  }

  #insert({ path, keys, container, key }: Target, value: Json): void {
    if (!Array.isArray(container)) {
      this.#set(container, key, value);
      this.#changed.push(keys);
      return;
    }
    const index = key === "-" ? container.length : indexOf(key);
    if (index === undefined || index > container.length) throw missingLocationError(path);
    container.splice(index, 0, value);
    this.#undo.push(() => container.splice(index, 1));
    this.#changed.push([...keys.slice(0, -1), String(index)]);
  }

  #remove(target: Target): Json {
    const value = read(target);
    const { keys, container, key } = target;
    if (Array.isArray(container)) {
      container.splice(Number(key), 1);
      this.#undo.push(() => container.splice(Number(key), 0, value));
    } else {
      delete container[key];
      this.#undo.push(() => setOwn(container, key, value));
    }
    this.#changed.push(keys);
    return value;
  }

  #replace(target: Target, value: Json): void {
    read(target);
    // The index of a list is a key like any other.
    this.#set(target.container as JsonObject, target.key, value);
    // An item of a list that is replaced changes inside; those after it keep their indices.
    this.#changed.push(Array.isArray(target.container) ? [...target.keys, ""] : target.keys);
  }

  #set(container: JsonObject, key: string, value: Json): void {
    const before = Object.hasOwn(container, key) ? container[key] : undefined;
    setOwn(container, key, value);
    this.#undo.push(() => {
      if (before === undefined) delete container[key];
      else setOwn(container, key, before);
    });
  }

  /** Counts copied values. A rejected patch has used them up too. */
  #spend(size: number): void {
    this.#budget -= size;
    if (this.#budget < 0)
      throw new PatchError("the `copy` operations add too much; send these values with `add`");
  }
}

/** Returns a copy that shares the texts. `count` gets the size of each value and key. */
export function copyJson(value: Json, count: (size: number) => void = () => {}): Json {
  count(typeof value === "string" ? value.length + 1 : 1);
  if (Array.isArray(value)) return value.map((item) => copyJson(item, count));
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    count(key.length);
    setOwn(copy, key, copyJson(item, count));
  }
  return copy;
}

function locate(document: JsonObject, path: Json | undefined): Target {
  if (typeof path !== "string" || !/^(?:\/|$)/.test(path))
    throw new PatchError(`expected a JSON Pointer, found \`${textOf(path)}\``);
  const [, ...keys] = path.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let key = "root";
  let container: Container = document;
  for (const next of keys) {
    const value: Json | undefined = entryOf(container, key);
    if (!Array.isArray(value) && !isJsonObject(value)) throw missingLocationError(path);
    container = value;
    key = next;
  }
  return { path, keys, container, key };
}

function entryOf(container: Container, key: string): Json | undefined {
  if (Array.isArray(container)) return container[indexOf(key) ?? container.length];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function indexOf(key: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : undefined;
}

function missingLocationError(path: string): PatchError {
  return new PatchError(`missing value at \`${path}\``);
}

function read({ path, container, key }: Target): Json {
  const value = entryOf(container, key);
  if (value === undefined) throw missingLocationError(path);
  return value;
}
