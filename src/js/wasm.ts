import load, { initSync as loadSync, Store } from "./byname.js";
import { BynameError } from "./errors.js";

/** Where the WebAssembly comes from. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

let memory: WebAssembly.Memory | undefined;
let loading: Promise<void> | undefined;

/** Loads the WebAssembly once; after a failure it can be called again. */
export function initFrom(source: Source | (() => Source)): Promise<void> {
  if (memory !== undefined) return Promise.resolve();
  loading ??= load({ module_or_path: typeof source === "function" ? source() : source })
    .then((output) => {
      memory ??= output.memory;
    })
    .finally(() => {
      loading = undefined;
    });
  return loading;
}

/** Loads the WebAssembly from bytes or a module that are at hand; does nothing the second time. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  memory ??= loadSync({ module: source }).memory;
}

/** The memory, once there is one. */
export function wasmMemory(): WebAssembly.Memory {
  if (memory === undefined) {
    throw new BynameError("not-initialised", "call `await init()` before anything else");
  }
  return memory;
}

export { Store };
