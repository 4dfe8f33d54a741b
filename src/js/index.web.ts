import { wasmInit } from "./api.js";

export * from "./api.js";

export async function init(
  source?: URL | Response | BufferSource | WebAssembly.Module,
): Promise<void> {
  await wasmInit({ module_or_path: source ?? new URL("./byname_bg.wasm", import.meta.url) });
}
