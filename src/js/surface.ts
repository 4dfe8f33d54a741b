import { Components, instanceKey, type Parent } from "./components.js";
import type { Core, SurfaceReader } from "./core.js";
import { BynameError } from "./errors.js";
import { NONE, op, Records } from "./records.js";
import { coreOfStore, HamStore } from "./store.js";
import { put, toText } from "./text.js";
import type { Action, Catalog, Diagnostic, Instance, Json, SurfaceChange } from "./types.js";

export interface SurfaceOptions {
  /** A store to share; a surface without one has its own. */
  store?: HamStore;
  /** Which properties name components, take input and hold actions. */
  catalog?: Catalog;
  onAction?: (action: Action) => void;
  /** The time of an action; the ISO 8601 time by default. */
  now?: () => string;
}

type Listener = (changes: readonly SurfaceChange[]) => void;

/** Components bound to a store, expanded into instances and kept up to date. */
export class Surface implements SurfaceReader {
  readonly store: HamStore;
  readonly #core: Core;
  readonly #number: number;
  readonly #owned: boolean;
  readonly #onAction: ((action: Action) => void) | undefined;
  readonly #now: () => string;
  readonly #components = new Components();
  readonly #listeners = new Set<Listener>();
  /** The key of each instance, by number. Right while anybody listens, else after a reading. */
  #keys: string[] = [];
  /** The number of the component of each instance, by number. */
  readonly #instances: number[] = [];
  #numbers: Map<string, number> | undefined;
  #fault: Diagnostic | undefined;

  constructor(options: SurfaceOptions = {}) {
    this.#owned = options.store === undefined;
    this.store = options.store ?? new HamStore();
    this.#core = coreOfStore(this.store);
    this.#number = this.#core.handle.surface_add(options.catalog ?? {});
    this.#core.surfaces[this.#number] = this;
    this.#onAction = options.onAction;
    this.#now = options.now ?? (() => new Date().toISOString());
  }

  /** Takes a message: createSurface, updateComponents, updateDataModel with `nodes`, deleteSurface. */
  receive(message: string | Uint8Array | object): { ok: boolean; diagnostics: Diagnostic[] } {
    const core = this.#core;
    const handle = core.handle;
    const written = core.bridge.write(message);
    if ("code" in written) return { ok: false, diagnostics: [written] };
    const { length, ascii, given, text } = written;
    const ok = handle.surface_receive(this.#number, length, ascii, given, this.#owned);
    const diagnostics = core.bridge.diagnostics();
    this.#learn();
    core.tell(text);
    return { ok, diagnostics };
  }

  /** The instances as they are; null while there is no component `root`. */
  tree(): Instance | null {
    if (!this.#core.handle.surface_tree(this.#number)) return null;
    this.#learn();
    this.#keys = [];
    this.#numbers = undefined;
    return this.#readInstance(new Records(this.#core.bridge, undefined), undefined);
  }

  /** What is wrong with the surface as it stands. */
  diagnostics(): Diagnostic[] {
    const found: Diagnostic[] = this.#core.handle.surface_diagnostics(this.#number);
    return this.#fault === undefined ? found : [...found, this.#fault];
  }

  /** Calls the listener after each update with exactly what changed. Answers what ends it. */
  subscribe(listener: Listener): () => void {
    if (this.#listeners.size === 0) {
      this.tree();
      this.#core.handle.surface_observe(this.#number, true);
    }
    const own: Listener = (changes) => listener(changes);
    this.#listeners.add(own);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) {
        this.#core.handle.surface_observe(this.#number, false);
      }
    };
  }

  /** Takes input to a property that is bound: the value is written back. */
  input(instanceKey: string, prop: string, value: Json): void {
    const written = toText(value);
    if ("fault" in written) {
      throw new BynameError("argument", written.fault.message, [written.fault]);
    }
    const number = this.#numberOf(instanceKey);
    this.#core.update(written.text, (handle, message) =>
      handle.surface_input(this.#number, number, prop, message.length),
    );
  }

