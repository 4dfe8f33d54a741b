import * as glue from "./byname_bg.js";
import { BynameError } from "./errors.js";

/** Where the WebAssembly comes from. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

/** What the module imports is in the glue. */
const IMPORTS = { "./byname_bg.js": glue as unknown as WebAssembly.ModuleImports };

let memory: WebAssembly.Memory | undefined;
let loading: Promise<void> | undefined;

/** Loads the WebAssembly once; after a failure it can be called again. */
export function initFrom(source: Source | (() => Source)): Promise<void> {
  if (memory !== undefined) return Promise.resolve();
  loading ??= loadFrom(typeof source === "function" ? source() : source).finally(() => {
    loading = undefined;
  });
  return loading;
}

async function loadFrom(source: Source): Promise<void> {
  const module = ours(await compile(source));
  try {
    adopt(await WebAssembly.instantiate(module, IMPORTS));
  } catch (error) {
    throw ofAnotherVersion(error);
  }
}

/** Loads the WebAssembly from bytes or a module that are at hand; does nothing the second time. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (memory !== undefined) return;
  const module = isModule(source) ? source : new WebAssembly.Module(source as BufferSource);
  try {
    adopt(new WebAssembly.Instance(ours(module), IMPORTS));
  } catch (error) {
    throw ofAnotherVersion(error);
  }
}

/** Lets the glue call an instance, unless it has one. */
function adopt({ exports }: WebAssembly.Instance): void {
  if (memory !== undefined) return;
  glue.__wbg_set_wasm(exports);
  (exports["__wbindgen_start"] as () => void)();
  memory = exports["memory"] as WebAssembly.Memory;
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module;
  if (source instanceof URL) return compile(await fetch(source));
  if (!(source instanceof Response)) return WebAssembly.compile(source as BufferSource);
  if (!source.ok) throw new Error(`failed to fetch ${source.url}: ${source.status}`);
  // Streaming wants this type and nothing else; many a server has not heard of it.
  const streams = source.headers.get("Content-Type") === "application/wasm";
  if (streams) return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** A host may make its modules outside the realm that it runs code in, so none of them is an instance here. */
function isModule(source: Source): boolean {
  return Object.prototype.toString.call(source) === "[object WebAssembly.Module]";
}

/** What ends an object of each class of the glue: a module that lacks one is not the one it is for. */
const NEEDED = Object.keys(glue)
  .filter((name) => /^[A-Z]/.test(name))
  .map((name) => `__wbg_${name.toLowerCase()}_free`);

/** The module, if it is ours. The glue keeps whatever it once ran, so a stranger stays outside. */
function ours(module: WebAssembly.Module): WebAssembly.Module {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (NEEDED.every((name) => names.includes(name))) return module;
  throw new BynameError("argument", "this WebAssembly is not that of byname");
}

/** What the module imports is named after what it is, so another version does not link. */
function ofAnotherVersion(error: unknown): unknown {
  if (!(error instanceof WebAssembly.LinkError)) return error;
  return new BynameError("argument", "this WebAssembly is that of another version of byname");
}

/** The memory, once there is one. */
export function wasmMemory(): WebAssembly.Memory {
  if (memory === undefined) {
    throw new BynameError("not-initialised", "call `await init()` before anything else");
  }
  return memory;
}

export { Store } from "./byname_bg.js";
