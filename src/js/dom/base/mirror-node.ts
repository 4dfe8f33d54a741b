import type { LazyChildren } from "../../lazy-children.js";
import type { Instance, Json } from "../../types.js";

/** Rendered element of one instance. */
export interface View {
  readonly element: HTMLElement;
  /** Element that `accessibility` applies to if it is not the outer one: the input of a field. */
  readonly control?: HTMLElement;
  /**
   * Applies one property. It is called for each property once, then for each change. `appended` is
   * the text that was appended to the previous value.
   */
  set(prop: string, value: Json, appended?: string): void;
  /** Shows the message of a failed check from now on. */
  touch?(): void;
  /** Closes the dialog that the component shows. */
  close?(): void;
  /** Container of the children. Without it they are not rendered. */
  readonly children?: Children;
  /**
   * Whether other code renders the contents other than children. Hydration leaves them unchanged.
   */
  readonly foreign?: boolean;
  dispose?(): void;
}

/**
 * Handling of the children of one instance. The mirror is updated before these functions are
 * called.
 */
export interface Children {
  /** Renders the initial children. */
  fill(): void;
  insert(child: MirrorNode): void;
  /** Inserts adjacent children in order. Without it they are inserted one by one, the last first. */
  insertRows?(rows: readonly MirrorNode[]): void;
  move(child: MirrorNode): void;
  remove(child: MirrorNode): void;
  /** Removes all children at once. Without it they are removed one by one. */
  clear?(children: readonly MirrorNode[]): void;
  dispose?(): void;
}

/** Source of rows that are not read yet. */
export class UnreadRows {
  readonly rows: LazyChildren;
  /** Adds the descendants of a row when it is read. */
  readonly addDescendants: (row: MirrorNode, instance: Instance) => void;

  constructor(rows: LazyChildren, addDescendants: (row: MirrorNode, instance: Instance) => void) {
    this.rows = rows;
    this.addDescendants = addDescendants;
  }
}

/**
 * Component instance of the surface in the renderer: its id, properties, neighbours in the tree and
 * rendered view. Mirrors an instance of the core; it is not a DOM node. Siblings are linked, so
 * that a mount or a move in a list of 10,000 needs no search. The rows of a long list exist from
 * the start, and each is read on first access.
 */
export class MirrorNode {
  parent: MirrorNode | null = null;
  prev: MirrorNode | null = null;
  next: MirrorNode | null = null;
  /** Whether its children are found by their keys; see `InstanceMirror`. */
  isIndexed = false;
  /** Index among its siblings when `childrenOf` last listed them. */
  place = 0;
  /** Rendered view; null while its row is outside the window. */
  view: View | null = null;
  /**
   * Cached children in order; null after a removal, a move or an insertion before another child.
   */
  rows: MirrorNode[] | null = null;
  /**
   * UI state that is not in the data (the selected tab), retained while the row is outside the
   * window; see `keep`.
   */
  memo: Map<string, string> | null = null;
  #source: Instance | UnreadRows;
  readonly #index: number;
  #props: Map<string, Json> | null = null;
  #first: MirrorNode | null = null;
  #last: MirrorNode | null = null;
  #count = 0;

  constructor(source: Instance | UnreadRows, index = 0) {
    this.#source = source;
    this.#index = index;
  }

  /** Whether the instance was read or mounted directly. */
  get isRead(): boolean {
    return !(this.#source instanceof UnreadRows);
  }

  /** Returns the instance, which is read on first access. */
  read(): Instance {
    if (!(this.#source instanceof UnreadRows)) return this.#source;
    const { rows, addDescendants } = this.#source;
    const instance = rows.childAt(this.#index);
    this.#source = instance;
    addDescendants(this, instance);
    return instance;
  }

  /** Stores UI state by name in `memo`. */
  storeState(name: string, value: string): void {
    this.memo ??= new Map();
    this.memo.set(name, value);
  }

  /** Key of the instance: unique in the surface, also among the rows of a list. */
  get key(): string {
    const source = this.#source;
    return source instanceof UnreadRows ? source.rows.keyAt(this.#index) : source.key;
  }

  /** Id of the component definition; rows of a list share it. */
  get id(): string {
    return this.read().id;
  }

  /** Name of the component, such as `Text`. */
  get component(): string {
    return this.read().component;
  }

  get slot(): string | undefined {
    return this.read().slot;
  }

  /**
   * Properties by name. A map, because a property may be called `__proto__`; created on first
   * access, which most rows of a long list do not need.
   */
  get props(): Map<string, Json> {
    this.#props ??= new Map(Object.entries(this.read().props));
    return this.#props;
  }

  /** Whether `props` may differ from those of the instance. */
  get hasOwnProps(): boolean {
    return this.#props !== null;
  }

  get first(): MirrorNode | null {
    this.read();
    return this.#first;
  }

  set first(node: MirrorNode | null) {
    this.#first = node;
  }

  get last(): MirrorNode | null {
    this.read();
    return this.#last;
  }

  set last(node: MirrorNode | null) {
    this.#last = node;
  }

  get count(): number {
    this.read();
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }
}
