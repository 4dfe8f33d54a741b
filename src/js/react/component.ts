import type { Component, ComponentType, ReactNode } from "react";
import type { ActionsOf, NamesOf, PropsOf } from "../catalog/types.js";
import type { InputError } from "../input-check.js";
import type { Json } from "../types.js";

/** Props of a custom component with properties `P` and actions `A`. */
export interface SurfaceComponentProps<
  P extends object = { [prop: string]: Json },
  A extends string = string,
> {
  /**
   * Identity of the instance: `key` is unique in the surface, `id` and `component` are those of its
   * description.
   */
  readonly instance: { readonly key: string; readonly id: string; readonly component: string };
  /**
   * Resolved properties; a new object whenever one of them changed. Models may write values of
   * other types.
   */
  readonly props: Readonly<P>;
  /** Failed checks of the instance; at most one, with the first message. */
  readonly errors: readonly InputError[];
  /** Children of `child` and `children`. Their DOM nodes are kept if they move. */
  readonly children: ReactNode;
  /**
   * Returns the children of another property, such as `header` of a catalog with `child:
   * ["header"]`.
   */
  slot(name: string): ReactNode;
  /** Writes user input through the binding of the property. */
  set<K extends string & keyof P>(prop: K, value: Exclude<P[K], undefined>): void;
  /** Triggers the action of a property, by default of `action`. */
  trigger(event?: A): void;
}

export type SurfaceComponent<
  P extends object = { [prop: string]: Json },
  A extends string = string,
> = ComponentType<SurfaceComponentProps<P, A>>;

/** Function or class of a component with these props. */
type Implementation<Props> =
  | ((props: Props) => ReactNode | Promise<ReactNode>)
  | (new (
      props: Props,
    ) => Component);

/** Components by catalog name. Each component declares the properties that it reads. */
export interface SurfaceComponents {
  readonly [name: string]: Implementation<SurfaceComponentProps<never>>;
}

/** Props of a component of a typed catalog. */
export type CatalogComponentProps<C, Name extends NamesOf<C>> = SurfaceComponentProps<
  PropsOf<C, Name>,
  ActionsOf<C, Name>
>;

/** Components of a typed catalog by name, or of any other catalog. */
export type ComponentsOf<C> =
  string extends NamesOf<C>
    ? SurfaceComponents
    : { readonly [Name in NamesOf<C>]?: Implementation<CatalogComponentProps<C, Name>> };
