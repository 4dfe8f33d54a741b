/** The way to a value: a node, and steps into literals of its lists. */
export interface ContextPath {
  node: string;
  steps: [key: string | null, ordinal: number][];
}

let pathOf: (context: DataContext) => ContextPath;

/** What a binding without `node` starts from. Opaque: hand it back to `read()` and `children()`. */
export class DataContext {
  readonly #path: ContextPath;

  constructor(path: ContextPath) {
    this.#path = path;
  }

  static {
    pathOf = (context) => context.#path;
  }
}

/** The way a context stands for; nothing where there is none, which is the node `root`. */
export function pathOfContext(context: DataContext | undefined): ContextPath | undefined {
  return context === undefined ? undefined : pathOf(context);
}
