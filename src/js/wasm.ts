import * as glue from "./byname_bg.js";
import { BynameError } from "./errors.js";

/** Where the WebAssembly comes from. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

/** What the module imports is in the glue. */
const IMPORTS = { "./byname_bg.js": glue as unknown as WebAssembly.ModuleImports };

let memory: WebAssembly.Memory | undefined;
let loading: Promise<void> | undefined;

const tasks: (() => void)[] = [];

/** Has a task done once there is the WebAssembly. */
export function whenLoaded(task: () => void): void {
  if (memory === undefined) tasks.push(task);
  else task();
}

/** Loads the WebAssembly once; after a failure it can be called again. */
export function initFrom(source: Source | (() => Source)): Promise<void> {
  if (memory !== undefined) return Promise.resolve();
  loading ??= loadFrom(typeof source === "function" ? source() : source).finally(() => {
    loading = undefined;
  });
  return loading;
}

async function loadFrom(source: Source): Promise<void> {
  try {
    // Next's dev server wraps this call into a function that is not async: no `await` stands among its arguments.
    const module = assertOwnModule(await compile(source));
    setInstance(await WebAssembly.instantiate(module, IMPORTS));
  } catch (error) {
    rethrowExplained(error);
  }
}

/** Loads the WebAssembly from bytes or a module that are at hand; does nothing the second time. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (memory !== undefined) return;
  try {
    const module = isModule(source) ? source : new WebAssembly.Module(source as BufferSource);
    setInstance(new WebAssembly.Instance(assertOwnModule(module), IMPORTS));
  } catch (error) {
    rethrowExplained(error);
  }
}

/**
 * The exports that return a reference. Engines write calls of WebAssembly out where they are made, and where V8 gives such code up
 * during one of these calls, that of Node 20 and 22 ends the whole process. Calls of proxies are not written out.
 */
export const REFERENCE_RETURNING_EXPORTS = [
  ...["compiledflow_show", "flow_answer", "flowrun_next"],
  ...["graph_diagnostics", "graph_summary", "graph_to_json"],
  ...["session_begin", "session_cancel", "session_resume", "session_show"],
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
];

/** Lets the glue call an instance, unless it has one. */
function setInstance({ exports }: WebAssembly.Instance): void {
  if (memory !== undefined) return;
  const wrapped = Object.entries(exports).map(([name, value]) => [
    name,
    REFERENCE_RETURNING_EXPORTS.includes(name) ? new Proxy(value as () => unknown, {}) : value,
  ]);
  glue.__wbg_set_wasm(Object.fromEntries(wrapped));
  (exports["__wbindgen_start"] as () => void)();
  memory = exports["memory"] as WebAssembly.Memory;
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
    // Streaming wants this type and nothing else; many a server has not heard of it.
    if (source.headers.get("Content-Type") === "application/wasm") {
      return WebAssembly.compileStreaming(source);
    }
    source = await source.arrayBuffer();
  }
  return isModule(source) ? source : WebAssembly.compile(source as BufferSource);
}

/** A host may make its modules outside the realm that it runs code in, so none of them is an instance here. */
function isModule(source: Source): boolean {
  return (source as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "WebAssembly.Module";
}

/** What ends an object of each class of the glue: a module that lacks one is not the one it is for. */
const REQUIRED_EXPORTS = Object.keys(glue)
  .filter((name) => /^[A-Z]/.test(name))
  .map((name) => `__wbg_${name.toLowerCase()}_free`);

/** The module, if it is ours. The glue keeps whatever it once ran, so a stranger stays outside. */
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

/** Throws an error of the engine again, in words of ours where there is something to do about it. */
function rethrowExplained(error: unknown): never {
  // What the module imports is named after what it is, so another version does not link.
  if (error instanceof WebAssembly.LinkError) throwWrongModule();
  // Each engine has its own class and words for it, and most advise more than is needed.
  if (/CSP|Content Sec/.test(String(error))) {
    throw new BynameError("argument", "the Content Security Policy lacks 'wasm-unsafe-eval'");
  }
  throw error;
}

/** The memory, once there is one. */
export function wasmMemory(): WebAssembly.Memory {
  if (memory === undefined) {
    throw new BynameError("not-initialised", "call `await init()` before anything else");
  }
  return memory;
}

export { Store } from "./byname_bg.js";
