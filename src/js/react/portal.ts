import type { ReactNode } from "react";
import type { InputError } from "../input-check.js";
import type { Json } from "../types.js";
import type { Signal } from "./signal.js";

/** Instance that React renders into an element of the renderer of `byname/dom`. */
export interface Portal {
  readonly instance: { readonly key: string; readonly id: string; readonly component: string };
  readonly element: HTMLElement;
  readonly props: Signal<{ readonly [prop: string]: Json }>;
  readonly children: ReactNode;
  /** Failed checks with the current properties. */
  errors(): readonly InputError[];
  slot(name: string): ReactNode;
  set(prop: string, value: Json): void;
  trigger(event?: string): void;
}

/**
 * Portals at one location of the React tree, whose contexts and error boundaries apply to them.
 */
export type PortalList = Signal<readonly Portal[]>;

/** Container of the children of a portal, which the renderer fills. */
export interface Slot {
  readonly container: HTMLElement;
  /** Portals in these children. */
  readonly portals: PortalList;
  /** Server-rendered children. */
  serverRendered?: ReactNode;
}

/** Placeholder of a portal in a server-rendered React tree; null after the portal was removed. */
export type Placeholder = Signal<Portal | null>;
