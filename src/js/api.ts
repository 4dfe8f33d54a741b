import wasmInit, { initSync } from "./byname.js";

export { initSync, wasmInit };
export type * from "./types.js";
