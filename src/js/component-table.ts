import { setOwn } from "./json-text.js";
import type { Json } from "./wire.js";

/** Changed rows of the table by index; `all` if they replace the table. */
interface TableUpdate {
  all: boolean;
  rows: { [number: string]: Component };
}

interface Component {
  id: string;
  /** Escaped id, as in keys of instances. */
  keyPart: string;
  name: string;
  /** Name, and JSON text of the value if it is constant. */
  props: [name: string, constant?: string][];
  /** Values of the properties: constants, and null for the others. */
  constants: [name: string, value: Json][];
  /** Properties that name children. */
  slots: string[];
}

const UNKNOWN_COMPONENT: Component = {
  id: "",
  keyPart: "",
  name: "",
  props: [],
  constants: [],
  slots: [],
};

/** Components of a surface by index. Immutable once it is shared. */
export class ComponentTable {
  /** Shared with later tables. */
  readonly #table: Component[];
  /** Whether all components are defined. */
  readonly isComplete: boolean;
  /** Number of undefined components. */
  readonly #missing: number;
  /** Whether a lazy reader uses this table. */
  #isShared: boolean;

  constructor(table: Component[] = [], missing = 0, isShared = false) {
    this.#table = table;
    this.#missing = missing;
    this.#isShared = isShared;
    this.isComplete = !missing;
  }

  /** Marks the table as used by a lazy reader, so that updates copy it. */
  markShared(): void {
    this.#isShared = true;
  }

  /** Returns the table with rows from JSON text; reuses this one unless it is shared. */
  withUpdates(text: string): ComponentTable {
    const { all, rows } = JSON.parse(text) as TableUpdate;
    return (all ? new ComponentTable() : this).#updateRows(Object.entries(rows));
  }

  #updateRows(changedRows: [number: string, Component][]): ComponentTable {
    let mustCopy = false;
    let missing = this.#missing;
    for (const [number, component] of changedRows) {
      component.keyPart = escapeKeyPart(component.id);
      component.constants = component.props.map(([name, constant = "null"]) => [
        name,
        JSON.parse(constant) as Json,
      ]);
      const before = this.#table[+number];
      if (before?.name === "") missing--;
      // A shared table may gain components, but its components must not change.
      else if (before) mustCopy = this.#isShared;
      if (!component.name) missing++;
    }
    const table = mustCopy ? [...this.#table] : this.#table;
    const result = new ComponentTable(table, missing, this.#isShared && !mustCopy);
    // If the stack has ended above, no row has changed, and the update can be repeated.
    for (const [number, component] of changedRows) table[+number] = component;
    return result;
  }

  get(index: number): Component {
    return this.#table[index] ?? UNKNOWN_COMPONENT;
  }

  /** Returns whether a component with this id is defined. */
  has(id: string): boolean {
    return this.#table.some((one) => one.id === id && one.name !== "");
  }

  /** Returns the name of a property. */
  propName(component: number, prop: number): string {
    return this.#table[component]?.props[prop]?.[0] ?? "";
  }

  /** Returns the properties with their constants; the others are null. */
  constants(component: number): { [propName: string]: Json } {
    const props: { [propName: string]: Json } = {};
    // Each instance gets its own copy of a list or map.
    for (const [name, value] of this.get(component).constants) setOwn(props, name, copyJson(value));
    return props;
  }
}

/** Copies a value. Its depth is limited by that of a message. */
function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] as Json));
  return copy;
}

const RESERVED_CHARACTERS = /[~/:=]/g;
const RESERVED_CHARACTER = /[~/:=]/;
const KEY_ESCAPES: { [mark: string]: string } = { "~": "~0", "/": "~1", ":": "~2", "=": "~3" };

function escapeKeyPart(name: string): string {
  return RESERVED_CHARACTER.test(name)
    ? name.replace(RESERVED_CHARACTERS, (mark) => KEY_ESCAPES[mark] ?? mark)
    : name;
}

/** Parent of an instance, as far as keys depend on it. */
export interface Parent {
  key: string;
  slots: string[];
}

/**
 * Returns the key of an instance: the key of the parent, the part of the component and, for a row, the item. If
 * the parent has several properties that name children, the property precedes the component.
 */
export function instanceKey(
  parent: Parent | undefined,
  slot: string | undefined,
  keyPart: string,
  item: string | undefined,
): string {
  const itemPart = item === undefined ? "" : `:${escapeKeyPart(item)}`;
  if (parent === undefined) return keyPart + itemPart;
  const slotPart = parent.slots.length > 1 ? `${escapeKeyPart(slot ?? "")}=` : "";
  return `${parent.key}/${slotPart}${keyPart}${itemPart}`;
}
