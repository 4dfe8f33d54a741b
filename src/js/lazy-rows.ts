import { type Components, instanceKey, type Parent } from "./component-table.js";
import { put } from "./json-text.js";
import { unread } from "./lazy-children.js";
import { ENTER, type Records } from "./records.js";
import type { Instance } from "./types.js";

/** More children than these are left unread until somebody looks at them. */
export const MANY = 100;

/** How instances are read: by which components, and who wants to know. */
export interface Reading {
  /** The components as they were when the records were written. */
  components: Components;
  /** Hears of each instance that is read: its number, its component and its key. */
  met(number: number, component: number, key: string): void;
  /** Hears of children that are left unread; where there is nobody, the records do not last. */
  left?: (rows: Rows) => void;
}

/** Reads an instance and all below it. */
export function readInstance(
  records: Records,
  parent: Parent | undefined,
  reading: Reading,
): Instance {
  const { components } = reading;
  const { number, component, slot, key } = readHead(records, parent, components);
  const { id, name, slots } = components.get(component);
  reading.met(number, component, key);
  const props = components.constants(component);
  const instance: Instance = { id, component: name, key, props, children: [] };
  for (let count = records.word(); count > 0; count--) {
    const prop = components.prop(component, records.word());
    put(props, prop, records.value() ?? null);
  }
  const own = { key, slots };
  if (reading.left && components.complete && records.peek() === ENTER) {
    readLater(instance, new Rows(records, records.passInstances(), own, reading));
  }
  while (records.peek() === ENTER) {
    instance.children.push(readInstance(records, own, reading));
  }
  records.word();
  if (slot !== undefined && slot !== "child" && slot !== "children") instance.slot = slot;
  return instance;
}

/** Tells who an instance is, and all below it. */
function nameInstance(records: Records, parent: Parent, reading: Reading): void {
  const { components } = reading;
  const { number, component, key } = readHead(records, parent, components);
  reading.met(number, component, key);
  records.passProps();
  if (records.peek() === ENTER) {
    const own = { key, slots: components.get(component).slots };
    while (records.peek() === ENTER) nameInstance(records, own, reading);
  }
  records.word();
}

interface Head {
  number: number;
  component: number;
  slot: string | undefined;
  key: string;
}

function readHead(records: Records, parent: Parent | undefined, components: Components): Head {
  records.word();
  records.word();
  const number = records.word();
  const component = records.word();
  const group = records.word();
  const slot = parent?.slots[group];
  const item = records.value() as string | undefined;
  const key = instanceKey(parent, slot, components.get(component).id, item);
  return { number, component, slot, key };
}

function readLater(instance: Instance, rows: Rows): void {
  if (rows.length <= MANY) {
    instance.children = rows.all();
    return;
  }
  let children: Instance[] | undefined;
  const looked = (list: () => Instance[]): Instance[] => {
    unread.delete(instance);
    children = list();
    return children;
  };
  Object.defineProperty(instance, "children", {
    get: () => looked(() => children ?? rows.all()),
    set: (given) => looked(() => given),
  });
  unread.set(instance, rows);
  rows.reading.left?.(rows);
}

/** Children of an instance as their records say, each read when it is first asked for. */
export class Rows {
  readonly reading: Reading;
  readonly #records: Records;
  readonly #parent: Parent;
  /** Where each of them stands in the records. */
  readonly #places: readonly number[];
  readonly #read: (Instance | undefined)[] = [];
  #owners: number[] | undefined;

  constructor(records: Records, places: readonly number[], parent: Parent, reading: Reading) {
    reading.components.hold();
    this.reading = reading;
    this.#records = records;
    this.#parent = parent;
    this.#places = places;
  }

  get length(): number {
    return this.#places.length;
  }

  at(index: number): Instance {
    this.#read[index] ??= readInstance(this.#from(index), this.#parent, this.reading);
    return this.#read[index] as Instance;
  }

  all(): Instance[] {
    return this.#places.map((_, index) => this.at(index));
  }

  /** Tells who a row is, and who is in it. */
  name(index: number): void {
    nameInstance(this.#from(index), this.#parent, this.reading);
  }

  /** Tells that of every row. */
  nameAll(): void {
    const records = this.#records.from(0);
    for (const place of this.#places) {
      records.at = place;
      nameInstance(records, this.#parent, this.reading);
    }
  }

  key(index: number): string {
    const { components } = this.reading;
    return this.#read[index]?.key ?? readHead(this.#from(index), this.#parent, components).key;
  }

  /** For each instance in the rows, by its number, the row that it is or stands in. */
  get owners(): readonly (number | undefined)[] {
    this.#owners ??= this.#records.owners(this.#places);
    return this.#owners;
  }

  #from(index: number): Records {
    return this.#records.from(this.#places[index] as number);
  }
}
