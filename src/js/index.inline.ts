import { bytes } from "./byname_bg.inline.js";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

initSync(bytes);

/** Does nothing, because the WebAssembly is part of the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
