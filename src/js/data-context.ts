import { throwMisuse } from "./arguments.js";

/** The way to a value: a node, and steps into literals of its lists. */
export interface ContextPath {
  node: string;
  steps: ContextStep[];
}

export type ContextStep = [key: string | null, ordinal: number];

let pathOf: (context: DataContext, storeId: symbol) => ContextPath;

/** What a binding without `node` starts from. Opaque: hand it back to the store that it came from. */
export class DataContext {
  readonly #path: ContextPath;
  readonly #storeId: symbol;

  /** `store` is the mark of the store: a context must not keep the store itself. */
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

/** The way a context stands for; nothing where there is none, which is the node `root`. */
export function pathOfContext(
  context: DataContext | undefined,
  storeId: symbol,
): ContextPath | undefined {
  return context === undefined ? undefined : pathOf(context, storeId);
}
