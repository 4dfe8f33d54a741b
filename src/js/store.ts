// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />
import {
  assertFunction,
  assertOptions,
  assertString,
  isJsonCompatible,
  throwMisuse,
} from "./arguments.js";
import { ASCII, type Bridge } from "./bridge.js";
import { Core, parseReading, readSimpleReading } from "./core.js";
import { type ContextPath, type ContextStep, DataContext, pathOfContext } from "./data-context.js";
import { toBynameError } from "./diagnostic-error.js";
import { BynameError } from "./errors.js";
import { isWellFormed, requireJsonText, toJsonText } from "./json-text.js";
import { DEFAULT_MAX_BYTES, setMaxBytes } from "./message-limit.js";
import { assertSmallStackSpace, assertStackSpace } from "./stack-guard.js";
import { type HamStream, openStream, type StreamOptions } from "./stream.js";
import type {
  ApplyResult,
  Binding,
  ChildList,
  Diagnostic,
  HamEdits,
  HamEnvelope,
  HamNodes,
  HamStoreOptions,
  Json,
  JsonType,
  Reading,
} from "./types.js";
import { Store, wasmMemory } from "./wasm.js";

/** Item of an iterated list. */
export interface ChildItem {
  /** Stays the same when the item moves. */
  key: string;
  context: DataContext;
}

let coreOf: (store: HamStore) => Core;

/** Types in the order of the core. */
const NODE_TYPES: readonly (JsonType | undefined)[] = [
  ...([undefined, "null", "boolean", "number", "string", "list", "map"] as const),
];

const applyMessage = (handle: Store, { length, encoding, inputKind }: Bridge): number =>
  handle.apply(length, encoding, inputKind);

/**
 * Returns a binding as plain data, or null if it is invalid. Its getters may call stores, so they
 * must run before the call of the core.
 */
function toPlainBinding(binding: unknown): Json {
  try {
    if (typeof binding === "object" && binding !== null && !isJsonCompatible(binding)) return null;
    return JSON.parse(JSON.stringify(binding)) as Json;
  } catch {
    return null;
  }
}

/** Returns the node at which a binding without `node` starts, or `undefined` inside a node. */
function startNode(path: ContextPath | undefined): string | undefined {
  if (path === undefined) return "root";
  return path.steps.length === 0 ? path.node : undefined;
}

/** JSON document as a map from stable ids to values, edited by id and never by index. */
export class HamStore {
  readonly #core: Core;
  /** First character of pointers. */
  readonly sigil: string;
  /** Identity of the store in its contexts. */
  readonly #id = Symbol("store");

  constructor(options: HamStoreOptions = {}) {
    wasmMemory();
    assertKnownOptions(options);
    let handle: Store;
    try {
      handle = new Store(options);
    } catch (reason) {
      throwMisuse(String(reason));
    }
    const maxBytes = options.limits?.bytes ?? DEFAULT_MAX_BYTES;
    this.#core = new Core(handle, maxBytes);
    setMaxBytes(this, maxBytes);
    this.sigil = options.sigil ?? "*";
  }

  static {
    coreOf = (store) => store.#core;
  }

