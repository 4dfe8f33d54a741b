import { assertMap } from "../arguments.js";
import type { Json } from "../types.js";
import { needExtension } from "./definition.js";
import { gbnf } from "./gbnf.js";
import { normal } from "./normal.js";
import { checked } from "./options.js";
import { prompt } from "./prompt.js";
import { schema } from "./schema.js";
import type {
  CatalogComponent,
  CatalogDefinition,
  CatalogExample,
  CatalogOptions,
  ComponentDefinition,
  Defined,
  definition,
  FunctionDefinition,
  PropDefinition,
  PropType,
} from "./types.js";

/** What a part of two definitions holds; what the second says stands. */
type Both<D, E, K extends string> = E extends { readonly [part in K]: infer More }
  ? D extends { readonly [part in K]: infer Held }
    ? { readonly [part in K]: Omit<Held, keyof More> & More }
    : { readonly [part in K]: More }
  : D extends { readonly [part in K]: infer Held }
    ? { readonly [part in K]: Held }
    : unknown;

/** Two definitions in one. */
type Extended<D extends CatalogDefinition, E extends Partial<CatalogDefinition>> = Omit<
  D,
  keyof E | "components" | "common" | "functions"
> &
  Both<D, E, "components"> &
  Both<D, E, "common"> &
  Both<D, E, "functions">;

/**
 * The components that a model may use and a page can draw, with the types of their properties. It is what
 * `new Surface({ catalog })` takes, and it tells a model how to write for it.
 */
export class TypedCatalog<const D extends CatalogDefinition = CatalogDefinition>
  implements Defined<D>
{
  declare readonly [definition]?: D;
  declare readonly id?: string;
  readonly components: { readonly [name: string]: CatalogComponent } & Defined<D>["components"];
  readonly common: { readonly [prop: string]: PropDefinition };
  declare readonly functions?: { readonly [name: string]: FunctionDefinition } & {
    [name: string]: Json;
  };
  declare readonly examples?: readonly CatalogExample[];

  constructor({ id, components, common = {}, functions, examples }: D) {
    assertMap(components, "`components` of a catalog");
    this.common = mapped(common, normal);
    this.components = mapped(components, (one) => component(one, common)) as never;
    // What is not there is left out: a surface takes no undefined.
    if (id !== undefined) this.id = id;
    if (functions !== undefined) this.functions = functions as never;
    if (examples !== undefined) this.examples = examples;
  }

  /** What a model has to know to write surfaces of these components: put it into the system prompt. */
  prompt(options?: CatalogOptions): string {
    return prompt(this, checked(options));
  }

  /** The JSON Schema (draft 2020-12) of the messages. */
  schema(options?: CatalogOptions): { [key: string]: Json } {
    return schema(this, checked(options));
  }

  /** The messages as a grammar (GBNF) of llama.cpp. */
  gbnf(options?: CatalogOptions): string {
    return gbnf(this, checked(options));
  }

  /** A catalog with more in it, or other things under the same names. */
  extend<const E extends Partial<CatalogDefinition>>(more: E): TypedCatalog<Extended<D, E>> {
    needExtension(this, more);
    const components: { [name: string]: ComponentDefinition } = {
      ...this.components,
      ...more.components,
    };
    const common = { ...this.common, ...more.common };
    // Where functions are listed, others are warned of; no list is none.
    const listed = this.functions ?? more.functions;
    const functions = listed && { functions: { ...this.functions, ...more.functions } };
    return new TypedCatalog({ ...this, ...more, components, common, ...functions }) as never;
  }
}

function component(
  given: ComponentDefinition,
  common: { readonly [prop: string]: PropType },
): CatalogComponent {
  const props = mapped({ ...given.props, ...common }, normal);
  return {
    ...(given.description === undefined ? {} : { description: given.description }),
    props,
    child: [...(given.child ?? naming(props, "component"))],
    children: [...(given.children ?? naming(props, "children"))],
    input: [...(given.input ?? Object.keys(props).filter((prop) => props[prop]?.input))],
    actions: [...(given.actions ?? naming(props, "action"))],
  };
}

/** The properties of a type, also those of the items of a list: `tabs.child`. */
function naming(props: { [prop: string]: PropDefinition }, type: string): string[] {
  return Object.entries(props).flatMap(([prop, one]) => {
    if (one.type === type) return [prop];
    const inner = one.items === undefined ? undefined : normal(one.items).properties;
    if (inner === undefined) return [];
    return Object.keys(inner)
      .filter((key) => normal(inner[key] as PropType).type === type)
      .map((key) => `${prop}.${key}`);
  });
}

function mapped<T, U>(
  given: { readonly [name: string]: T },
  make: (one: T) => U,
): { [name: string]: U } {
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, make(one)]));
}
