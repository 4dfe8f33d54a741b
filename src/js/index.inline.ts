import { bytes } from "./byname_bg.inline.js";
import { warmUpWhenIdle } from "./warm.js";
import { initSync, type Source } from "./wasm.js";

export * from "./api.js";

initSync(bytes);
warmUpWhenIdle();

/** Does nothing: the WebAssembly came with the code. */
export function init(_source?: Source): Promise<void> {
  return Promise.resolve();
}
