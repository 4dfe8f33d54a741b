import { type ComponentTable, instanceKey, type Parent } from "./component-table.js";
import { setOwn } from "./json-text.js";
import { type LazyChildren, unreadChildren } from "./lazy-children.js";
import { OP_ENTER, type RecordReader } from "./records.js";
import type { Instance } from "./types.js";

/** Maximum number of children that are read at once; more are read on demand. */
export const MAX_EAGER_ROWS = 100;

/** Context for reading instances. */
export interface ReadContext {
  /** Components at the time the records were written. */
  components: ComponentTable;
  /** Called with the index, the component and the key of each instance that is read. */
  onInstance(index: number, component: number, key: string): void;
  /**
   * Called with children that are read on demand. Without it all are read at once, because the
   * records are overwritten.
   */
  onDeferred?: (rows: LazyRows) => void;
}

/** Reads an instance and its descendants. */
export function readInstance(
  records: RecordReader,
  parent: Parent | undefined,
  context: ReadContext,
): Instance {
  const { components } = context;
  const { index, component, slot, key } = readInstanceHead(records, parent, components);
  const { id, name, slots } = components.get(component);
  context.onInstance(index, component, key);
  const props = components.constants(component);
  const instance: Instance = { id, component: name, key, props, children: [] };
  for (let count = records.readWord(); count > 0; count--) {
    const prop = components.propName(component, records.readWord());
    setOwn(props, prop, records.readValue() ?? null);
  }
  const own = { key, slots };
  if (context.onDeferred && components.isComplete && records.peekWord() === OP_ENTER) {
    deferChildren(instance, new LazyRows(records, records.skipInstances(), own, context));
  }
  while (records.peekWord() === OP_ENTER) {
    instance.children.push(readInstance(records, own, context));
  }
  records.readWord();
  if (slot !== undefined && slot !== "child" && slot !== "children") instance.slot = slot;
  return instance;
}

/** Reads the keys of an instance and its descendants. */
function readInstanceKeys(records: RecordReader, parent: Parent, context: ReadContext): void {
  const { components } = context;
  const { index, component, key } = readInstanceHead(records, parent, components);
  context.onInstance(index, component, key);
  records.skipProps();
  if (records.peekWord() === OP_ENTER) {
    const own = { key, slots: components.get(component).slots };
    while (records.peekWord() === OP_ENTER) readInstanceKeys(records, own, context);
  }
  records.readWord();
}

interface InstanceHead {
  index: number;
  component: number;
  slot: string | undefined;
  key: string;
}

function readInstanceHead(
  records: RecordReader,
  parent: Parent | undefined,
  components: ComponentTable,
): InstanceHead {
  records.readWord();
  records.readWord();
  const index = records.readWord();
  const component = records.readWord();
  const group = records.readWord();
  const slot = parent?.slots[group];
  const item = records.readValue() as string | undefined;
  const key = instanceKey(parent, slot, components.get(component).keyPart, item);
  return { index, component, slot, key };
}

function deferChildren(instance: Instance, rows: LazyRows): void {
  if (rows.length <= MAX_EAGER_ROWS) {
    instance.children = rows.allChildren();
    return;
  }
  let children: Instance[] | undefined;
  const settleChildren = (list: () => Instance[]): Instance[] => {
    unreadChildren.delete(instance);
    children = list();
    return children;
  };
  Object.defineProperty(instance, "children", {
    get: () => settleChildren(() => children ?? rows.allChildren()),
    set: (given) => settleChildren(() => given),
  });
  unreadChildren.set(instance, rows);
  rows.context.onDeferred?.(rows);
}

/** Children of an instance, each read from its record on first access. */
export class LazyRows implements LazyChildren {
  readonly context: ReadContext;
  readonly #records: RecordReader;
  readonly #parent: Parent;
  /** Word offsets of the children in the records. */
  readonly #offsets: readonly number[];
  readonly #read: (Instance | undefined)[] = [];
  #rowByInstance: number[] | undefined;

  constructor(
    records: RecordReader,
    offsets: readonly number[],
    parent: Parent,
    context: ReadContext,
  ) {
    context.components.markShared();
    this.context = context;
    this.#records = records;
    this.#parent = parent;
    this.#offsets = offsets;
  }

  get length(): number {
    return this.#offsets.length;
  }

  childAt(index: number): Instance {
    this.#read[index] ??= readInstance(this.#recordsAt(index), this.#parent, this.context);
    return this.#read[index] as Instance;
  }

  allChildren(): Instance[] {
    return this.#offsets.map((_, index) => this.childAt(index));
  }

  /** Reads the keys of a row and its descendants. */
  readKeys(index: number): void {
    readInstanceKeys(this.#recordsAt(index), this.#parent, this.context);
  }

  readAllKeys(): void {
    const records = this.#records.copyAt(0);
    for (const offset of this.#offsets) {
      records.index = offset;
      readInstanceKeys(records, this.#parent, this.context);
    }
  }

  keyAt(index: number): string {
    const { components } = this.context;
    return (
      this.#read[index]?.key ??
      readInstanceHead(this.#recordsAt(index), this.#parent, components).key
    );
  }

  /** Index of the row that contains an instance, by the index of the instance. */
  get rowByInstance(): readonly (number | undefined)[] {
    this.#rowByInstance ??= this.#records.rowByInstance(this.#offsets);
    return this.#rowByInstance;
  }

  #recordsAt(index: number): RecordReader {
    return this.#records.copyAt(this.#offsets[index] as number);
  }
}
