import wasm from "./byname_bg.wasm";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

// Workers make no module of bytes: theirs is compiled when they are deployed.
initSync(wasm);

/** Does nothing: the WebAssembly came with the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
