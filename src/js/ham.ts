// Exports of `byname/ham`.
export { DataContext } from "./data-context.js";
export { BynameError } from "./errors.js";
export type { InputError, Validity } from "./input-check.js";
export { type ChildItem, HamStore } from "./store.js";
export type { HamStream, StreamOptions } from "./stream.js";
export { Surface, type SurfaceOptions } from "./surface.js";
export type { SurfaceInfo } from "./surface-info.js";
export type * from "./types.js";
export { initSync } from "./wasm.js";
