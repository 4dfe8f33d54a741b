import { initFrom, type Source } from "./wasm.js";

export * from "./api.js";

/** Fetches and compiles the WebAssembly; `source` is its location, by default next to this file. */
export function init(source?: Source): Promise<void> {
  return initFrom(source ?? (() => new URL("./byname_bg.wasm", import.meta.url)));
}
