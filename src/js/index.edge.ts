import wasm from "./byname_bg.wasm?module";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

// An edge runtime makes no module of bytes: its build compiles this one.
initSync(wasm);

/** Does nothing: the WebAssembly came with the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
