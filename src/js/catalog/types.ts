import type { Catalog, Json } from "../types.js";

/**
 * Type of a property, with the names of JSON Schema if it has them. `component` is the id of one
 * component, `children` a list of ids or a ChildList, `action` is triggered by the user, `checks`
 * validate an input.
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

/** Type name, list of literals, or complete definition. */
export type PropType = TypeName | readonly Literal[] | PropDefinition;

export interface PropDefinition {
  readonly type?: TypeName;
  /** One of these literals. */
  readonly enum?: readonly Literal[];
  /** One of several types. */
  readonly anyOf?: readonly PropType[];
  /** Type of the items of an `array`. */
  readonly items?: PropType;
  /** Fields of an `object`; without it all fields are allowed. */
  readonly properties?: { readonly [name: string]: PropType };
  /** Whether models must write the property; false by default. */
  readonly required?: boolean;
  /**
   * Whether a binding or a call is allowed: by default true, except for literals and types that
   * name components.
   */
  readonly bindable?: boolean;
  /** Whether user input is written to this property. */
  readonly input?: boolean;
  /**
   * Whether A2UI Express may write the property without its name, by its position among the others;
   * true by default.
   */
  readonly positional?: boolean;
  /** Use of the URL in a string; a literal that `safeUrl` rejects is a warning. */
  readonly url?: "image" | "media" | "link";
  /** Form of a string: a date, a time or both in ISO 8601; another value is a warning. */
  readonly format?: "date-time";
  readonly description?: string;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

export interface ComponentDefinition {
  /** One-line description for the model. */
  readonly description?: string;
  readonly props?: { readonly [prop: string]: PropType };
  /** By default derived from the property types, like the next three. */
  readonly child?: readonly string[];
  readonly children?: readonly string[];
  readonly input?: readonly string[];
  readonly actions?: readonly string[];
  /** Types that may contain this component; `Surface` contains the root. All by default. */
  readonly allowedParents?: readonly string[];
  /** Types that this component may contain. All by default. */
  readonly allowedChildren?: readonly string[];
  /** Metadata of A2UI: `{ extensions }`. byname does not interpret it. */
  readonly metadata?: { readonly [key: string]: Json };
}

/** Callers of a function: the components of a surface, the agent, or both. */
export type AllowedCallers = "rendererOnly" | "agentOnly" | "rendererOrAgent";

export interface FunctionDefinition {
  readonly description?: string;
  readonly args?: { readonly [name: string]: PropType };
  /** Type of the result; `void` for functions that only actions call. */
  readonly returns?: TypeName | "void";
  /** `rendererOnly` by default. */
  readonly allowedCallers?: AllowedCallers;
  /** Whether the agent can call the function only while the user acts, as for a new window. */
  readonly requiresUserActivation?: boolean;
}

/** Request with the messages of the reply. */
export interface CatalogExample {
  readonly request: string;
  readonly messages: readonly object[];
}

export interface CatalogDefinition {
  /** The `catalogId` that agents name. */
  readonly id?: string;
  /** Instructions for the model, in Markdown; part of the prompt. */
  readonly instructions?: string;
  readonly components: { readonly [name: string]: ComponentDefinition };
  /** Properties that every component has. */
  readonly common?: { readonly [prop: string]: PropType };
  readonly functions?: { readonly [name: string]: FunctionDefinition };
  /** Examples for the prompt; generated from the components by default. */
  readonly examples?: readonly CatalogExample[];
}

/** Name of a message. */
export type MessageName =
  | "createSurface"
  | "updateComponents"
  | "updateDataModel"
  | "deleteSurface";

export interface CatalogOptions {
  /** The messages that the model may write; all four by default. */
  messages?: readonly MessageName[];
  /**
   * Id of the surface that all messages name. Without it, the model chooses ids. With it, the grammar
   * accepts `createSurface` only as the first message.
   */
  surfaceId?: string;
  /**
   * Whether the model writes one object `{"messages": […]}` instead of one message, or one message
   * per line.
   */
  list?: boolean;
  /** Extensions of the store that the prompt explains; see `HamStore`. */
  extensions?: { listEdits?: boolean; merge?: boolean };
}

/** Component of a catalog: the parts that a surface reads, and the property types. */
export interface CatalogComponent {
  readonly description?: string;
  readonly props: { [prop: string]: PropDefinition };
  readonly child: string[];
  readonly children: string[];
  readonly input: string[];
  readonly actions: string[];
  readonly allowedParents?: readonly string[];
  readonly allowedChildren?: readonly string[];
  readonly metadata?: { readonly [key: string]: Json };
}

/** Type-only key of the definition of a catalog. */
export declare const definition: unique symbol;

/** Catalog with the type of its definition. */
export interface Defined<D extends CatalogDefinition> extends Catalog {
  readonly [definition]?: D;
}

/**
 * Properties of a component as a renderer gets them: resolved, without those that name components.
 */
export type PropsOf<C, Name extends NamesOf<C>> =
  C extends Defined<infer D> ? Resolved<PropTypes<D, Name>> : never;

/** The names of the components of a catalog. */
export type NamesOf<C> =
  C extends Defined<infer D> ? Extract<keyof D["components"], string> : never;

/** Names of the properties of a component that are actions. */
export type ActionsOf<C, Name extends NamesOf<C>> =
  C extends Defined<infer D> ? ActionNames<PropTypes<D, Name>> : never;

type ActionNames<P> = {
  [K in keyof P]: P[K] extends "action" | { readonly type: "action" } ? K & string : never;
}[keyof P];

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

/** Whether a property is part of an instance; those that name components become its children. */
type Shown<T> = T extends "component" | "children" | { readonly type: "component" | "children" }
  ? false
  : true;

type IsRequired<T> = T extends { readonly required: true } ? true : false;

/** Type of a property value; a binding without a value is null. */
type OrNull<T> = IsBindable<T> extends true ? ValueOf<T> | null : ValueOf<T>;

type IsBindable<T> = T extends { readonly bindable: infer B }
  ? B
  : T extends readonly Literal[] | { readonly enum: readonly Literal[] } | "action" | "checks"
    ? false
    : T extends { readonly type: "action" | "checks" }
      ? false
      : true;

/** JavaScript type of the values of a property type. */
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
