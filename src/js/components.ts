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

  /** The id of the component of an instance. */
  idAt(instance: number, instances: readonly number[]): string {
    const component = instances[instance];
    return component === undefined ? "" : this.get(component).id;
  }
}

const MARKS = /[~/:=]/g;
const ESCAPES: { [mark: string]: string } = { "~": "~0", "/": "~1", ":": "~2", "=": "~3" };

function escaped(name: string): string {
  return name.replace(MARKS, (mark) => ESCAPES[mark] ?? mark);
}

/** The last step of an instance key: the slot where there are several, the component, the item. */
export function segment(
  id: string,
  item: string | undefined,
  slot: string | undefined,
  root: boolean,
): string {
  const place = slot === undefined ? "" : `${escaped(slot)}=`;
  const row = item === undefined ? "" : `:${escaped(item)}`;
  return `${root ? "" : "/"}${place}${escaped(id)}${row}`;
}
