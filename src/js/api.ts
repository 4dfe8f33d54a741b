import wasmInit, { initSync } from "./byname.js";

export type * from "./types.js";
export { initSync, wasmInit };
