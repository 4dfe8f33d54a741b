import {
  assertFunction,
  assertMap,
  assertOptions,
  assertString,
  throwMisuse,
} from "./arguments.js";
import { throwDisposed } from "./bridge.js";
import type { Core } from "./core.js";
import { toBynameError } from "./diagnostic-error.js";
import { cancelCleanup, closeOnCollect } from "./finalizer.js";
import { errorDiagnostic, requireJsonText } from "./json-text.js";
import { asObject } from "./json-value.js";
import { rowListeners } from "./lazy-children.js";
import { pageAction } from "./page-action.js";
import { coreOfStore, HamStore } from "./store.js";
import { SurfaceReader } from "./surface-reader.js";
import type { Action, Catalog, Diagnostic, Instance, Json, SurfaceChange } from "./types.js";
import { warmUpWhenIdle } from "./warm-up.js";
import type { Store } from "./wasm.js";

export interface SurfaceOptions {
  /** A store to share; a surface without one has its own. */
  store?: HamStore;
  /** Which properties name components, take input and hold actions. */
  catalog?: Catalog;
  onAction?: (action: Action) => void;
  /** The time of an action; the ISO 8601 time by default. */
  now?: () => string;
}

const OPTIONS = ["store", "catalog", "onAction", "now"];
/** What tells a catalog from its components. */
const CATALOG_KEYS = ["components", "functions", "id", "catalogId"];

/** Components bound to a store, expanded into instances and kept up to date. */
export class Surface {
  readonly store: HamStore;
  readonly #core: Core;
  readonly #number: number;
  readonly #owned: boolean;
  readonly #onAction: ((action: Action) => void) | undefined;
  readonly #now: () => string;
  readonly #reader = new SurfaceReader();
  #disposed = false;
  #inputError: Diagnostic | undefined;
  /** After which of the calls that change something the tree was last read. */
  #readAt = -1;

  constructor(options: SurfaceOptions = {}) {
    assertOptions(options, OPTIONS, "the options of a surface");
    const { catalog = {}, store, onAction, now } = options;
    assertMap(catalog, "`catalog`");
    const isEmpty = Object.keys(catalog).length === 0;
    if (!isEmpty && !CATALOG_KEYS.some((key) => key in catalog)) {
      throwMisuse("missing `components` in `catalog`: pass a catalog such as `basicCatalog`");
    }
    const catalogJson = requireJsonText(catalog);
    if (onAction !== undefined) assertFunction(onAction, "`onAction`");
    if (now !== undefined) assertFunction(now, "`now`");
    if (store !== undefined && !(store instanceof HamStore)) {
      throwMisuse("expected `store` to be a HamStore of this copy of the package");
    }
    this.#owned = store === undefined;
    this.store = store ?? new HamStore();
    this.#core = coreOfStore(this.store);
    let number: number;
    try {
      // As it was written: getters may say something else the next time.
      number = this.#core.handle.surface_add(JSON.parse(catalogJson));
    } catch (reason) {
      throw toBynameError("argument", reason);
    }
    this.#number = number;
    this.#core.surfaces[number] = this.#reader;
    closeOnCollect(this, this.#core, (core) => core.removeSurface(number));
    this.#onAction = onAction;
    this.#now = now ?? (() => new Date().toISOString());
  }

  /** The store. The number of a surface that was disposed of is somebody else's. */
  get #activeCore(): Core {
    if (this.#disposed) throwDisposed("surface");
    return this.#core;
  }

  get #handle(): Store {
    return this.#activeCore.handle;
  }

