import type { LazyRows } from "./lazy-rows.js";
import type { Instance, SurfaceChange } from "./types.js";

/** The children that nobody has looked at, by the instance that they belong to; `dom` asks for them row by row. */
export const unreadChildren = new WeakMap<Instance, LazyRows>();

/** Many rows that come at once, in order, in front of a sibling or last. */
export interface RowsMounted {
  kind: "rows";
  parent: string;
  before: string | null;
  rows: LazyRows;
}

/** A change as the renderer is told of it. */
export type RendererChange = SurfaceChange | RowsMounted;

/** Listeners that want rows which come at once together, unread, where others hear of each. */
export const rowListeners = new WeakSet<object>();
