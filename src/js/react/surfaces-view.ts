import { createElement, Fragment, type ReactNode, useCallback, useSyncExternalStore } from "react";
import { throwExpected } from "../arguments.js";
import { type ActingSurface, SurfaceView, type SurfaceViewProps } from "./surface-view.js";

/** Parts of `Surfaces` that a view uses. */
export interface SurfaceList {
  /** Returns the created surfaces; the same list until one is created or deleted. */
  list(): readonly (readonly [string, ActingSurface])[];
  subscribe(listener: () => void): () => void;
}

export interface SurfacesViewProps extends Omit<SurfaceViewProps, "surface" | "id"> {
  surfaces: SurfaceList;
}

/**
 * Renders each surface that an agent has created, in the order of creation. The other properties
 * are those of `SurfaceView` and apply to each surface.
 */
export function SurfacesView({ surfaces, ...rest }: SurfacesViewProps): ReactNode {
  if (typeof surfaces?.list !== "function")
    throwExpected("`surfaces` of `SurfacesView`", "`Surfaces`", surfaces);
  const subscribe = useCallback((listener: () => void) => surfaces.subscribe(listener), [surfaces]);
  const getList = (): ReturnType<SurfaceList["list"]> => surfaces.list();
  const list = useSyncExternalStore(subscribe, getList, getList);
  const views = list.map(([id, surface]) =>
    createElement(SurfaceView, { key: id, surface, "data-surface-id": id, ...rest }),
  );
  return createElement(Fragment, null, ...views);
}
