import type { Json } from "../types.js";
import { isBindable, normal } from "./normal.js";
import type { CatalogDefinition, CatalogExample, PropDefinition, PropType } from "./types.js";

type Props = { readonly [prop: string]: PropType };
type Part = { id: string; component: string; [prop: string]: Json };
/** Makes a component below another one; null where that one is to name none. */
type Child = ((suffix: string) => string) | null;

/** Examples made of the components of a catalog, for one that brings none. */
export function madeExamples(catalog: CatalogDefinition): CatalogExample[] {
  const maker = new Maker(catalog);
  const shown = maker.show();
  return shown === null ? [] : [...shown, ...maker.act()];
}

/** Puts components together that need nothing but one another. */
class Maker {
  readonly #catalog: CatalogDefinition;
  /** How many components deep each one is at least; those that never end are not here. */
  readonly #depth = new Map<string, number>();

  constructor(catalog: CatalogDefinition) {
    this.#catalog = catalog;
    for (let before = -1; before < this.#depth.size; ) {
      before = this.#depth.size;
      for (const name of Object.keys(catalog.components)) this.#measure(name);
    }
  }

  /** A list of items where there is something that holds several, else one component. */
  show(): CatalogExample[] | null {
    const item = this.#named((props) => boundProps(props).length > 0) ?? this.#named(() => true);
    if (item === null) return null;
    const holder = this.#named((props) => childrenProp(props) !== null, true);
    const bound = boundProps(this.#props(item)).slice(0, 3);
    const first = values(this.#props(item), bound, 1);
    if (holder === null || bound.length === 0) {
      const components = this.#part(
        "root",
        item,
        Object.fromEntries(bound.map((prop) => [prop, at(prop, "root")])),
      );
      return [
        {
          request: "Show one.",
          messages: [
            ...this.#begin(components),
            data(bound.length === 0 ? { root: {} } : { root: first }),
          ],
        },
      ];
    }
    const list = childrenProp(this.#props(holder)) as string;
    const components = [
      ...this.#part("root", holder, {
        [list]: { binding: { node: "root", key: "items" }, template: "item" },
      }),
      ...this.#part("item", item, Object.fromEntries(bound.map((prop) => [prop, at(prop)]))),
    ];
    const make = (n: number): { [key: string]: Json } => values(this.#props(item), bound, n);
    return [
      {
        request: "Show a list of two.",
        messages: [
          ...this.#begin(components),
          data({ root: { items: ["*i1", "*i2"] }, i1: first, i2: make(2) }),
        ],
      },
      {
        request: "Change the first, and put another in front.",
        messages: [data({ i1: make(4), i3: make(3), root: { items: ["*i3", "*i1", "*i2"] } })],
      },
      { request: "Remove the last.", messages: [data({ "!i2": null })] },
    ];
  }

  /** Something to fill in or to press, where there is such a thing. */
  act(): CatalogExample[] {
    const input = this.#named((props) => inputProp(props) !== null);
    const action = this.#named((props) => actionProp(props) !== null);
    if (input === null && action === null) return [];
    const holder = this.#named((props) => childrenProp(props) !== null, true);
    const both = input !== null && action !== null && holder !== null;
    const typed = input === null ? null : (inputProp(this.#props(input)) as string);
    const components: Part[] = [];
    if (both) {
      const list = childrenProp(this.#props(holder)) as string;
      components.push(...this.#part("root", holder, { [list]: ["input", "send"] }));
    }
    if (input !== null && typed !== null && (both || action === null)) {
      components.push(
        ...this.#part(both ? "input" : "root", input, { [typed]: at("value", "form") }),
      );
    }
    if (action !== null) {
      const held = actionProp(this.#props(action)) as string;
      const event = { name: "send", context: { value: at("value", "form") } };
      components.push(...this.#part(both ? "send" : "root", action, { [held]: { event } }));
    }
    const type = typed === null || input === null ? "string" : this.#props(input)[typed];
    const value = sample(type as PropType, "value", 1);
    return [
      {
        request: "Ask for a value.",
        messages: [...this.#begin(components), data({ form: { value } })],
      },
    ];
  }

  #begin(components: Part[]): object[] {
    const { id } = this.#catalog;
    const named = id === undefined ? {} : { catalogId: id };
    return [
      { createSurface: { surfaceId: "main", ...named } },
      { updateComponents: { surfaceId: "main", components } },
    ];
  }

  /** A component with the properties that it needs, and those that it needs below it. */
  #part(id: string, name: string, given: { [prop: string]: Json }): Part[] {
    const below: Part[] = [];
    const child = (suffix: string): string => {
      const own = `${id}_${suffix}`;
      below.push(this.#leaf(own));
      return own;
    };
    return [{ id, component: name, ...this.#needed(name, given, child) }, ...below];
  }

  /** A component that names no other: one that could hold some is empty. */
  #leaf(id: string): Part {
    const name = this.#named(() => true) as string;
    return { id, component: name, ...this.#needed(name, {}, null) };
  }

  #needed(name: string, given: { [prop: string]: Json }, child: Child): { [prop: string]: Json } {
    const made: { [prop: string]: Json } = {};
    for (const [prop, type] of Object.entries(this.#props(name))) {
      const one = normal(type);
      if (Object.hasOwn(given, prop)) made[prop] = given[prop] as Json;
      else if (one.required === true) made[prop] = written(one, prop, child);
    }
    return made;
  }

  #props(name: string): Props {
    return this.#catalog.components[name]?.props ?? {};
  }

  /** The first component, of those that need the fewest others, with properties of a kind. */
  #named(test: (props: Props) => boolean, holder = false): string | null {
    const fit = [...this.#depth.keys()].filter((name) => test(this.#props(name)));
    const deep = (name: string): number =>
      (this.#depth.get(name) ?? 0) + (holder ? 0 : holds(this.#props(name)));
    return fit.sort((a, b) => deep(a) - deep(b))[0] ?? null;
  }

  #measure(name: string): void {
    if (this.#depth.has(name)) return;
    const needs = Object.values(this.#props(name)).some(
      (type) => normal(type).required === true && names(type),
    );
    // The first ones need nothing; the others need one of the first.
    if (!needs) this.#depth.set(name, 0);
    else if ([...this.#depth.values()].includes(0)) this.#depth.set(name, 1);
  }
}

/** Whether a value of the type has to name a component. */
function names(type: PropType): boolean {
  const { type: name, anyOf, items, properties, minItems } = normal(type);
  if (name === "component") return true;
  if (anyOf !== undefined) return anyOf.every(names);
  if (items !== undefined) return (minItems ?? 0) > 0 && names(items);
  return Object.values(properties ?? {}).some(
    (inner) => normal(inner).required === true && names(inner),
  );
}

function holds(props: Props): number {
  return childrenProp(props) === null ? 0 : 1;
}

/** The properties of text and numbers that can be bound, those that are needed first. */
function boundProps(props: Props): string[] {
  const all = Object.entries(props).map(([prop, type]) => ({ prop, one: normal(type) }));
  const plain = all.filter(
    ({ one }) =>
      isBindable(one) &&
      one.input !== true &&
      (one.required === true || one.type !== "object") &&
      one.type !== "any" &&
      one.anyOf === undefined,
  );
  const needed = plain.filter(({ one }) => one.required === true);
  return (needed.length > 0 ? needed : plain.slice(0, 2)).map(({ prop }) => prop);
}

function childrenProp(props: Props): string | null {
  return find(props, (one) => one.type === "children");
}

function inputProp(props: Props): string | null {
  return find(props, (one) => one.input === true);
}

function actionProp(props: Props): string | null {
  return find(props, (one) => one.type === "action");
}

function find(props: Props, test: (one: PropDefinition) => boolean): string | null {
  return Object.keys(props).find((prop) => test(normal(props[prop] as PropType))) ?? null;
}

function values(props: Props, bound: readonly string[], n: number): { [key: string]: Json } {
  return Object.fromEntries(bound.map((prop) => [prop, sample(props[prop] as PropType, prop, n)]));
}

function at(key: string, node?: string): Json {
  return { binding: node === undefined ? { key } : { node, key } };
}

function data(nodes: { [id: string]: Json }): object {
  return { updateDataModel: { surfaceId: "main", nodes } };
}

function sample(type: PropType, name: string, n: number): Json {
  return written(normal(type), name, null, n);
}

/** A value of a type, the n-th of its kind. */
function written(one: PropDefinition, name: string, child: Child, n = 1): Json {
  const inner = (type: PropType, key: string): Json => written(normal(type), key, child, n);
  const passes = (type: PropType): boolean => child !== null || !names(type);
  if (one.default !== undefined) return one.default;
  if (one.enum !== undefined) return one.enum[0] ?? null;
  if (one.anyOf !== undefined) {
    return inner(one.anyOf.find((type) => !names(type)) ?? one.anyOf[0] ?? "any", name);
  }
  if (one.items !== undefined || one.type === "array") {
    const item = one.items ?? "string";
    const count = passes(item) ? Math.max(one.minItems ?? 0, 2) : 0;
    return Array.from({ length: count }, (_, k) =>
      written(normal(item), `${name}${k + 1}`, child, n + k),
    );
  }
  if (one.properties !== undefined) {
    const fields = Object.entries(one.properties).filter(([, type]) => passes(type));
    return Object.fromEntries(fields.map(([key, type]) => [key, inner(type, key)]));
  }
  switch (one.type) {
    case "number":
    case "integer":
      return within(n, one);
    case "boolean":
      return true;
    case "object":
      return {};
    case "component":
      return child?.(name) ?? "";
    case "children":
      return child === null ? [] : [child(name)];
    case "action":
      return { event: { name: "pressed" } };
    case "checks":
      return [];
    default:
      return `${words(name)} ${n}`;
  }
}

function within(n: number, { minimum = n, maximum = Infinity }: PropDefinition): number {
  return Math.min(Math.max(n, minimum), maximum);
}

/** `unitPrice` as people write it. */
function words(name: string): string {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\d]+$/, "")
    .replaceAll("_", " ");
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1).toLowerCase();
}
