import * as glue from "./byname_bg.js";
import { Containment } from "./containment.js";
import { BynameError } from "./errors.js";

/** Source of the WebAssembly module. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

/** The module imports the glue. */
const IMPORTS = { "./byname_bg.js": glue as unknown as WebAssembly.ModuleImports };

let memory: WebAssembly.Memory | undefined;
let containment: Containment | undefined;
let loaded: WebAssembly.Module | undefined;
let isReleased = false;
let pending: Promise<void> | undefined;

const tasks: (() => void)[] = [];

/** Runs a task as soon as the WebAssembly is loaded. */
export function whenLoaded(task: () => void): void {
  if (memory === undefined) tasks.push(task);
  else task();
}

/** Loads the WebAssembly once; can be called again after a failure. */
export function initFrom(source: Source | (() => Source)): Promise<void> {
  if (memory !== undefined) return Promise.resolve();
  pending ??= loadFrom(typeof source === "function" ? source() : source).finally(() => {
    pending = undefined;
  });
  return pending;
}

async function loadFrom(source: Source): Promise<void> {
  try {
    // Next's dev server wraps this call into a function that is not async, so its arguments must
    // not contain `await`.
    const module = assertOwnModule(await compile(source));
    setModule(module);
    setInstance(await WebAssembly.instantiate(module, IMPORTS));
  } catch (error) {
    rethrowExplained(error);
  }
}

/** Waits until the WebAssembly is loaded. Rejects if nothing loads it. */
export async function loading(): Promise<void> {
  if (memory === undefined && pending === undefined) throwNotInitialised();
  await pending;
}

/** Loads the WebAssembly from bytes or a module; does nothing if it is loaded. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (memory !== undefined) return;
  try {
    const module = isModule(source) ? source : new WebAssembly.Module(source as BufferSource);
    setModule(assertOwnModule(module));
    setInstance(new WebAssembly.Instance(module, IMPORTS));
  } catch (error) {
    rethrowExplained(error);
  }
}

/**
 * Exports that return a reference. V8 of Node 20 and 22 crashes if it deoptimises an inlined call
 * of one. Calls of proxies are not inlined.
 */
export const REFERENCE_RETURNING_EXPORTS = [
  ...["compiledflow_reveal", "compiledflow_show", "flow_answer", "flowrun_next", "flowrun_trace"],
  "flowrun_without_secrets",
  ...["graph_diagnostics", "graph_format", "graph_outline", "graph_summary", "graph_to_json"],
  ...["session_begin", "session_cancel", "session_captured", "session_changes"],
  ...["session_resume", "session_show", "session_variable"],
  ...[
    "store_changed",
    "store_check",
    "store_children",
    "store_diagnostics",
    "store_entry",
    "store_export",
    "store_get",
  ],
  ...["store_inverse", "store_orphans", "store_read", "store_subscribed"],
  ...["store_surface_components", "store_surface_diagnostics", "store_surface_id"],
  "store_surface_export",
  "store_surface_text",
];

/** Connects the glue to an instance, unless it has one. */
function setInstance({ exports }: WebAssembly.Instance): void {
  if (memory !== undefined) return;
  const container = new Containment(exports);
  const wrapped = Object.entries(exports).map(([name, value]) => [
    name,
    container.wrap(
      name,
      REFERENCE_RETURNING_EXPORTS.includes(name) ? new Proxy(value as () => unknown, {}) : value,
    ),
  ]);
  glue.__wbg_set_wasm(Object.fromEntries(wrapped));
  (exports["__wbindgen_start"] as () => void)();
  memory = exports["memory"] as WebAssembly.Memory;
  containment = container;
  for (const task of tasks.splice(0)) task();
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (typeof source === "string") {
    throw new BynameError(
      "argument",
      `expected a URL: pass \`new URL("${source}", location.href)\``,
    );
  }
  if (source instanceof URL) return compile(await fetch(source));
  if (source instanceof Response) {
    if (!source.ok) throw new Error(`failed to fetch ${source.url}: ${source.status}`);
    // Streaming compilation requires this type, and many servers do not send it.
    if (source.headers.get("Content-Type") === "application/wasm") {
      return WebAssembly.compileStreaming(source);
    }
    source = await source.arrayBuffer();
  }
  return isModule(source) ? source : WebAssembly.compile(source as BufferSource);
}

