import wasm from "./byname_bg.wasm?module";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

// Edge runtimes cannot compile a module from bytes, so their build compiles it.
initSync(wasm);

/** Does nothing, because the WebAssembly is part of the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
