import { jsonEqual } from "../json-value.js";
import type { HamNodes, Json, JsonType } from "../types.js";
import type { NodeReader } from "./node-reader.js";

function jsonTypeOf(value: Json | undefined): JsonType | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : (typeof value as JsonType);
}

/** Nodes with changes that are not applied yet. Each node is read once. */
export class NodeOverlay implements NodeReader {
  readonly #nodes: NodeReader;
  readonly #read = new Map<string, Json | undefined>();
  /** Changed nodes by id; undefined for a deleted one. */
  readonly #changes = new Map<string, Json | undefined>();

  constructor(nodes: NodeReader) {
    this.#nodes = nodes;
  }

  has(id: string): boolean {
    return this.#changes.has(id) ? this.#changes.get(id) !== undefined : this.#nodes.has(id);
  }

  get(id: string): Json | undefined {
    if (this.#changes.has(id)) return this.#changes.get(id);
    if (!this.#read.has(id)) this.#read.set(id, this.#nodes.get(id));
    return this.#read.get(id);
  }

  /** Returns an entry of a node without changes. */
  entry(id: string, key: string): Json | undefined {
    return this.#nodes.entry(id, key);
  }

  /** Returns the type of a node without changes. */
  typeOf(id: string): JsonType | undefined {
    return this.#nodes.typeOf === undefined ? jsonTypeOf(this.get(id)) : this.#nodes.typeOf(id);
  }

  /** Returns the number of entries of a node without changes, or undefined if it is unknown. */
  sizeOf(id: string): number | undefined {
    return this.#nodes.sizeOf?.(id);
  }

  /** Returns the number of pointers in a node without changes, or undefined if it is unknown. */
  countPointers(id: string, target: string): number | undefined {
    return this.#nodes.countPointers?.(id, target);
  }

  orphans(prefix: string): string[] {
    return this.#nodes.orphans(prefix);
  }

  set(id: string, value: Json): void {
    this.#changes.set(id, value);
  }

  delete(id: string): void {
    this.#changes.set(id, undefined);
  }

  /** Adds the changes of an update. */
  apply(update: HamNodes): void {
    for (const [key, value] of Object.entries(update)) {
      if (!key.startsWith("!")) this.#changes.set(key, value);
      else if (!Object.hasOwn(update, key.slice(1))) this.delete(key.slice(1));
    }
  }

  /** Returns the update with all changes. */
  toUpdate(): HamNodes {
    const deleted: [string, Json][] = [];
    const changed: [string, Json][] = [];
    for (const [id, value] of this.#changes) {
      if (value === undefined) {
        if (this.#nodes.has(id)) deleted.push([`!${id}`, null]);
        continue;
      }
      const before = this.#read.has(id) ? this.#read.get(id) : this.#nodes.get(id);
      if (before === undefined || !jsonEqual(before, value)) changed.push([id, value]);
    }
    return Object.fromEntries([...deleted, ...changed]);
  }
}
