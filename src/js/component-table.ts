import { setOwn } from "./json-text.js";
import type { Json } from "./wire.js";

/** New rows of the table, by number, and whether they are all that there are. */
interface TableUpdate {
  all: boolean;
  rows: { [number: string]: Component };
}

interface Component {
  id: string;
  name: string;
  /** A name, and the JSON text of the value where that is constant. */
  props: [name: string, constant?: string][];
  /** What the properties show of themselves: constants, and null for the others. */
  scalarConstants: { [propName: string]: Json };
  /** The constants that are lists or maps: each instance has its own. */
  structuredConstants: [name: string, constant: string][];
  /** The properties that name children. */
  slots: string[];
}

const UNKNOWN_COMPONENT: Component = {
  id: "",
  name: "",
  props: [],
  scalarConstants: {},
  structuredConstants: [],
  slots: [],
};

/** What the store has told of the components, by their numbers. It does not change for those who hold it. */
export class ComponentTable {
  /** Shared with those that know more. */
  readonly #table: Component[];
  /** Whether every component has come. */
  readonly isComplete: boolean;
  /** How many have not. */
  readonly #missing: number;
  /** Whether somebody reads by the table later. */
  #isShared: boolean;

  constructor(table: Component[] = [], missing = 0, isShared = false) {
    this.#table = table;
    this.#missing = missing;
    this.#isShared = isShared;
    this.isComplete = !missing;
  }

  /** Keeps it is, for whoever reads by it later. */
  markShared(): void {
    this.#isShared = true;
  }

  /** The same with new rows, which are JSON text, in place of this one unless somebody holds it. */
  updated(text: string): ComponentTable {
    const { all, rows } = JSON.parse(text) as TableUpdate;
    return (all ? new ComponentTable() : this).#update(Object.entries(rows));
  }

  #update(changedRows: [number: string, Component][]): ComponentTable {
    // Whoever holds this one knows none that are new.
    const mustCopy = this.#isShared && changedRows.some(([number]) => this.get(+number).name);
    const table = mustCopy ? [...this.#table] : this.#table;
    let missing = this.#missing;
    for (const [number, component] of changedRows) {
      component.scalarConstants = {};
      component.structuredConstants = [];
      for (const [name, constant = "null"] of component.props) {
        setOwn(component.scalarConstants, name, JSON.parse(constant) as Json);
        if (/^[[{]/.test(constant)) component.structuredConstants.push([name, constant]);
      }
      if (table[+number]?.name === "") missing--;
      if (!component.name) missing++;
      table[+number] = component;
    }
    return new ComponentTable(table, missing, this.#isShared && !mustCopy);
  }

  get(number: number): Component {
    return this.#table[number] ?? UNKNOWN_COMPONENT;
  }

  /** The name of a property. */
  propName(component: number, propName: number): string {
    return this.#table[component]?.props[propName]?.[0] ?? "";
  }

  /** The properties that are the same whatever the data; the others are there, but null. */
  constants(component: number): { [propName: string]: Json } {
    const { scalarConstants, structuredConstants } = this.get(component);
    const props = { ...scalarConstants };
    for (const [name, constant] of structuredConstants)
      setOwn(props, name, JSON.parse(constant) as Json);
    return props;
  }
}

const RESERVED_CHARACTERS = /[~/:=]/g;
const RESERVED_CHARACTER = /[~/:=]/;
const ESCAPES: { [mark: string]: string } = { "~": "~0", "/": "~1", ":": "~2", "=": "~3" };

function escapeKeyPart(name: string): string {
  return RESERVED_CHARACTER.test(name)
    ? name.replace(RESERVED_CHARACTERS, (mark) => ESCAPES[mark] ?? mark)
    : name;
}

/** What an instance needs to know of the one above it. */
export interface Parent {
  key: string;
  slots: string[];
}

/**
 * The key of an instance: that of its parent, then the component and, for a row, the item. Where
 * the parent has several properties that name children, the property stands in front.
 */
export function instanceKey(
  parent: Parent | undefined,
  slot: string | undefined,
  id: string,
  item: string | undefined,
): string {
  const itemPart = item === undefined ? "" : `:${escapeKeyPart(item)}`;
  if (parent === undefined) return escapeKeyPart(id) + itemPart;
  const slotPart = parent.slots.length > 1 ? `${escapeKeyPart(slot ?? "")}=` : "";
  return `${parent.key}/${slotPart}${escapeKeyPart(id)}${itemPart}`;
}