/** Does not use `instanceof`, because a host may create modules in another realm. */
function isModule(source: Source): boolean {
  return (source as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "WebAssembly.Module";
}

function setModule(module: WebAssembly.Module): void {
  loaded ??= module;
}

/** Returns the module of the instance. Throws before initialisation. */
export function loadedModule(): WebAssembly.Module {
  if (memory === undefined || loaded === undefined) throwNotInitialised();
  return loaded;
}

/** Disconnects the instance, so that its memory is freed. */
export function releaseInstance(): void {
  isReleased = true;
  memory = undefined;
  containment = undefined;
  // The collector calls the destructors of objects later.
  const missing = (name: string): unknown => (name.endsWith("_free") ? () => {} : throwReleased);
  glue.__wbg_set_wasm(new Proxy({}, { get: (_, name) => missing(String(name)) }));
}

function throwReleased(): never {
  throw new BynameError("disposed", "this instance has been disposed");
}

/** Exports that the glue requires: the destructor of each class. */
const REQUIRED_EXPORTS = Object.keys(glue)
  .filter((name) => /^[A-Z]/.test(name))
  .map((name) => `__wbg_${name.toLowerCase()}_free`);

/** Returns the module if it belongs to this glue, because the glue cannot be reconnected. */
function assertOwnModule(module: WebAssembly.Module): WebAssembly.Module {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  return REQUIRED_EXPORTS.every((name) => names.includes(name)) ? module : throwWrongModule();
}

function throwWrongModule(): never {
  throw new BynameError(
    "argument",
    "the WebAssembly module is of another version, or of the other one of `byname` and `byname/ham`",
  );
}

/** Throws an error of the engine again, with a clearer message if there is a known cause. */
function rethrowExplained(error: unknown): never {
  // Imported names contain a hash, so another version does not link.
  if (error instanceof WebAssembly.LinkError) throwWrongModule();
  // Engines differ in class and text of this error, and most advise `unsafe-eval`.
  if (/CSP|Content Sec/.test(String(error))) {
    throw new BynameError("argument", "the Content Security Policy lacks 'wasm-unsafe-eval'");
  }
  throw error;
}

/** Returns the memory. Throws before initialisation. */
export function wasmMemory(): WebAssembly.Memory {
  if (isReleased) throwReleased();
  if (memory === undefined) throwNotInitialised();
  if (!hasHashKey) setHashKey();
  return memory;
}

/** Whether the hashes have a secret key, without which many names can have equal hashes. */
let hasHashKey = false;

/** Sets the key before the first hash. Workers have no random numbers before their first request. */
function setHashKey(): void {
  try {
    const [a = 0, b = 0, c = 0, d = 0] = crypto.getRandomValues(new Uint32Array(4));
    glue.set_hash_key(a, b, c, d);
    hasHashKey = true;
  } catch {
    // The next call tries it again.
  }
}

/** Notes the input buffer, so that a call that does not return does not keep it. */
export function noteInput(address: number, length: number): void {
  containment?.setInput(address, length);
}

/** Calls a cleanup of an object, which has nothing to do if the object or its instance has ended. */
export function cleanUp<T>(handle: T, run: (handle: T) => void): void {
  if (!isReleased && containment?.isFailed(handle) !== true) run(handle);
}

function throwNotInitialised(): never {
  throw new BynameError("not-initialised", "call `await init()` before anything else");
}

export { Store } from "./byname_bg.js";
