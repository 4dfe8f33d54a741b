import { put } from "./json-text.js";
import type { Json } from "./wire.js";

/** New rows of the table, by number, and whether they are all that there are. */
interface NewRows {
  all: boolean;
  rows: { [number: string]: Component };
}

interface Component {
  id: string;
  name: string;
  /** A name, and the JSON text of the value where that is constant. */
  props: [name: string, constant?: string][];
  /** What the properties show of themselves: constants, and null for the others. */
  own: { [prop: string]: Json };
  /** The constants that are lists or maps: each instance has its own. */
  large: [name: string, constant: string][];
  /** The properties that name children. */
  slots: string[];
}

const NOBODY: Component = { id: "", name: "", props: [], own: {}, large: [], slots: [] };

/** What the store has told of the components, by their numbers. It does not change for those who hold it. */
export class Components {
  /** Shared with those that know more. */
  readonly #table: Component[];
  /** Whether every component has come. */
  readonly complete: boolean;
  /** How many have not. */
  readonly #missing: number;
  /** Whether somebody reads by the table later. */
  #isHeld: boolean;

  constructor(table: Component[] = [], missing = 0, isHeld = false) {
    this.#table = table;
    this.#missing = missing;
    this.#isHeld = isHeld;
    this.complete = !missing;
  }

  /** Keeps it as it is, for whoever reads by it later. */
  hold(): void {
    this.#isHeld = true;
  }

  /** The same with new rows, which are JSON text, in place of this one unless somebody holds it. */
  with(text: string): Components {
    const { all, rows } = JSON.parse(text) as NewRows;
    return (all ? new Components() : this).#with(Object.entries(rows));
  }

  #with(told: [number: string, Component][]): Components {
    // Whoever holds this one knows none that are new.
    const isAnew = this.#isHeld && told.some(([number]) => this.get(+number).name);
    const table = isAnew ? [...this.#table] : this.#table;
    let missing = this.#missing;
    for (const [number, component] of told) {
      component.own = {};
      component.large = [];
      for (const [name, constant = "null"] of component.props) {
        put(component.own, name, JSON.parse(constant) as Json);
        if (/^[[{]/.test(constant)) component.large.push([name, constant]);
      }
      if (table[+number]?.name === "") missing--;
      if (!component.name) missing++;
      table[+number] = component;
    }
    return new Components(table, missing, this.#isHeld && !isAnew);
  }

  get(number: number): Component {
    return this.#table[number] ?? NOBODY;
  }

  /** The name of a property. */
  prop(component: number, prop: number): string {
    return this.#table[component]?.props[prop]?.[0] ?? "";
  }

  /** The properties that are the same whatever the data; the others are there, but null. */
  constants(component: number): { [prop: string]: Json } {
    const { own, large } = this.get(component);
    const props = { ...own };
    for (const [name, constant] of large) put(props, name, JSON.parse(constant) as Json);
    return props;
  }
}

const MARKS = /[~/:=]/g;
const MARK = /[~/:=]/;
const ESCAPES: { [mark: string]: string } = { "~": "~0", "/": "~1", ":": "~2", "=": "~3" };

function escaped(name: string): string {
  return MARK.test(name) ? name.replace(MARKS, (mark) => ESCAPES[mark] ?? mark) : name;
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
  const row = item === undefined ? "" : `:${escaped(item)}`;
  if (parent === undefined) return escaped(id) + row;
  const place = parent.slots.length > 1 ? `${escaped(slot ?? "")}=` : "";
  return `${parent.key}/${place}${escaped(id)}${row}`;
}