  /** Takes a message: createSurface, updateComponents, updateDataModel with `nodes`, deleteSurface. */
  receive(message: string | Uint8Array | object): { ok: boolean; diagnostics: Diagnostic[] } {
    const core = this.#activeCore;
    const handle = core.handleForUpdate;
    const error = Array.isArray(message)
      ? errorDiagnostic(
          "HAM029",
          "expected an object, found a list",
          "pass a list of messages to `receiveAll`",
        )
      : core.write(message);
    if (error !== undefined) return { ok: false, diagnostics: [error] };
    const { length, encoding, inputKind, text } = core.bridge;
    const ok = handle.surface_receive(this.#number, length, encoding, inputKind, this.#owned);
    const diagnostics = core.bridge.diagnostics() ?? [];
    this.#updateComponents();
    core.notify(text);
    return { ok, diagnostics };
  }

  /** The instances as they are; null while there is no component `root`. */
  tree(): Instance | null {
    if (!this.#handle.surface_tree(this.#number)) return null;
    this.#updateComponents();
    this.#readAt = this.#core.updateCount;
    return this.#reader.readTree(this.#core.lastRecords(undefined).copy());
  }

  /** What is wrong with the surface as it stands. */
  diagnostics(): Diagnostic[] {
    const found: Diagnostic[] = this.#handle.surface_diagnostics(this.#number);
    return this.#inputError === undefined ? found : [...found, this.#inputError];
  }

  /** Calls the listener after each update with exactly what changed. Answers what ends it. */
  subscribe(listener: (changes: readonly SurfaceChange[]) => void): () => void {
    assertFunction(listener, "a listener");
    const handle = this.#handle;
    const reader = this.#reader;
    if (reader.hasNoListeners) {
      if (this.#readAt !== this.#core.updateCount) this.tree();
      handle.surface_observe(this.#number, true);
    }
    if (!rowListeners.has(listener)) reader.readAllKeys();
    const own = { listener, surface: this, isEnded: false };
    reader.addSubscription(own);
    return () => {
      if (own.isEnded) return;
      reader.removeSubscription(own);
      if (!reader.hasNoListeners) return;
      this.#core.release((store) => store.surface_observe(this.#number, false));
    };
  }

  /** Takes input to a property that is bound: the value is written back. */
  input(instanceKey: string, prop: string, value: Json): void {
    assertString(instanceKey, "the key of an instance");
    assertString(prop, "a property");
    this.#inputError = undefined;
    let isRead = false;
    const { diagnostics } = this.#activeCore.update(requireJsonText(value), (handle, message) => {
      isRead = true;
      return handle.surface_input(this.#number, instanceKey, prop, message.length);
    });
    // What the core has read it tells itself.
    if (!isRead) this.#inputError = diagnostics[0];
  }

  /** Triggers the action that a property of an instance holds. Answers the action where there is one. */
  trigger(instanceKey: string, event: string): Action | undefined {
    assertString(instanceKey, "the key of an instance");
    assertString(event, "an event");
    const handle = this.#handle;
    this.#inputError = undefined;
    let text: string;
    try {
      text = handle.surface_action(this.#number, instanceKey, event);
    } catch (reason) {
      if (!Array.isArray(reason)) throw reason;
      this.#inputError = reason[0] as Diagnostic;
      return undefined;
    }
    const { source, action: definition } = JSON.parse(text) as { source: string; action: Json };
    const { name, context } = readAction(definition);
    const timestamp = this.#now();
    assertString(timestamp, "the result of `now`");
    const action = {
      name,
      surfaceId: handle.surface_id(this.#number) ?? "",
      sourceComponentId: source,
      sourceKey: instanceKey,
      timestamp,
      context,
    };
    const { handler } = pageAction;
    // Whoever hears of the action may trigger another one.
    pageAction.handler = undefined;
    if (!handler?.(definition)) this.#onAction?.(action);
    return action;
  }

  /** A surface is no message. */
  get [Symbol.toStringTag](): string {
    return "Surface";
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#reader.removeAll();
    cancelCleanup(this);
    this.#core.removeSurface(this.#number);
    if (this.#owned) this.store[Symbol.dispose]();
  }

  #updateComponents(): void {
    const table = this.#handle.surface_components(this.#number);
    if (table !== undefined) this.#reader.updateComponents(table);
  }
}

// Whoever has this class will show something. Without it, none of this is in a bundle.
warmUpWhenIdle(() => new Surface());

/** The name and the context of an action as A2UI writes it. */
function readAction(json: Json): { name: string; context: { [key: string]: Json } } {
  const { event, functionCall } = asObject(json) ?? {};
  const { name, call, context, args } = asObject(event ?? functionCall ?? json) ?? {};
  const called = name ?? call;
  return {
    name: typeof called === "string" ? called : "",
    context: asObject(context ?? args) ?? {},
  };
}
