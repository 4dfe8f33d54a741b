import type { MessageMetadata } from "./a2ui/agent-channel.js";
import { RememberedCalls } from "./a2ui/renderer-calls.js";
import { type A2uiTarget, a2uiTarget, type TargetOptions } from "./a2ui/translating-target.js";
import type { Message } from "./a2ui/translation.js";
import { assertFunction, assertMap, assertOptions, throwMisuse } from "./arguments.js";
import { errorDiagnostic, warningDiagnostic } from "./json-text.js";
import { asObject, type JsonObject } from "./json-value.js";
import { maxBytesOf, setMaxBytes } from "./message-limit.js";
import { CALL_KEYS } from "./messages/frames/frame.js";
import { routeOf } from "./messages/route.js";
import type { MessageTarget, Received } from "./messages/types.js";
import { runAndReport } from "./report.js";
import { isDisposed, Surface, type SurfaceOptions } from "./surface.js";
import type { Diagnostic } from "./types.js";
import { loading } from "./wasm.js";

export interface SurfacesOptions extends SurfaceOptions {
  /** Accepts messages of plain A2UI; an object has the options of `a2uiTarget`. */
  a2ui?: boolean | TargetOptions;
  /** Called with each surface that the agent has created. */
  onSurface?: (surface: Surface, id: string) => void;
}

const SURFACE_OPTIONS = ["store", "catalog", "onAction", "now", "diagnostics"];

/** Code of a response that no call of a surface waits for. */
const NOT_PENDING = "A2UI018";

/** Maximum number of surfaces, because an agent could create them without end. */
const MAX_SURFACES = 1000;

interface Entry {
  readonly surface: Surface;
  readonly target: MessageTarget | A2uiTarget;
  /** Whether `createSurface` has arrived. Components and data before it are kept. */
  isCreated: boolean;
}

/**
 * Surfaces of one agent by their ids. A target for `receiveAll` and `messageStream`: creates a
 * surface for each `createSurface`, and passes every message to the surface that it names.
 */
export class Surfaces implements Iterable<[string, Surface]> {
  readonly #entries = new Map<string, Entry>();
  readonly #calls = new RememberedCalls();
  /** Receiver of messages for no surface while there is none. */
  #spare: Entry | undefined;
  readonly #surfaceOptions: SurfaceOptions;
  readonly #a2ui: TargetOptions | undefined;
  readonly #onSurface: SurfacesOptions["onSurface"];
  readonly #listeners = new Set<() => void>();
  /** Created surfaces; replaced when one is created or deleted. */
  #snapshot: readonly [string, Surface][] = [];

  constructor(options: SurfacesOptions = {}) {
    assertOptions(options, [...SURFACE_OPTIONS, "a2ui", "onSurface"], "the options of `Surfaces`");
    const { a2ui = false, onSurface, ...surfaceOptions } = options;
    if (typeof a2ui !== "boolean") assertMap(a2ui, "`a2ui`");
    if (a2ui !== false && options.store !== undefined)
      throwMisuse("expected no `store` with `a2ui`: each surface of plain A2UI has its own data");
    if (onSurface !== undefined) assertFunction(onSurface, "`onSurface`");
    this.#surfaceOptions = surfaceOptions;
    setMaxBytes(this, maxBytesOf(options));
    this.#a2ui = a2ui === true ? {} : a2ui || undefined;
    this.#onSurface = onSurface;
  }

  /** Returns the surface that the agent created with this id, or `undefined`. */
  get(id: string): Surface | undefined {
    const entry = this.#entries.get(id);
    return entry?.isCreated ? entry.surface : undefined;
  }

  /** Returns the message target of a surface, which has the translator of plain A2UI. */
  target(id: string): MessageTarget | A2uiTarget | undefined {
    return this.#entries.get(id)?.target;
  }

  /** Number of surfaces that the agent has created and not deleted. */
  get size(): number {
    return this.#snapshot.length;
  }

  [Symbol.iterator](): Iterator<[string, Surface]> {
    return this.#snapshot.values();
  }

  /** Returns the created surfaces; the same list until one is created or deleted. */
  list(): readonly [string, Surface][] {
    return this.#snapshot;
  }

