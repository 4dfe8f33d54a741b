import type { Json, JsonType } from "../types.js";

/** Access to single nodes of a data model. */
export interface NodeReader {
  has(id: string): boolean;
  /**
   * Returns a node with its pointers as text. User text that begins with the sigil looks the same.
   */
  get(id: string): Json | undefined;
  /** Returns the value of a key or at an index of a node, or undefined. */
  entry(id: string, key: string): Json | undefined;
  /** Returns the type of a node. Without it, the node is read. */
  typeOf?(id: string): JsonType | undefined;
  /** Returns the number of items or properties of a node. Without it, no edits are made. */
  sizeOf?(id: string): number | undefined;
  /** Returns the number of pointers in a node to another one. Without it, edits have no pointers. */
  countPointers?(id: string, target: string): number | undefined;
  /** Returns the ids with a prefix that the data model does not reach. */
  orphans(prefix: string): string[];
}
