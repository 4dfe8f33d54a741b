import type { Catalog, Json } from "../types.js";

/**
 * What a property holds, in the words of JSON Schema where it has them. `component` is the id of one
 * component, `children` a list of ids or a ChildList, `action` what a user triggers, `checks` what an input has to pass.
 */
export type TypeName =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "array"
  | "object"
  | "any"
  | "component"
  | "children"
  | "action"
  | "checks";

export type Literal = string | number | boolean;

/** A type by its name, one of several literals, or all there is to say. */
export type PropType = TypeName | readonly Literal[] | PropDefinition;

export interface PropDefinition {
  readonly type?: TypeName;
  /** One of these literals. */
  readonly enum?: readonly Literal[];
  /** One of several types. */
  readonly anyOf?: readonly PropType[];
  /** What each item of an `array` is. */
  readonly items?: PropType;
  /** What an `object` holds; without it, anything. */
  readonly properties?: { readonly [name: string]: PropType };
  /** False where this is left out: a model writes what it needs. */
  readonly required?: boolean;
  /** Whether a binding or a call may stand for it: true, except for literals and what names components. */
  readonly bindable?: boolean;
  /** Takes what the user types or chooses. */
  readonly input?: boolean;
  readonly description?: string;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

export interface ComponentDefinition {
  /** One line for the model: what it is for. */
  readonly description?: string;
  readonly props?: { readonly [prop: string]: PropType };
  /** These four follow from the types of the properties, and are for what no type says. */
  readonly child?: readonly string[];
  readonly children?: readonly string[];
  readonly input?: readonly string[];
  readonly actions?: readonly string[];
}

export interface FunctionDefinition {
  readonly description?: string;
  readonly args?: { readonly [name: string]: PropType };
  /** `void` for what only an action does. */
  readonly returns?: TypeName | "void";
}

/** A request and the messages that answer it. */
export interface CatalogExample {
  readonly request: string;
  readonly messages: readonly object[];
}

export interface CatalogDefinition {
  /** The `catalogId` that agents name. */
  readonly id?: string;
  readonly components: { readonly [name: string]: ComponentDefinition };
  /** Properties that every component has. */
  readonly common?: { readonly [prop: string]: PropType };
  readonly functions?: { readonly [name: string]: FunctionDefinition };
  /** For the prompt; without them it makes some of the components that there are. */
  readonly examples?: readonly CatalogExample[];
}

/** Which of the four messages. */
export type MessageName =
  | "createSurface"
  | "updateComponents"
  | "updateDataModel"
  | "deleteSurface";

export interface CatalogOptions {
  /** The messages that the model may write; all four by default. */
  messages?: readonly MessageName[];
  /** One object `{"messages": […]}` instead of one message, or of one message a line. */
  list?: boolean;
}

/** A component as the catalog holds it: what a surface reads, and the types. */
export interface CatalogComponent {
  readonly description?: string;
  readonly props: { [prop: string]: PropDefinition };
  readonly child: string[];
  readonly children: string[];
  readonly input: string[];
  readonly actions: string[];
}

/** What nothing but the compiler sees: the definition that a catalog was made of. */
export declare const definition: unique symbol;

/** A catalog whose definition the compiler knows. */
export interface Defined<D extends CatalogDefinition> extends Catalog {
  readonly [definition]?: D;
}

/** The properties of a component as a renderer gets them: resolved, without those that name components. */
export type PropsOf<C, Name extends NamesOf<C>> =
  C extends Defined<infer D> ? Resolved<PropTypes<D, Name>> : never;

/** The names of the components of a catalog. */
export type NamesOf<C> =
  C extends Defined<infer D> ? Extract<keyof D["components"], string> : never;

type PropTypes<D extends CatalogDefinition, Name> = (Name extends keyof D["components"]
  ? D["components"][Name] extends { readonly props: infer P }
    ? P
    : unknown
  : unknown) &
  (D extends { readonly common: infer P } ? P : unknown);

type Resolved<P> = {
  readonly [K in keyof P as Shown<P[K]> extends true
    ? IsRequired<P[K]> extends true
      ? K
      : never
    : never]: OrNull<P[K]>;
} & {
  readonly [K in keyof P as Shown<P[K]> extends true
    ? IsRequired<P[K]> extends true
      ? never
      : K
    : never]?: OrNull<P[K]>;
};

/** What names components is no property of an instance: its children are. */
type Shown<T> = T extends "component" | "children" | { readonly type: "component" | "children" }
  ? false
  : true;

type IsRequired<T> = T extends { readonly required: true } ? true : false;

/** A binding that finds nothing is null. */
type OrNull<T> = IsBindable<T> extends true ? ValueOf<T> | null : ValueOf<T>;

type IsBindable<T> = T extends { readonly bindable: infer B }
  ? B
  : T extends readonly Literal[] | { readonly enum: readonly Literal[] } | "action" | "checks"
    ? false
    : T extends { readonly type: "action" | "checks" }
      ? false
      : true;

/** The JavaScript type of what a type describes. */
export type ValueOf<T> = T extends "string" | "component"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "array" | "checks"
        ? readonly Json[]
        : T extends "object" | "action"
          ? { readonly [key: string]: Json }
          : T extends readonly (infer L)[]
            ? L
            : T extends { readonly enum: readonly (infer L)[] }
              ? L
              : T extends { readonly anyOf: readonly (infer A)[] }
                ? ValueOf<A>
                : T extends { readonly items: infer I }
                  ? readonly ValueOf<I>[]
                  : T extends { readonly properties: infer P }
                    ? Fields<P>
                    : T extends { readonly type: infer N }
                      ? ValueOf<N>
                      : Json;

type Fields<P> = {
  readonly [K in keyof P as IsRequired<P[K]> extends true ? K : never]: OrNull<P[K]>;
} & {
  readonly [K in keyof P as IsRequired<P[K]> extends true ? never : K]?: OrNull<P[K]>;
};
