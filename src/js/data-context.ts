import { throwMisuse } from "./arguments.js";

/** Path to a value: a node, and steps into literals of its lists. */
export interface ContextPath {
  node: string;
  steps: ContextStep[];
}

export type ContextStep = [key: string | null, ordinal: number];

let pathOf: (context: DataContext, storeId: symbol) => ContextPath;

/** Start of bindings without `node`. Opaque; valid only for the store that it is from. */
export class DataContext {
  readonly #path: ContextPath;
  readonly #storeId: symbol;

  /** `storeId` identifies the store, because a context must not retain the store. */
  constructor(path: ContextPath, storeId: symbol) {
    this.#path = path;
    this.#storeId = storeId;
  }

  static {
    pathOf = (context, storeId) => {
      if (typeof context !== "object" || context === null || !(#path in context)) {
        throwMisuse("expected a context from `children()`");
      }
      if (context.#storeId !== storeId) throwMisuse("this context belongs to another store");
      return context.#path;
    };
  }
}

/** Returns the path of a context, or `undefined` without one, which means the node `root`. */
export function pathOfContext(
  context: DataContext | undefined,
  storeId: symbol,
): ContextPath | undefined {
  return context === undefined ? undefined : pathOf(context, storeId);
}