  /**
   * Calls the listener after a surface was created or deleted. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: () => void): () => void {
    assertFunction(listener, "a listener");
    // The same function may subscribe twice.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Waits until the WebAssembly is loaded; `receiveAll` calls it. */
  ready(): Promise<void> {
    return loading();
  }

  /** Forgets the surfaces that the page has disposed of. */
  #forgetDisposed(): void {
    const disposed = [...this.#entries].filter(([, { surface }]) => isDisposed(surface));
    for (const [id, { target }] of disposed) {
      if (Symbol.dispose in target) target[Symbol.dispose]();
      this.#entries.delete(id);
    }
    if (disposed.length > 0) this.#updateSnapshot();
  }

  /** Passes a message to the surface that it names. */
  receive(message: string | Uint8Array | object, firstIndex?: number): Received {
    this.#forgetDisposed();
    const { kind, surfaceId, callId } = routeOf(message);
    if (kind === undefined) return this.#anyTarget().receive(message);
    if (callId !== undefined) return this.#receiveOnce(message, surfaceId, callId);
    if (CALL_KEYS.includes(kind)) return this.#receiveCall(message, surfaceId);
    const id = surfaceId ?? this.#onlyId();
    if (id === undefined) return { ok: false, diagnostics: [this.#missingId(kind)] };
    const known = this.#entries.get(id);
    // A surface that does not exist is already deleted.
    if (!known?.isCreated && kind === "deleteSurface") {
      this.#entries.delete(id);
      return { ok: true, diagnostics: [] };
    }
    if (known === undefined && this.#entries.size >= MAX_SURFACES)
      return { ok: false, diagnostics: [tooManySurfaces(id)] };
    const entry = known ?? this.#add(id);
    const wasCreated = entry.isCreated;
    const result = entry.target.receive(message, firstIndex);
    if (entry.isCreated !== wasCreated) this.#updateSnapshot();
    if (entry.isCreated && !wasCreated) runAndReport(() => this.#onSurface?.(entry.surface, id));
    return result;
  }

  /** Returns the store that receives the nodes for a surface, or `undefined` if it is unknown. */
  storeOf(id: string): Surface["store"] | undefined {
    return this.#entries.get(id)?.surface.store;
  }

  /** Returns whether a surface has received a component. */
  hasComponent(id: string, surfaceId: string): boolean {
    return this.#entries.get(surfaceId)?.surface.hasComponent(id) ?? false;
  }

  /** Returns whether the value at a path of a surface of plain A2UI begins with a text. */
  repeatsText(surfaceId: string, path: string, text: string): boolean {
    const { target } = this.#entries.get(surfaceId) ?? {};
    return target?.repeatsText?.(surfaceId, path, text) ?? false;
  }

  /**
   * Returns the diagnostics of all surfaces in their current state. If the agent `isDone`, also that
   * no data have arrived.
   */
  diagnostics(options: { isDone?: boolean } = {}): Diagnostic[] {
    this.#forgetDisposed();
    return [...this.#entries].flatMap(([id, { target, isCreated }]) => {
      if (!isCreated) return [notCreated(id)];
      const found = target.diagnostics?.(options) ?? [];
      return found.map((one) => ({ ...one, message: `surface \`${id}\`: ${one.message}` }));
    });
  }

  /** Returns the metadata for the transport of a message to the agent, such as the data models. */
  metadata(): MessageMetadata {
    const merged: { [name: string]: JsonObject } = {};
    for (const { target } of this.#entries.values()) {
      const metadata = "metadata" in target ? target.metadata() : {};
      for (const [name, value] of Object.entries(metadata)) {
        const model = asObject(value) ?? {};
        const surfaces = {
          ...asObject(merged[name]?.["surfaces"]),
          ...asObject(model["surfaces"]),
        };
        merged[name] = { ...model, surfaces };
      }
    }
    return merged;
  }

  [Symbol.dispose](): void {
    for (const { surface, target } of [
      ...this.#entries.values(),
      ...(this.#spare ? [this.#spare] : []),
    ]) {
      if (Symbol.dispose in target) target[Symbol.dispose]();
      surface[Symbol.dispose]();
    }
    this.#entries.clear();
    this.#spare = undefined;
    this.#updateSnapshot();
  }

  #add(id: string): Entry {
    const entry = this.#newEntry(id);
    this.#entries.set(id, entry);
    return entry;
  }

  #newEntry(id: string | undefined): Entry {
    const surface = new Surface(this.#surfaceOptions);
    return { surface, target: this.#targetOf(surface, id), isCreated: false };
  }

  /** Returns a target that observes which messages create or delete the surface. */
  #targetOf(surface: Surface, id: string | undefined): MessageTarget {
    const observed = {
      store: surface.store,
      info: () => surface.info(),
      diagnostics: (options: { isDone?: boolean } = {}) => surface.diagnostics(options),
      receive: (message: string | Uint8Array | object): Received => {
        const result = surface.receive(message);
        const entry = id === undefined ? undefined : this.#entries.get(id);
        if (id !== undefined && entry !== undefined) {
          // A surface can be created although one of its components is invalid.
          const isCreated = surface.info() !== null;
          if (entry.isCreated && !isCreated) this.#entries.delete(id);
          entry.isCreated = isCreated;
        }
        return result;
      },
    };
    if (this.#a2ui === undefined) return observed;
    const { onMessage } = this.#a2ui;
    const send = onMessage && {
      onMessage: (message: Message): void => onMessage(message, this.metadata()),
    };
    return a2uiTarget(observed, { ...this.#a2ui, ...send });
  }

  #onlyId(): string | undefined {
    return this.#entries.size === 1 ? [...this.#entries.keys()][0] : undefined;
  }

  /** Returns the first target, or one without a surface of the agent. */
  #anyTarget(): MessageTarget {
    const [entry] = this.#entries.values();
    if (entry !== undefined) return entry.target;
    this.#spare ??= this.#newEntry(undefined);
    return this.#spare.target;
  }

  /** Passes a call of the page to a target, unless another target has run it. */
  #receiveOnce(
    message: string | Uint8Array | object,
    surfaceId: string | undefined,
    callId: string,
  ): Received {
    if (this.#calls.has(callId)) return { ok: true, diagnostics: [] };
    const result = this.#receiveCall(message, surfaceId);
    if (result.ok) this.#calls.add(callId);
    return result;
  }

  /** Passes a call to its surface, and a response to the surface that waits for it. */
  #receiveCall(message: string | Uint8Array | object, surfaceId: string | undefined): Received {
    const named = surfaceId === undefined ? undefined : this.#entries.get(surfaceId);
    if (named !== undefined) return named.target.receive(message);
    let result: Received | undefined;
    for (const { target } of this.#entries.values()) {
      result = target.receive(message);
      if (!result.diagnostics.some(({ code }) => code === NOT_PENDING)) return result;
    }
    return result ?? this.#anyTarget().receive(message);
  }

  #missingId(kind: string): Diagnostic {
    const ids = [...this.#entries.keys()].map((id) => `\`${id}\``).join(", ");
    const known = ids === "" ? "send `createSurface` first" : `the surfaces are ${ids}`;
    return errorDiagnostic(
      "HAM029",
      `missing \`surfaceId\` in \`${kind}\``,
      `name a surface; ${known}`,
    );
  }

  #updateSnapshot(): void {
    const created = [...this.#entries].filter(([, { isCreated }]) => isCreated);
    this.#snapshot = created.map(([id, { surface }]) => [id, surface]);
    for (const listener of [...this.#listeners]) runAndReport(listener);
  }
}

function tooManySurfaces(id: string): Diagnostic {
  const text = `expected at most ${MAX_SURFACES} surfaces; the surface \`${id}\` was not created`;
  return errorDiagnostic(
    "HAM029",
    text,
    "send `deleteSurface` for surfaces that are not used any more",
  );
}

function notCreated(id: string): Diagnostic {
  return warningDiagnostic(
    "HAM040",
    `missing \`createSurface\` for the surface \`${id}\`, which is not displayed`,
    `send {"createSurface": {"surfaceId": ${JSON.stringify(id)}}}, or write the id of an existing surface`,
  );
}
