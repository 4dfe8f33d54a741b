import { initFrom, type Source } from "./wasm.js";

export * from "./api.js";

/** Fetches and compiles the WebAssembly; `source` says where it is if not beside this file. */
export function init(source?: Source): Promise<void> {
  return initFrom(source ?? (() => new URL("./byname_bg.wasm", import.meta.url)));
}
