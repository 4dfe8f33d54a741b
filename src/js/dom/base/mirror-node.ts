import type { LazyChildren } from "../../lazy-children.js";
import type { Instance, Json } from "../../types.js";

/** What stands in the document for one instance. */
export interface View {
  readonly element: HTMLElement;
  /** What `accessibility` describes, where that is not the outer element: the input of a field. */
  readonly control?: HTMLElement;
  /** Shows one property. It is called for each property once and then for each change. */
  set(prop: string, value: Json): void;
  /** Where children go; without it they have no place. */
  readonly children?: Children;
  /** What stands in the element, other than children, is drawn by somebody else: it is left alone where a server's page is taken over. */
  readonly foreign?: boolean;
  dispose?(): void;
}

/** Where the children of one instance go. The mirror is already changed when these are called. */
export interface Children {
  /** Shows the children that are there at the beginning. */
  fill(): void;
  insert(child: MirrorNode): void;
  move(child: MirrorNode): void;
  remove(child: MirrorNode): void;
  dispose?(): void;
}

/** Rows that nobody has looked at. */
export class Unread {
  readonly rows: LazyChildren;
  /** Takes in what stands below a row that is looked at. */
  readonly open: (row: MirrorNode, instance: Instance) => void;

  constructor(rows: LazyChildren, open: (row: MirrorNode, instance: Instance) => void) {
    this.rows = rows;
    this.open = open;
  }
}

/**
 * One mounted component as the renderer knows it. Siblings are linked, so a mount or a move in a list of 10,000 costs no search.
 * The rows of a long list are here from the start, and each is read when it is first looked at, which most of them never are.
 */
export class MirrorNode {
  parent: MirrorNode | null = null;
  prev: MirrorNode | null = null;
  next: MirrorNode | null = null;
  /** Its place among its siblings when `childrenOf` last listed them. */
  place = 0;
  /** What stands in the document for it; null while its row is outside the window. */
  view: View | null = null;
  /** The children in order, kept until one goes, moves or comes before another. */
  rows: MirrorNode[] | null = null;
  /** What the user did and the data does not know (the selected tab), kept while the row is outside the window; see `keep`. */
  memo: Map<string, string> | null = null;
  #source: Instance | Unread;
  readonly #index: number;
  #props: Map<string, Json> | null = null;
  #first: MirrorNode | null = null;
  #last: MirrorNode | null = null;
  #count = 0;

  constructor(source: Instance | Unread, index = 0) {
    this.#source = source;
    this.#index = index;
  }

  /** Whether anybody has looked at it, or it came by itself. */
  get isRead(): boolean {
    return !(this.#source instanceof Unread);
  }

  /** Looks at it. */
  read(): Instance {
    if (!(this.#source instanceof Unread)) return this.#source;
    const { rows, open } = this.#source;
    const instance = rows.at(this.#index);
    this.#source = instance;
    open(this, instance);
    return instance;
  }

  keep(name: string, value: string): void {
    this.memo ??= new Map();
    this.memo.set(name, value);
  }

  get key(): string {
    const source = this.#source;
    return source instanceof Unread ? source.rows.key(this.#index) : source.key;
  }

  get id(): string {
    return this.read().id;
  }

  get component(): string {
    return this.read().component;
  }

  get slot(): string | undefined {
    return this.read().slot;
  }

  /** A map, so that a property called `__proto__` is a property; made when first asked for, which most rows of a long list never are. */
  get props(): Map<string, Json> {
    this.#props ??= new Map(Object.entries(this.read().props));
    return this.#props;
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
