import type { Component, ComponentType, ReactNode } from "react";
import type { Json } from "../types.js";

/** What a component of one's own is given for each of its instances. */
export interface SurfaceComponentProps<P extends object = { [prop: string]: Json }> {
  /** Which instance this is: `key` is unique in the surface, `id` and `component` are those of its description. */
  readonly instance: { readonly key: string; readonly id: string; readonly component: string };
  /** The resolved properties; another object whenever one of them changed. They are data: what a type says of them, a model may not have kept. */
  readonly props: Readonly<P>;
  /** The children that `child` and `children` name. They stay as they are wherever they are put. */
  readonly children: ReactNode;
  /** The children that another property names, such as `header` of a catalog with `child: ["header"]`. */
  slot(name: string): ReactNode;
  /** What the user entered: it is written through the binding of the property. */
  set(prop: string & keyof P, value: Json): void;
  /** Triggers the action that a property holds, `action` where none is named. */
  trigger(event?: string): void;
}

export type SurfaceComponent<P extends object = { [prop: string]: Json }> = ComponentType<
  SurfaceComponentProps<P>
>;

/** Components by their name in the catalog. Each says itself which properties it reads, so a map of them asks for nothing: of what they are given, and of what a `ComponentType` has besides. */
export interface SurfaceComponents {
  readonly [name: string]:
    | ((props: SurfaceComponentProps<never>) => ReactNode | Promise<ReactNode>)
    | (new (
        props: SurfaceComponentProps<never>,
      ) => Component);
}
