/**
 * `byname/react`: surfaces and bindings in React 18 and newer. Accepts surfaces and stores of
 * `byname` and of `byname/ham`, and loads no WebAssembly itself.
 */
export type { InputError } from "./input-check.js";
export type {
  CatalogComponentProps,
  ComponentsOf,
  SurfaceComponent,
  SurfaceComponentProps,
  SurfaceComponents,
} from "./react/component.js";
export { SurfaceView, type SurfaceViewProps } from "./react/surface-view.js";
export { type SurfaceList, SurfacesView, type SurfacesViewProps } from "./react/surfaces-view.js";
export { type BindingStore, useBinding } from "./react/use-binding.js";
export { useSurface } from "./react/use-surface.js";
