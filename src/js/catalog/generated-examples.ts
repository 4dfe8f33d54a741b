import type { Json } from "../types.js";
import { isBindable, normalizeType } from "./prop-types.js";
import type { CatalogDefinition, CatalogExample, PropDefinition, PropType } from "./types.js";

type Props = { readonly [prop: string]: PropType };
type ComponentDescription = { id: string; component: string; [prop: string]: Json };
/** Adds a child component and returns its id; null if the parent must not name any. */
type AddChild = ((suffix: string) => string) | null;

/** Returns generated examples for a catalog without examples. */
export function generateExamples(catalog: CatalogDefinition): CatalogExample[] {
  const generator = new ExampleGenerator(catalog);
  const displayed = generator.displayExamples();
  return displayed === null ? [] : [...displayed, ...generator.inputExamples()];
}

/** Generator of examples from the components of a catalog. */
class ExampleGenerator {
  readonly #catalog: CatalogDefinition;
  /**
   * Minimum depth of the components below each component; components that need infinite nesting are
   * missing.
   */
  readonly #depth = new Map<string, number>();

  constructor(catalog: CatalogDefinition) {
    this.#catalog = catalog;
    for (let before = -1; before < this.#depth.size; ) {
      before = this.#depth.size;
      for (const name of Object.keys(catalog.components)) this.#computeDepth(name);
    }
  }

  /**
   * Returns examples with a bound list, or with one component if no component has `children`.
   * Returns null if no component can be used.
   */
  displayExamples(): CatalogExample[] | null {
    const item =
      this.#findComponent((props) => boundProps(props).length > 0) ??
      this.#findComponent(() => true);
    if (item === null) return null;
    const container = this.#findComponent((props) => childrenProp(props) !== null, true);
    const boundNames = boundProps(this.#props(item)).slice(0, 3);
    const first = nodeValues(this.#props(item), boundNames, 1);
    if (container === null || boundNames.length === 0) {
      const components = this.#component(
        "root",
        item,
        Object.fromEntries(boundNames.map((prop) => [prop, bindingTo(prop, "root")])),
      );
      return [
        {
          request: "Show one.",
          messages: [
            ...this.#surfaceMessages(components),
            dataMessage(boundNames.length === 0 ? { root: {} } : { root: first }),
          ],
        },
      ];
    }
    const list = childrenProp(this.#props(container)) as string;
    const components = [
      ...this.#component("root", container, {
        [list]: { binding: { node: "root", key: "items" }, template: "item" },
      }),
      ...this.#component(
        "item",
        item,
        Object.fromEntries(boundNames.map((prop) => [prop, bindingTo(prop)])),
      ),
    ];
    const make = (n: number): { [key: string]: Json } =>
      nodeValues(this.#props(item), boundNames, n);
    return [
      {
        request: "Show a list of two.",
        messages: [
          ...this.#surfaceMessages(components),
          dataMessage({ root: { items: ["*i1", "*i2"] }, i1: first, i2: make(2) }),
        ],
      },
      {
        request: "Change the first, and put another in front.",
        messages: [
          dataMessage({ i1: make(4), i3: make(3), root: { items: ["*i3", "*i1", "*i2"] } }),
        ],
      },
      { request: "Remove the last.", messages: [dataMessage({ "!i2": null })] },
    ];
  }