  /** Triggers the action that a property of an instance holds. */
  trigger(instanceKey: string, event: string): void {
    this.#fault = undefined;
    const number = this.#numberOf(instanceKey);
    let text: string;
    try {
      text = this.#core.handle.surface_action(this.#number, number, event);
    } catch (reason) {
      if (!Array.isArray(reason)) throw reason;
      this.#fault = reason[0] as Diagnostic;
      return;
    }
    const { name, context } = readAction(JSON.parse(text) as Json);
    this.#onAction?.({
      name,
      surfaceId: this.#core.handle.surface_id(this.#number) ?? "",
      sourceComponentId: this.#components.get(this.#instances[number] ?? NONE).id,
      sourceKey: instanceKey,
      timestamp: this.#now(),
      context,
    });
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#core.surfaces[this.#number] = undefined;
    if (this.#owned) this.store[Symbol.dispose]();
    else this.#core.handle.surface_remove(this.#number);
  }

  #learn(): void {
    const table = this.#core.handle.surface_components(this.#number);
    if (table !== undefined) this.#components.learn(table);
  }

  #numberOf(key: string): number {
    if (this.#listeners.size === 0 || this.#numbers === undefined) {
      // Numbers are used again, so the keys of what was unmounted are dropped first.
      this.tree();
      const numbers = new Map<string, number>();
      this.#keys.forEach((each, number) => {
        numbers.set(each, number);
      });
      this.#numbers = numbers;
    }
    return this.#numbers.get(key) ?? NONE;
  }

  /** Reads an instance and all below it. */
  #readInstance(records: Records, parent: Parent | undefined): Instance {
    records.word();
    const number = records.word();
    const component = records.word();
    const group = records.word();
    const item = records.value() as string | undefined;
    const { id, name, slots } = this.#components.get(component);
    const slot = parent?.slots[group];
    const key = instanceKey(parent, slot, id, item);
    this.#keys[number] = key;
    this.#instances[number] = component;
    this.#numbers = undefined;
    const props = this.#components.constants(component);
    for (let count = records.word(); count > 0; count--) {
      const prop = this.#components.prop(component, records.word());
      put(props, prop, records.value() ?? null);
    }
    const children: Instance[] = [];
    while (records.peek() === op.enter) children.push(this.#readInstance(records, { key, slots }));
    records.word();
    const instance: Instance = { id, component: name, key, props, children };
    if (slot !== undefined && slot !== "child" && slot !== "children") instance.slot = slot;
    return instance;
  }

  /** For the store alone: reads what changed. */
  readChanges(records: Records): (() => void) | undefined {
    const changes: SurfaceChange[] = [];
    while (records.more && records.peek() !== op.surface && records.peek() !== op.fire) {
      changes.push(this.#readChange(records));
    }
    if (changes.length === 0) return undefined;
    return () => {
      for (const listener of [...this.#listeners]) listener(changes);
    };
  }

  #readChange(records: Records): SurfaceChange {
    const kind = records.word();
    if (kind === op.mount) {
      const parent = records.word();
      const before = this.#keyOf(records.word());
      const key = this.#keyOf(parent);
      const { slots } = this.#components.get(this.#instances[parent] ?? NONE);
      const instance = this.#readInstance(records, key === null ? undefined : { key, slots });
      return { kind: "mount", key: instance.key, parent: key, before, instance };
    }
    const number = records.word();
    const key = this.#keys[number] as string;
    if (kind === op.unmount) {
      this.#numbers = undefined;
      return { kind: "unmount", key };
    }
    if (kind === op.move) return { kind: "move", key, before: this.#keyOf(records.word()) };
    const prop = this.#components.prop(this.#instances[number] as number, records.word());
    return { kind: "set", key, prop, value: records.value() ?? null };
  }

  #keyOf(number: number): string | null {
    return number === NONE ? null : (this.#keys[number] as string);
  }
}

/** The name and the context of an action as A2UI writes it. */
function readAction(json: Json): { name: string; context: { [key: string]: Json } } {
  const object = asObject(json);
  const event = asObject(object["event"] ?? object["functionCall"] ?? json);
  const name = event["name"] ?? event["call"];
  return {
    name: typeof name === "string" ? name : "",
    context: asObject(event["context"] ?? event["args"] ?? null),
  };
}

function asObject(json: Json): { [key: string]: Json } {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
}
