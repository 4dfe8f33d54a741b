import type { Component, ComponentType, ReactNode } from "react";
import type { InputError } from "../input-check.js";
import type { Json } from "../types.js";

/** Props of a custom component. */
export interface SurfaceComponentProps<P extends object = { [prop: string]: Json }> {
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
  set(prop: string & keyof P, value: Json): void;
  /** Triggers the action of a property, by default of `action`. */
  trigger(event?: string): void;
}

export type SurfaceComponent<P extends object = { [prop: string]: Json }> = ComponentType<
  SurfaceComponentProps<P>
>;

/** Components by catalog name. Each component declares the properties that it reads. */
export interface SurfaceComponents {
  readonly [name: string]:
    | ((props: SurfaceComponentProps<never>) => ReactNode | Promise<ReactNode>)
    | (new (
        props: SurfaceComponentProps<never>,
      ) => Component);
}