  /** Returns an example with an input or an action, or an empty list if the catalog has neither. */
  inputExamples(): CatalogExample[] {
    const input = this.#findComponent((props) => inputProp(props) !== null);
    const action = this.#findComponent((props) => actionProp(props) !== null);
    if (input === null && action === null) return [];
    const container = this.#findComponent((props) => childrenProp(props) !== null, true);
    const both = input !== null && action !== null && container !== null;
    const inputName = input === null ? null : (inputProp(this.#props(input)) as string);
    const components: ComponentDescription[] = [];
    if (both) {
      const list = childrenProp(this.#props(container)) as string;
      components.push(...this.#component("root", container, { [list]: ["input", "send"] }));
    }
    if (input !== null && inputName !== null && (both || action === null)) {
      components.push(
        ...this.#component(both ? "input" : "root", input, {
          [inputName]: bindingTo("value", "form"),
        }),
      );
    }
    if (action !== null) {
      const actionName = actionProp(this.#props(action)) as string;
      const event = { name: "send", context: { value: bindingTo("value", "form") } };
      components.push(
        ...this.#component(both ? "send" : "root", action, { [actionName]: { event } }),
      );
    }
    const type = inputName === null || input === null ? "string" : this.#props(input)[inputName];
    const value = sampleOfType(type as PropType, "value", 1);
    return [
      {
        request: "Ask for a value.",
        messages: [...this.#surfaceMessages(components), dataMessage({ form: { value } })],
      },
    ];
  }

  #surfaceMessages(components: ComponentDescription[]): object[] {
    const { id } = this.#catalog;
    const named = id === undefined ? {} : { catalogId: id };
    return [
      { createSurface: { surfaceId: "main", ...named } },
      { updateComponents: { surfaceId: "main", components } },
    ];
  }

  /** Returns a component with its required properties and the components that they name. */
  #component(
    id: string,
    name: string,
    fixedProps: { [prop: string]: Json },
  ): ComponentDescription[] {
    const children: ComponentDescription[] = [];
    const child = (suffix: string): string => {
      const childId = `${id}_${suffix}`;
      children.push(this.#leaf(childId));
      return childId;
    };
    return [{ id, component: name, ...this.#requiredProps(name, fixedProps, child) }, ...children];
  }

  /** Returns a component without children. */
  #leaf(id: string): ComponentDescription {
    const name = this.#findComponent(() => true) as string;
    return { id, component: name, ...this.#requiredProps(name, {}, null) };
  }

  #requiredProps(
    name: string,
    fixedProps: { [prop: string]: Json },
    child: AddChild,
  ): { [prop: string]: Json } {
    const result: { [prop: string]: Json } = {};
    for (const [prop, type] of Object.entries(this.#props(name))) {
      const one = normalizeType(type);
      if (Object.hasOwn(fixedProps, prop)) result[prop] = fixedProps[prop] as Json;
      else if (one.required === true) result[prop] = sampleValue(one, prop, child);
    }
    return result;
  }

  #props(name: string): Props {
    return this.#catalog.components[name]?.props ?? {};
  }

  /**
   * Returns the name of the first component with the fewest required components that passes the
   * test, or null.
   */
  #findComponent(test: (props: Props) => boolean, container = false): string | null {
    const matching = [...this.#depth.keys()].filter((name) => test(this.#props(name)));
    const cost = (name: string): number =>
      (this.#depth.get(name) ?? 0) + (container ? 0 : childrenCost(this.#props(name)));
    return matching.sort((a, b) => cost(a) - cost(b))[0] ?? null;
  }

  #computeDepth(name: string): void {
    if (this.#depth.has(name)) return;
    const needs = Object.values(this.#props(name)).some(
      (type) => normalizeType(type).required === true && namesComponent(type),
    );
    // A component needs no others, or one of those.
    if (!needs) this.#depth.set(name, 0);
    else if ([...this.#depth.values()].includes(0)) this.#depth.set(name, 1);
  }
}

/** Returns whether every value of the type names a component. */
function namesComponent(type: PropType): boolean {
  const { type: name, anyOf, items, properties, minItems } = normalizeType(type);
  if (name === "component") return true;
  if (anyOf !== undefined) return anyOf.every(namesComponent);
  if (items !== undefined) return (minItems ?? 0) > 0 && namesComponent(items);
  return Object.values(properties ?? {}).some(
    (inner) => normalizeType(inner).required === true && namesComponent(inner),
  );
}

function childrenCost(props: Props): number {
  return childrenProp(props) === null ? 0 : 1;
}

/** Returns the bindable scalar properties: the required ones, else the first two. */
function boundProps(props: Props): string[] {
  const all = Object.entries(props).map(([prop, type]) => ({ prop, one: normalizeType(type) }));
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
  return findProp(props, (one) => one.type === "children");
}

function inputProp(props: Props): string | null {
  return findProp(props, (one) => one.input === true);
}

function actionProp(props: Props): string | null {
  return findProp(props, (one) => one.type === "action");
}

function findProp(props: Props, test: (one: PropDefinition) => boolean): string | null {
  return Object.keys(props).find((prop) => test(normalizeType(props[prop] as PropType))) ?? null;
}

function nodeValues(
  props: Props,
  boundNames: readonly string[],
  n: number,
): { [key: string]: Json } {
  return Object.fromEntries(
    boundNames.map((prop) => [prop, sampleOfType(props[prop] as PropType, prop, n)]),
  );
}

function bindingTo(key: string, node?: string): Json {
  return { binding: node === undefined ? { key } : { node, key } };
}

function dataMessage(nodes: { [id: string]: Json }): object {
  return { updateDataModel: { surfaceId: "main", nodes } };
}

function sampleOfType(type: PropType, name: string, n: number): Json {
  return sampleValue(normalizeType(type), name, null, n);
}

/** Returns the n-th sample value of a type. */
function sampleValue(one: PropDefinition, name: string, child: AddChild, n = 1): Json {
  const inner = (type: PropType, key: string): Json =>
    sampleValue(normalizeType(type), key, child, n);
  const isAllowed = (type: PropType): boolean => child !== null || !namesComponent(type);
  if (one.default !== undefined) return one.default;
  if (one.enum !== undefined) return one.enum[0] ?? null;
  if (one.anyOf !== undefined) {
    return inner(one.anyOf.find((type) => !namesComponent(type)) ?? one.anyOf[0] ?? "any", name);
  }
  if (one.items !== undefined || one.type === "array") {
    const item = one.items ?? "string";
    const count = isAllowed(item) ? Math.max(one.minItems ?? 0, 2) : 0;
    return Array.from({ length: count }, (_, k) =>
      sampleValue(normalizeType(item), `${name}${k + 1}`, child, n + k),
    );
  }
  if (one.properties !== undefined) {
    const fields = Object.entries(one.properties).filter(([, type]) => isAllowed(type));
    return Object.fromEntries(fields.map(([key, type]) => [key, inner(type, key)]));
  }
  switch (one.type) {
    case "number":
    case "integer":
      return clampToBounds(n, one);
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
      return `${labelOf(name)} ${n}`;
  }
}

function clampToBounds(n: number, { minimum = n, maximum = Infinity }: PropDefinition): number {
  return Math.min(Math.max(n, minimum), maximum);
}

/** Returns a name as label: `unitPrice` becomes `Unit price`. */
function labelOf(name: string): string {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\d]+$/, "")
    .replaceAll("_", " ");
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1).toLowerCase();
}
