// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import type * as api from "./api.js";
import { createModules } from "./instance-modules.js";
import { loadedModule } from "./wasm.js";

/** Classes and functions of `byname` over a WebAssembly instance with a memory of its own. */
export type Instance = Omit<typeof api, "initSync"> & {
  /** Frees the memory as a whole, and disposes everything that was made with the instance. */
  [Symbol.dispose](): void;
};

/**
 * Creates a further instance of the WebAssembly that `byname` has loaded. If its memory ends, only its
 * own objects fail. Objects of two instances cannot be combined.
 */
export function createInstance(): Instance {
  const module = loadedModule();
  const { releaseMemory, initSync, ...modules } = createModules();
  initSync(module);
  return { ...modules, [Symbol.dispose]: releaseMemory };
}
