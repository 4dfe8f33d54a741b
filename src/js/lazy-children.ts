import type { Instance, SurfaceChange } from "./types.js";

/** Children of an instance, each read from the records of the core when it is first requested. */
export interface LazyChildren {
  readonly length: number;
  /** Returns the child at an index. */
  childAt(index: number): Instance;
  /** Returns the key of the child at an index, without reading the child. */
  keyAt(index: number): string;
  allChildren(): Instance[];
}

/** Children that have not been read yet, by their parent. The renderer reads them one by one. */
export const unreadChildren = new WeakMap<Instance, LazyChildren>();

/** Adjacent rows that one update has mounted, in order, before a sibling or at the end. */
export interface RowsMounted {
  kind: "rows";
  parent: string;
  before: string | null;
  rows: LazyChildren;
}

/** Change as the renderer receives it. */
export type RendererChange = SurfaceChange | RowsMounted;

/** Listeners that receive `RowsMounted` changes. All others receive one `mount` per row. */
export const rowListeners = new WeakSet<object>();