  /** The core, after pending input has been read. */
  get #current(): Core {
    this.#core.readPending();
    return this.#core;
  }

  /** Creates a store from plain JSON. Maps, and lists that contain maps, become nodes. */
  static from(json: Json, options: HamStoreOptions = {}): HamStore {
    const store = new HamStore(options);
    const core = store.#core;
    const length = store.#writeInput(json);
    if (!core.handle.import(length)) {
      throw toBynameError("argument", core.handle.diagnostics());
    }
    return store;
  }

  /** Serialises a value into the input buffer. Returns its length in bytes. */
  #writeInput(value: unknown): number {
    // Serialise first, because getters may use the store and so overwrite the input buffer.
    const text = requireJsonText(value);
    const { bridge } = this.#current;
    const error = bridge.writeText(text, 2);
    if (error !== undefined) throw toBynameError("argument", [error]);
    return bridge.length;
  }

  /** Applies an update: nodes or the A2UI envelope, as text, bytes or an object. */
  apply(update: string | Uint8Array | HamNodes | HamEnvelope | HamEdits): ApplyResult {
    return this.#core.update(update, applyMessage);
  }

  /** Opens a stream for one document in chunks. */
  stream(options: StreamOptions = {}): HamStream {
    return openStream(this.#core, options);
  }

  has(id: string): boolean {
    assertString(id, "an id");
    return isWellFormed(id) && this.#core.handle.has(id);
  }

  /** Returns a node as stored, with pointers as text, or `undefined`. */
  get(id: string): Json | undefined {
    assertString(id, "an id");
    const text = isWellFormed(id) ? this.#core.handle.get(id) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /** Returns the JSON type of a node, or `undefined` if it does not exist. */
  typeOf(id: string): JsonType | undefined {
    assertString(id, "an id");
    return isWellFormed(id) ? NODE_TYPES[this.#core.handle.type_of(id)] : undefined;
  }

  /** Returns the number of items or properties of a node; 0 for another value. */
  sizeOf(id: string): number {
    assertString(id, "an id");
    return isWellFormed(id) ? this.#core.handle.size_of(id) : 0;
  }

  /** Returns the number of pointers in a node to another one, which may be missing. */
  countPointers(id: string, target: string): number {
    assertString(id, "an id");
    assertString(target, "the id of the target");
    const known = isWellFormed(id) && isWellFormed(target);
    return known ? this.#core.handle.count_pointers(id, target) : 0;
  }

  /**
   * Returns the value under a key of a node, or at an index of a list, as stored, or `undefined`.
   */
  entry(id: string, key: string): Json | undefined {
    assertString(id, "an id");
    assertString(key, "a key");
    const known = isWellFormed(id) && isWellFormed(key);
    const text = known ? this.#core.handle.entry(id, key) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /** Reads the value of a binding; without a context it starts at `root`. */
  read(binding: Binding, context?: DataContext): Reading {
    const path = pathOfContext(context, this.#id);
    const form = this.#writeBindingNames(binding, path);
    const { uncheckedHandle, bridge } = this.#core;
    assertSmallStackSpace();
    if (form >= 0 && uncheckedHandle.read_plain(bridge.length, form)) {
      return readSimpleReading(this.#core.lastRecords(undefined)) as Reading;
    }
    const plainBinding = toPlainBinding(binding);
    return parseReading(this.#core.handle.read(plainBinding, path));
  }

  /**
   * Writes the node id and the key of a simple binding into the input buffer. Returns four times
   * the length of the id plus a bit for each present name, or -1 for any other binding.
   */
  #writeBindingNames(binding: Binding, path: ContextPath | undefined): number {
    if (Object.getPrototypeOf(binding ?? "") !== Object.prototype) return -1;
    let node: unknown;
    let key: unknown;
    for (const name in binding) {
      if (name === "node") node = binding.node;
      else if (name === "key") key = binding.key;
      else return -1;
    }
    const id = node === undefined ? startNode(path) : node;
    const name = key === undefined ? "" : key;
    if (typeof id !== "string" || typeof name !== "string") return -1;
    // Getters may have added pending input.
    const { bridge } = this.#current;
    // Offsets differ between bytes and code units beyond ASCII.
    if (bridge.writeText(id + name, 0) !== undefined || bridge.encoding !== ASCII) return -1;
    return id.length * 4 + (node === undefined ? 0 : 1) + (key === undefined ? 0 : 2);
  }

  /** Returns the items that a ChildList iterates. */
  children(list: ChildList, context?: DataContext): ChildItem[] {
    if (typeof list?.binding !== "object" || list.binding === null) {
      throwMisuse('missing `binding` of a ChildList, such as { binding: { key: "items" } }');
    }
    const { template, componentId } = list;
    if (template !== undefined && componentId !== undefined && template !== componentId) return [];
    const path = pathOfContext(context, this.#id) ?? { node: "root", steps: [] };
    const binding = toPlainBinding(list.binding);
    const { node: start, key = null } = (binding ?? {}) as Binding;
    const steps = start === undefined ? path.steps : [];
    const found = JSON.parse(this.#core.handle.children(binding, path)) as unknown[];
    const owner = found[0] as string;
    const items: ChildItem[] = [];
    for (let at = 1; at < found.length; at += 3) {
      const node = found[at + 1] as string | null;
      const step: ContextStep = [key, found[at + 2] as number];
      const to = node === null ? { node: owner, steps: [...steps, step] } : { node, steps: [] };
      items.push({ key: found[at] as string, context: new DataContext(to, this.#id) });
    }
    return items;
  }

  /**
   * Writes through a binding, as an input with two-way binding does. Strings in the value are never
   * pointers.
   */
  write(binding: Binding, value: Json, context?: DataContext): ApplyResult {
    const text = toJsonText(value);
    if ("error" in text) return { ok: false, diagnostics: [text.error] };
    const plainBinding = toPlainBinding(binding);
    return this.#core.update(text.text, (handle, message) => {
      assertStackSpace();
      return handle.write(plainBinding, pathOfContext(context, this.#id), message.length);
    });
  }

  /**
   * Calls the listener when the value, the status or the ref of a binding has changed, at most once
   * per update. Returns a function that unsubscribes. Throws if the binding is malformed.
   */
  subscribe(
    binding: Binding,
    listener: (reading: Reading) => void,
    context?: DataContext,
  ): () => void {
    assertFunction(listener, "a listener");
    const core = this.#core;
    const path = pathOfContext(context, this.#id);
    const form = this.#writeBindingNames(binding, path);
    const { uncheckedHandle, bridge } = core;
    let id = form < 0 ? undefined : uncheckedHandle.subscribe_plain(bridge.length, form);
    if (id === undefined) {
      const plainBinding = toPlainBinding(binding);
      id = core.handle.subscribe(plainBinding, path);
    }
    if (id === undefined) throw toBynameError("argument", this.read(binding, context).diagnostics);
    // Ids are reused, and so may the listener be. A new object identifies this subscription.
    const own = { listener };
    core.listeners.set(id, own);
    return () => {
      if (core.listeners.get(id) !== own) return;
      core.listeners.delete(id);
      core.readPending();
      core.release((handle) => handle.unsubscribe(id));
    };
  }

  /**
   * Calls the listener after updates of any node, once for all updates of a task. Returns a function
   * that removes it.
   */
  onUpdate(listener: () => void): () => void {
    assertFunction(listener, "a listener");
    return this.#current.addUpdateListener(listener);
  }

  /** Reverts the last update. Returns false if there is none. */
  undo(): boolean {
    return this.#core.undoOrRedo("undo");
  }

  /** Repeats the update that was reverted last. Returns false if there is none. */
  redo(): boolean {
    return this.#core.undoOrRedo("redo");
  }

  /** Returns a node as nested JSON with pointers resolved; `root` without an id. */
  toJSON(id?: string): Json {
    if (id !== undefined) assertString(id, "an id");
    // `JSON.stringify(store)` passes an empty key, and no id is empty.
    const startId = id === "" ? undefined : id;
    try {
      return isWellFormed(startId ?? "")
        ? (JSON.parse(this.#core.handle.to_json(startId)) as Json)
        : null;
    } catch (reason) {
      throw toBynameError("too-large", reason);
    }
  }

  /** Returns all nodes. `apply(export())` on an empty store gives an equal store. */
  export(): HamNodes {
    const text = this.#core.handle.export();
    if (text === undefined) throw new BynameError("out-of-memory", "the nodes were being moved");
    return JSON.parse(text) as HamNodes;
  }

  /**
   * Returns the update that makes this store equal to another store or to plain JSON. It contains
   * only nodes that differ.
   */
  diff(target: Json | HamStore): HamNodes {
    const isStore = target instanceof HamStore;
    if (isStore && target.sigil !== this.sigil) {
      throwMisuse("the stores have different sigils: compare with `other.toJSON()`");
    }
    const length = this.#writeInput(isStore ? target.export() : target);
    try {
      return JSON.parse(this.#core.handle.diff(length, isStore)) as HamNodes;
    } catch (reason) {
      throw toBynameError("argument", reason);
    }
  }

  /**
   * Returns the ids of nodes that are not reachable from `root`; with a `prefix`, only those that
   * begin with it.
   */
  orphans(prefix = ""): string[] {
    assertString(prefix, "a prefix");
    return isWellFormed(prefix) ? this.#core.handle.orphans(prefix) : [];
  }

  /** Returns warnings about the document: dangling pointers and orphans. */
  check(): Diagnostic[] {
    return this.#core.handle.check();
  }

  [Symbol.dispose](): void {
    this.#core.dispose();
  }
}

const OPTIONS = ["sigil", "repair", "extensions", "limits"];
const EXTENSIONS = ["listEdits", "merge"];
const LIMITS = ["bytes", "memory", "nodes", "depth", "deepRead", "instances", "undo"];

/** Checks the names of options; the core checks their values. */
function assertKnownOptions(options: HamStoreOptions): void {
  assertOptions(options, OPTIONS, "the options of a store");
  assertOptions(options.extensions ?? {}, EXTENSIONS, "`extensions`");
  assertOptions(options.limits ?? {}, LIMITS, "`limits`");
  const { sigil } = options;
  if (typeof sigil === "string" && !isWellFormed(sigil)) throwMisuse("`sigil` is a lone surrogate");
}

/** Returns the core of a store, for surfaces only. */
export function coreOfStore(store: HamStore): Core {
  return coreOf(store);
}
