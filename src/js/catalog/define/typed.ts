import { assertMap } from "../../arguments.js";
import { englishChecks, failedCheck } from "../../functions/checks.js";
import { type Validity, validityOf } from "../../input-check.js";
import { messageCheck, treeCheck } from "../../message-check.js";
import { validity } from "../../renderer-link.js";
import type { Diagnostic, Instance, Json } from "../../types.js";
import { checkMessage } from "../check/messages.js";
import { checkShownValues } from "../check/shown-values.js";
import { toPointer } from "../check/value-location.js";
import { assertExtension } from "../definition.js";
import { gbnf } from "../gbnf.js";
import { checkedOptions } from "../options.js";
import { prompt } from "../prompt.js";
import { normalizeType } from "../prop-types.js";
import { MESSAGES, schema } from "../schema.js";
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
} from "../types.js";

/** Union of one part of two definitions; the second one overrides. */
type MergedPart<D, E, K extends string> = E extends { readonly [part in K]: infer More }
  ? D extends { readonly [part in K]: infer Base }
    ? { readonly [part in K]: Omit<Base, keyof More> & More }
    : { readonly [part in K]: More }
  : D extends { readonly [part in K]: infer Base }
    ? { readonly [part in K]: Base }
    : unknown;

/** Definition with an extension applied. */
type Extended<D extends CatalogDefinition, E extends Partial<CatalogDefinition>> = Omit<
  D,
  keyof E | "components" | "common" | "functions"
> &
  MergedPart<D, E, "components"> &
  MergedPart<D, E, "common"> &
  MergedPart<D, E, "functions">;

/**
 * Catalog: the components that a model may use and a page can render, with the types of their
 * properties. Pass it to `new Surface({ catalog })`. It also generates prompts, schemas and
 * grammars for models.
 */
export class TypedCatalog<const D extends CatalogDefinition = CatalogDefinition>
  implements Defined<D>
{
  declare readonly [definition]?: D;
  declare readonly id?: string;
  declare readonly instructions?: string;
  readonly components: { readonly [name: string]: CatalogComponent } & Defined<D>["components"];
  readonly common: { readonly [prop: string]: PropDefinition };
  declare readonly functions?: { readonly [name: string]: FunctionDefinition } & {
    [name: string]: Json;
  };
  declare readonly examples?: readonly CatalogExample[];

  constructor({ id, instructions, components, common = {}, functions, examples }: D) {
    assertMap(components, "`components` of a catalog");
    this.common = mapValues(common, normalizeType);
    this.components = mapValues(components, (one) => component(one, common)) as never;
    // Omits missing parts, because a surface rejects undefined.
    if (id !== undefined) this.id = id;
    if (instructions !== undefined) this.instructions = instructions;
    if (functions !== undefined) this.functions = functions as never;
    if (examples !== undefined) this.examples = examples;
  }

  /** Returns the system prompt for a model that writes surfaces of these components. */
  prompt(options?: CatalogOptions): string {
    return prompt(this, checkedOptions(options));
  }

  /** Returns the JSON Schema (draft 2020-12) of the messages. */
  schema(options?: CatalogOptions): { [key: string]: Json } {
    return schema(this, checkedOptions(options));
  }

  /** Returns a llama.cpp grammar (GBNF) for the messages. */
  gbnf(options?: CatalogOptions): string {
    return gbnf(this, checkedOptions(options));
  }

  /**
   * Returns warnings about the types in an accepted message, and about the functions in texts. The
   * core reports everything else.
   */
  [messageCheck](message: object): Diagnostic[] {
    return (
      checkMessage(this, message, [], MESSAGES)
        // The pointer to an unknown function ends with `call` outside of texts.
        .filter(({ code, path }) => /^CAT|^HAM031value$/.test(code + path.at(-1)))
        .map(({ path, ...diagnostic }) => ({
          ...diagnostic,
          severity: "warning",
          location: toPointer(path),
        }))
    );
  }

  /** Returns warnings about values of the data that are not shown. */
  [treeCheck](tree: Instance | null): Diagnostic[] {
    return checkShownValues(this, tree);
  }

  /** Returns the failed checks of a tree. */
  [validity](tree: Instance | null): Validity {
    const context = { words: englishChecks };
    return validityOf(this, tree, ({ props }, value) => failedCheck(props, value, context));
  }

  /** Returns a catalog with more parts. Parts of the same name are replaced. */
  extend<const E extends Partial<CatalogDefinition>>(more: E): TypedCatalog<Extended<D, E>> {
    assertExtension(this, more);
    const components: { [name: string]: ComponentDefinition } = {
      ...this.components,
      ...more.components,
    };
    const common = { ...this.common, ...more.common };
    // A list of functions makes all others unknown, so a missing list stays missing.
    const listed = this.functions ?? more.functions;
    const functions = listed && { functions: { ...this.functions, ...more.functions } };
    return new TypedCatalog({ ...this, ...more, components, common, ...functions }) as never;
  }
}

function component(
  source: ComponentDefinition,
  common: { readonly [prop: string]: PropType },
): CatalogComponent {
  const props = mapValues({ ...source.props, ...common }, normalizeType);
  const { description, allowedParents, allowedChildren, metadata } = source;
  return {
    ...definedFields({ description, allowedParents, allowedChildren, metadata }),
    props,
    child: [...(source.child ?? propsOfType(props, "component"))],
    children: [...(source.children ?? propsOfType(props, "children"))],
    input: [...(source.input ?? Object.keys(props).filter((prop) => props[prop]?.input))],
    actions: [...(source.actions ?? propsOfType(props, "action"))],
  };
}

/** Returns the fields that are defined, because a surface rejects undefined. */
function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as never;
}

/** Returns the paths of properties with a type, also in list items: `tabs.child`. */
function propsOfType(props: { [prop: string]: PropDefinition }, type: string): string[] {
  return Object.entries(props).flatMap(([prop, one]) => {
    if (one.type === type) return [prop];
    const inner = one.items === undefined ? undefined : normalizeType(one.items).properties;
    if (inner === undefined) return [];
    return Object.keys(inner)
      .filter((key) => normalizeType(inner[key] as PropType).type === type)
      .map((key) => `${prop}.${key}`);
  });
}

function mapValues<T, U>(
  source: { readonly [name: string]: T },
  make: (one: T) => U,
): { [name: string]: U } {
  return Object.fromEntries(Object.entries(source).map(([name, one]) => [name, make(one)]));
}
