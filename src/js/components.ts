import { put } from "./text.js";
import type { Json } from "./wire.js";

interface Component {
  id: string;
  name: string;
  /** A name, and the JSON text of the value where that is constant. */
  props: [name: string, constant?: string][];
  /** The properties that name children. */
  slots: string[];
}

const NOBODY: Component = { id: "", name: "", props: [], slots: [] };

/** What the store has told of the components, by their numbers. */
export class Components {
  readonly #table: Component[] = [];

  /** Takes new rows: JSON text by number. */
  learn(table: string): void {
    for (const [number, component] of Object.entries(JSON.parse(table))) {
      this.#table[Number(number)] = component as Component;
    }
  }

  get(number: number): Component {
    return this.#table[number] ?? NOBODY;
  }

  /** The name of a property. */
  prop(component: number, prop: number): string {
    return this.get(component).props[prop]?.[0] ?? "";
  }

  /** The properties that are the same whatever the data; the others are there, but null. */
  constants(component: number): { [prop: string]: Json } {
    const props: { [prop: string]: Json } = {};
    for (const [name, constant] of this.get(component).props) {
      put(props, name, constant === undefined ? null : (JSON.parse(constant) as Json));
    }
    return props;
  }
}

const MARKS = /[~/:=]/g;
const ESCAPES: { [mark: string]: string } = { "~": "~0", "/": "~1", ":": "~2", "=": "~3" };

function escaped(name: string): string {
  return name.replace(MARKS, (mark) => ESCAPES[mark] ?? mark);
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
