import {
  asBytes,
  assertFunction,
  assertMap,
  assertOptions,
  assertString,
  throwMisuse,
} from "./arguments.js";
import { throwDisposed } from "./bridge.js";
import type { Core } from "./core.js";
import { toBynameError } from "./diagnostic-error.js";
import { unwrapNodes } from "./exported-nodes.js";
import { cancelCleanup, closeOnCollect } from "./finalizer.js";
import type { Validity } from "./input-check.js";
import { reportInput } from "./input-listener.js";
import { errorDiagnostic, requireJsonText } from "./json-text.js";
import { asObject } from "./json-value.js";
import { rowListeners } from "./lazy-children.js";
import { checkTree, type MessageCheck, messageCheckOf } from "./message-check.js";
import { pageAction } from "./page-action.js";
import { endTyping, rendererDiagnostics, validityOfSurface } from "./renderer-link.js";
import { assertDeepStackSpace } from "./stack-guard.js";
import { coreOfStore, HamStore } from "./store.js";
import { type SurfaceInfo, updateInfo } from "./surface-info.js";
import { SurfaceReader } from "./surface-reader.js";
import type {
  Action,
  ActionDetails,
  Catalog,
  Component,
  Diagnostic,
  HamEdits,
  Instance,
  Json,
  Message,
  SurfaceChange,
} from "./types.js";
import { warmUpWhenIdle } from "./warm-up.js";
import type { Store } from "./wasm.js";

export interface SurfaceOptions<C extends Catalog = Catalog> {
  /** Store to share; by default the surface creates its own. */
  store?: HamStore;
  /** Declares which properties name components, take input and contain actions. */
  catalog?: C;
  onAction?: (action: Action) => void;
  /** Time of an action; the ISO 8601 time by default. */
  now?: () => string;
  /** `"off"` omits the warnings of a typed catalog about the properties of components. */
  diagnostics?: "on" | "off";
}

const OPTIONS = ["store", "catalog", "onAction", "now", "diagnostics"];
/** Keys of a catalog, one of which is required. */
const CATALOG_KEYS = ["components", "functions", "id", "catalogId"];

/** Returns whether a surface was disposed of. */
export let isDisposed: (surface: Surface) => boolean;

/** Components bound to a store, expanded into instances and kept up to date. */
export class Surface<C extends Catalog = Catalog> {
  readonly store: HamStore;
  /** Catalog of the options. */
  readonly catalog: C | undefined;
  readonly #core: Core;
  readonly #id: number;
  readonly #owned: boolean;
  readonly #onAction: ((action: Action) => void) | undefined;
  readonly #now: () => string;
  readonly #check: MessageCheck | undefined;
  readonly #reader: SurfaceReader;
  #disposed = false;
  #inputError: Diagnostic | undefined;
  #info: SurfaceInfo | null = null;
  /** Value of `updateCount` when the tree was last read. */
  #readAt = -1;

  constructor(options: SurfaceOptions<C> = {}) {
    assertOptions(options, OPTIONS, "the options of a surface");
    const { catalog = {}, store, onAction, now, diagnostics = "on" } = options as SurfaceOptions;
    assertMap(catalog, "`catalog`");
    const isEmpty = Object.keys(catalog).length === 0;
    if (!isEmpty && !CATALOG_KEYS.some((key) => key in catalog)) {
      throwMisuse("missing `components` in `catalog`: pass a catalog such as `basicCatalog`");
    }
    const catalogJson = requireJsonText(catalog);
    if (onAction !== undefined) assertFunction(onAction, "`onAction`");
    if (now !== undefined) assertFunction(now, "`now`");
    if (diagnostics !== "on" && diagnostics !== "off") {
      throwMisuse('expected `diagnostics` to be "on" or "off"');
    }
    if (diagnostics === "on") this.#check = messageCheckOf(catalog);
    if (store !== undefined && !(store instanceof HamStore)) {
      throwMisuse("expected `store` to be a HamStore of this copy of the package");
    }
    this.catalog = options.catalog;
    this.#owned = store === undefined;
    this.store = store ?? new HamStore();
    this.#core = coreOfStore(this.store);
    let id: number;
    try {
      // Parses the serialised catalog, because getters may return other values the second time.
      id = this.#core.handle.surface_add(JSON.parse(catalogJson));
    } catch (reason) {
      throw toBynameError("argument", reason);
    }
    this.#id = id;
    this.#reader = new SurfaceReader(textReader(this.#core, id));
    this.#core.surfaces[id] = this.#reader;
    closeOnCollect(this, this.#core, (core) => core.removeSurface(id));
    this.#onAction = onAction;
    this.#now = now ?? (() => new Date().toISOString());
  }

  /** The core, unless the surface is disposed, because its id may be reused. */
  get #activeCore(): Core {
    if (this.#disposed) throwDisposed("surface");
    return this.#core;
  }

  get #handle(): Store {
    return this.#activeCore.handle;
  }

