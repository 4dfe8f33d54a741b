import { needFunction, needMap, needOptions, refuse } from "./arguments.js";
import { disposed } from "./bridge.js";
import type { Core } from "./core.js";
import { refused } from "./diagnostic-error.js";
import { needString } from "./errors.js";
import { closedByHand, closeWhenDropped } from "./finalizer.js";
import { fault, jsonOf } from "./json-text.js";
import { asObject } from "./json-value.js";
import { rowListeners } from "./lazy-children.js";
import { page } from "./page-action.js";
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
  #fault: Diagnostic | undefined;
  /** After which of the calls that change something the tree was last read. */
  #readAt = -1;

  constructor(options: SurfaceOptions = {}) {
    needOptions(options, OPTIONS, "the options of a surface");
    const { catalog = {}, store, onAction, now } = options;
    needMap(catalog, "`catalog`");
    const isEmpty = Object.keys(catalog).length === 0;
    if (!isEmpty && !CATALOG_KEYS.some((key) => key in catalog)) {
      refuse("`catalog` has no `components`: it is an object with these, such as `basicCatalog`");
    }
    const written = jsonOf(catalog);
    if (onAction !== undefined) needFunction(onAction, "`onAction`");
    if (now !== undefined) needFunction(now, "`now`");
    if (store !== undefined && !(store instanceof HamStore)) {
      refuse("`store` is a HamStore of this very copy of the package");
    }
    this.#owned = store === undefined;
    this.store = store ?? new HamStore();
    this.#core = coreOfStore(this.store);
    let number: number;
    try {
      // As it was written: getters may say something else the next time.
      number = this.#core.handle.surface_add(JSON.parse(written));
    } catch (reason) {
      throw refused("argument", reason);
    }
    this.#number = number;
    this.#core.surfaces[number] = this.#reader;
    closeWhenDropped(this, this.#core, (core) => core.removeSurface(number));
    this.#onAction = onAction;
    this.#now = now ?? (() => new Date().toISOString());
  }

  /** The store. The number of a surface that was disposed of is somebody else's. */
  get #living(): Core {
    if (this.#disposed) disposed("surface");
    return this.#core;
  }

  get #handle(): Store {
    return this.#living.handle;
  }

  /** Takes a message: createSurface, updateComponents, updateDataModel with `nodes`, deleteSurface. */
  receive(message: string | Uint8Array | object): { ok: boolean; diagnostics: Diagnostic[] } {
    const core = this.#living;
    const handle = core.changing;
    const refused = Array.isArray(message)
      ? fault("HAM029", "a message is an object", "give a list to `receiveAll`")
      : core.write(message);
    if (refused !== undefined) return { ok: false, diagnostics: [refused] };
    const { length, held, given, text } = core.bridge;
    const ok = handle.surface_receive(this.#number, length, held, given, this.#owned);
    const diagnostics = core.bridge.diagnostics() ?? [];
    this.#learn();
    core.tell(text);
    return { ok, diagnostics };
  }

  /** The instances as they are; null while there is no component `root`. */
  tree(): Instance | null {
    if (!this.#handle.surface_tree(this.#number)) return null;
    this.#learn();
    this.#readAt = this.#core.calls;
    return this.#reader.readTree(this.#core.last(undefined).kept());
  }

  /** What is wrong with the surface as it stands. */
  diagnostics(): Diagnostic[] {
    const found: Diagnostic[] = this.#handle.surface_diagnostics(this.#number);
    return this.#fault === undefined ? found : [...found, this.#fault];
  }

  /** Calls the listener after each update with exactly what changed. Answers what ends it. */
  subscribe(listener: (changes: readonly SurfaceChange[]) => void): () => void {
    needFunction(listener, "a listener");
    const handle = this.#handle;
    const reader = this.#reader;
    if (reader.isUnheard) {
      if (this.#readAt !== this.#core.calls) this.tree();
      handle.surface_observe(this.#number, true);
    }
    if (!rowListeners.has(listener)) reader.nameAll();
    const own = { listener, surface: this, over: false };
    reader.begin(own);
    return () => {
      if (own.over) return;
      reader.end(own);
      if (!reader.isUnheard) return;
      this.#core.release((store) => store.surface_observe(this.#number, false));
    };
  }

  /** Takes input to a property that is bound: the value is written back. */
  input(instanceKey: string, prop: string, value: Json): void {
    needString(instanceKey, "the key of an instance");
    needString(prop, "a property");
    this.#fault = undefined;
    let isRead = false;
    const { diagnostics } = this.#living.update(jsonOf(value), (handle, message) => {
      isRead = true;
      return handle.surface_input(this.#number, instanceKey, prop, message.length);
    });
    // What the core has read it tells itself.
    if (!isRead) this.#fault = diagnostics[0];
  }

  /** Triggers the action that a property of an instance holds. Answers the action where there is one. */
  trigger(instanceKey: string, event: string): Action | undefined {
    needString(instanceKey, "the key of an instance");
    needString(event, "an event");
    const handle = this.#handle;
    this.#fault = undefined;
    let text: string;
    try {
      text = handle.surface_action(this.#number, instanceKey, event);
    } catch (reason) {
      if (!Array.isArray(reason)) throw reason;
      this.#fault = reason[0] as Diagnostic;
      return undefined;
    }
    const { source, action: held } = JSON.parse(text) as { source: string; action: Json };
    const { name, context } = readAction(held);
    const timestamp = this.#now();
    needString(timestamp, "what `now` answers");
    const action = {
      name,
      surfaceId: handle.surface_id(this.#number) ?? "",
      sourceComponentId: source,
      sourceKey: instanceKey,
      timestamp,
      context,
    };
    const { act } = page;
    // Whoever hears of the action may trigger another one.
    page.act = undefined;
    if (!act?.(held)) this.#onAction?.(action);
    return action;
  }

  /** A surface is no message. */
  get [Symbol.toStringTag](): string {
    return "Surface";
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#reader.endAll();
    closedByHand(this);
    this.#core.removeSurface(this.#number);
    if (this.#owned) this.store[Symbol.dispose]();
  }

  #learn(): void {
    const table = this.#handle.surface_components(this.#number);
    if (table !== undefined) this.#reader.learn(table);
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
