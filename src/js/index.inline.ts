import { bytes } from "./byname_bg.inline.js";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

initSync(bytes);

/** Does nothing: the WebAssembly came with the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