  /**
   * Applies a message: createSurface, updateComponents, updateDataModel with `nodes`
   * or `edits`, deleteSurface.
   */
  receive(message: string | Uint8Array | Message | HamEdits): {
    ok: boolean;
    diagnostics: Diagnostic[];
  } {
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
    const before = new Set(rendererDiagnostics(this));
    const ok = handle.surface_receive(this.#id, length, encoding, inputKind, this.#owned);
    const diagnostics = core.bridge.lastDiagnostics() ?? [];
    const hasComponents = this.#updateComponents();
    // A message with an invalid component is applied without it.
    if (ok || !diagnostics.some(isRefusal)) {
      const id = handle.surface_id(this.#id);
      this.#info = updateInfo(this.#info, text ?? (asBytes(message) as Uint8Array), id);
    }
    if (ok && hasComponents && this.#check) diagnostics.push(...this.#check(text ?? message));
    core.notify(text);
    // Renderers run while the listeners are notified.
    diagnostics.push(...rendererDiagnostics(this).filter((one) => !before.has(one)));
    return { ok, diagnostics };
  }

  /** Returns the current instances, or null without a component `root`. */
  tree(): Instance | null {
    if (!this.#handle.surface_tree(this.#id)) return null;
    this.#updateComponents();
    this.#readAt = this.#core.updateCount;
    return this.#reader.readTree(this.#core.lastRecords(undefined).copy());
  }

  /**
   * Returns what `createSurface` states besides components: catalog, theme, `sendDataModel`,
   * metadata and version. Returns null before it and after `deleteSurface`.
   */
  info(): SurfaceInfo | null {
    return this.#info;
  }

  /**
   * Returns messages that give an empty surface the same components and data: `createSurface`, or
   * `updateComponents` before it has arrived, and `updateDataModel`.
   */
  export(): Message[] {
    const text = this.#handle.surface_export(this.#id) ?? "[]";
    const components = JSON.parse(text) as Component[];
    const updateDataModel = { nodes: unwrapNodes(this.store.export()) };
    // Components that have arrived before `createSurface` belong to no surface id.
    const early =
      components.length === 0 ? [] : [{ updateComponents: { surfaceId: "", components } }];
    if (this.#info === null) return [...early, { updateDataModel }];
    const { version, sendDataModel, surfaceId, ...details } = this.#info;
    const named = version === undefined ? {} : { version };
    const createSurface = {
      surfaceId,
      ...details,
      ...(sendDataModel && { sendDataModel }),
      components,
    };
    const data = { surfaceId, ...updateDataModel };
    return [
      { ...named, createSurface },
      { ...named, updateDataModel: data },
    ];
  }

  /**
   * Returns the errors and warnings of the current surface. If the agent `isDone`, also that no
   * data have arrived.
   */
  diagnostics({ isDone = false }: { isDone?: boolean } = {}): Diagnostic[] {
    const found: Diagnostic[] = this.#handle.surface_diagnostics(this.#id, isDone);
    if (this.#inputError !== undefined) found.push(this.#inputError);
    if (this.#check) found.push(...checkTree(this.catalog ?? {}, this.tree()));
    return [...found, ...rendererDiagnostics(this)];
  }

  /**
   * Returns the failed checks of all inputs. Throws if the catalog has no types and the surface is
   * not mounted, because nothing evaluates checks then.
   */
  validity(): Validity {
    const found = validityOfSurface(this, this.tree());
    return found ?? throwMisuse("`validity` needs a typed catalog or a mounted surface");
  }

  /**
   * Calls the listener after each update with the exact changes. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (changes: readonly SurfaceChange[]) => void): () => void {
    assertFunction(listener, "a listener");
    const handle = this.#handle;
    const reader = this.#reader;
    if (reader.hasNoListeners) {
      if (this.#readAt !== this.#core.updateCount) this.tree();
      handle.surface_observe(this.#id, true);
    }
    if (!rowListeners.has(listener)) reader.readAllKeys();
    const own = { listener, surface: this, isEnded: false };
    reader.addSubscription(own);
    return () => {
      if (own.isEnded) return;
      reader.removeSubscription(own);
      if (!reader.hasNoListeners) return;
      this.#core.release((store) => store.surface_observe(this.#id, false));
    };
  }

  /** Returns whether a component with this id has arrived. */
  hasComponent(id: string): boolean {
    return this.#reader.hasComponent(id);
  }

  /** Writes user input back through a bound property. */
  input(instanceKey: string, prop: string, value: Json): void {
    assertString(instanceKey, "the key of an instance");
    assertString(prop, "a property");
    assertDeepStackSpace();
    this.#inputError = undefined;
    let isRead = false;
    const result = this.#activeCore.update(requireJsonText(value), (handle, message) => {
      isRead = true;
      return handle.surface_input(this.#id, instanceKey, prop, message.length);
    });
    // The core reports errors of the values that it has read.
    if (!isRead) this.#inputError = result.diagnostics[0];
    reportInput(this.store, result);
  }

  /**
   * Triggers the action in a property of an instance. Returns the action, or `undefined` without
   * one.
   */
  trigger(instanceKey: string, event: string): Action | undefined {
    assertString(instanceKey, "the key of an instance");
    assertString(event, "an event");
    const { handler } = pageAction;
    // A listener may trigger another action.
    pageAction.handler = undefined;
    // Typed text is written first, because the context may contain it.
    endTyping(this);
    const handle = this.#handle;
    this.#inputError = undefined;
    let text: string;
    try {
      text = handle.surface_action(this.#id, instanceKey, event);
    } catch (reason) {
      if (!Array.isArray(reason)) throw reason;
      this.#inputError = reason[0] as Diagnostic;
      return undefined;
    }
    const { source, action: definition, ...item } = JSON.parse(text) as ResolvedAction;
    const { name, context, ...details } = readAction(definition);
    const timestamp = this.#now();
    assertString(timestamp, "the result of `now`");
    const action = {
      name,
      surfaceId: handle.surface_id(this.#id) ?? "",
      sourceComponentId: source,
      sourceKey: instanceKey,
      ...item,
      timestamp,
      context,
      ...details,
    };
    if (!handler?.(definition)) this.#onAction?.(action);
    return action;
  }

  static {
    isDisposed = (surface) => surface.#disposed;
  }

  /** Tag in error messages, so that a surface is not mistaken for a message. */
  get [Symbol.toStringTag](): string {
    return "Surface";
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#reader.removeAll();
    cancelCleanup(this);
    this.#core.removeSurface(this.#id);
    if (this.#owned) this.store[Symbol.dispose]();
  }

  /** Reads the components if they changed. Returns whether they did. */
  #updateComponents(): boolean {
    const table = this.#handle.surface_components(this.#id);
    this.#reader.updateComponents(table);
    return table !== undefined;
  }
}

/**
 * Returns a function that reads a bound text. It is created here, because the cleanup of the surface
 * must not share a scope with the core.
 */
function textReader(
  core: Core,
  id: number,
): (instance: number, prop: number) => string | undefined {
  return (instance, prop) => core.handle.surface_text(id, instance, prop);
}

// Warms up for any importer of this class; unused, it is tree-shaken.
warmUpWhenIdle(() => new Surface());

/** Action with its context resolved, as the core returns it. */
interface ResolvedAction {
  source: string;
  action: Json;
  node?: string;
  item?: string;
}

function isRefusal({ code, severity }: Diagnostic): boolean {
  return code === "HAM018" || (severity === "error" && code.startsWith("JSON"));
}

/** Returns the name, the context and the details of an A2UI action. */
function readAction(json: Json): Pick<Action, "name" | "context" | keyof ActionDetails> {
  const { event, functionCall } = asObject(json) ?? {};
  const call = event === undefined ? asObject(functionCall) : undefined;
  const body = call ?? asObject(event ?? json) ?? {};
  const { name, context, args, userMessage, wantResponse, responsePath, metadata } = body;
  const called = name ?? body["call"];
  return {
    name: typeof called === "string" ? called : "",
    context: asObject(context ?? args) ?? {},
    ...(call && { functionCall: call }),
    ...(userMessage !== undefined && { userMessage }),
    ...(wantResponse === true && { wantResponse }),
    ...(typeof responsePath === "string" && { responsePath }),
    ...(metadata !== undefined && { metadata }),
  };
}
