import wasm from "./byname_bg.wasm";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

// Workers cannot compile a module from bytes, so it is compiled at deployment.
initSync(wasm);

/** Does nothing, because the WebAssembly is part of the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
