import { describeType, throwMisuse } from "../arguments.js";
import type { HamNodes, Json } from "../types.js";
import { getOwn, SIGIL } from "./data-model.js";
import { isIndex } from "./node-ids.js";
import type { NodeReader } from "./node-reader.js";

/** Store of nodes. A HamStore, which also reads single nodes, is not exported for each update. */
export type NodeSource = {
  readonly sigil?: string;
  export(): HamNodes;
  /** Applies an update that user input needs. */
  apply?(update: HamNodes): unknown;
} & Partial<NodeReader>;

/** Returns a reader of exported nodes. */
export function nodeReader(nodes: HamNodes): NodeReader {
  const get = (id: string) => getOwn(nodes, id);
  const entry = (id: string, key: string): Json | undefined => {
    const node = get(id);
    return Array.isArray(node) && !isIndex(key) ? undefined : getOwn(node, key);
  };
  return { has: (id) => Object.hasOwn(nodes, id), get, entry, orphans: () => [] };
}

export function isNodeReader(store: Partial<NodeReader>): store is NodeReader {
  const { has, get, entry, orphans } = store;
  return [has, get, entry, orphans].every((one) => typeof one === "function");
}

/** Throws if the value is not a store with the sigil of A2UI data. */
export function assertStore(value: unknown, what: string): void {
  const store = value as Partial<NodeSource> | null;
  if (typeof store?.export !== "function")
    throwMisuse(`expected ${what} to be a HamStore, found ${describeType(value)}`);
  const { sigil = SIGIL } = store;
  if (sigil !== SIGIL) {
    throwMisuse(
      `${what} has the sigil \`${sigil}\`; pointers of A2UI data begin with \`${SIGIL}\``,
    );
  }
}
