import { Components, instanceKey, type Parent } from "./components.js";
import { NONE, op, type Records } from "./records.js";
import { put } from "./text.js";
import type { Instance, SurfaceChange } from "./types.js";

/** Whoever hears of the changes of a surface. */
export interface Subscription {
  listener: (changes: readonly SurfaceChange[]) => void;
  /** Keeps the surface for as long as somebody listens, though nobody else may hold it. */
  surface: object;
}

/** What a surface knows of its instances: reads records into trees and changes. */
export class SurfaceReader {
  readonly components = new Components();
  readonly subscriptions = new Set<Subscription>();
  /** The key of each instance, by number. Right while anybody listens, else after a reading. */
  #keys: string[] = [];
  /** The number of the component of each instance, by number. */
  readonly #instances: number[] = [];
  /** The number of each instance, by key; dropped when an instance comes or goes. */
  #numbers: Map<string, number> | undefined;

  /** Reads the whole tree, and drops the keys of what was unmounted: its numbers are used again. */
  readTree(records: Records): Instance {
    this.#keys = [];
    this.#numbers = undefined;
    return this.#readInstance(records, undefined);
  }

  /** Whether `numberOf` is right without another reading. */
  get numbered(): boolean {
    return this.subscriptions.size > 0 && this.#numbers !== undefined;
  }

  numberOf(key: string): number {
    this.#numbers ??= this.#readNumbers();
    return this.#numbers.get(key) ?? NONE;
  }

  /** The id of the component of an instance. */
  componentOf(number: number): string {
    return this.components.get(this.#instances[number] ?? NONE).id;
  }

  /**
   * Reads what changed, up to the records of another surface. Queues what tells those who listen
   * now, one by one: who comes later has seen it, who leaves in between wants no more of it.
   */
  readChanges(records: Records, queue: (() => void)[]): void {
    const changes: SurfaceChange[] = [];
    while (records.more && records.peek() !== op.surface && records.peek() !== op.fire) {
      changes.push(this.#readChange(records));
    }
    if (changes.length === 0) return;
    for (const subscription of this.subscriptions) {
      queue.push(() => {
        if (this.subscriptions.has(subscription)) subscription.listener(changes);
      });
    }
  }

  /** Reads an instance and all below it. */
  #readInstance(records: Records, parent: Parent | undefined): Instance {
    records.word();
    const number = records.word();
    const component = records.word();
    const group = records.word();
    const item = records.value() as string | undefined;
    const { id, name, slots } = this.components.get(component);
    const slot = parent?.slots[group];
    const key = instanceKey(parent, slot, id, item);
    this.#keys[number] = key;
    this.#instances[number] = component;
    this.#numbers = undefined;
    const props = this.components.constants(component);
    for (let count = records.word(); count > 0; count--) {
      const prop = this.components.prop(component, records.word());
      put(props, prop, records.value() ?? null);
    }
    const children: Instance[] = [];
    while (records.peek() === op.enter) children.push(this.#readInstance(records, { key, slots }));
    records.word();
    const instance: Instance = { id, component: name, key, props, children };
    if (slot !== undefined && slot !== "child" && slot !== "children") instance.slot = slot;
    return instance;
  }

  #readChange(records: Records): SurfaceChange {
    const kind = records.word();
    if (kind === op.mount) {
      const parent = records.word();
      const before = this.#keyOf(records.word());
      const key = this.#keyOf(parent);
      const { slots } = this.components.get(this.#instances[parent] ?? NONE);
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
    const prop = this.components.prop(this.#instances[number] as number, records.word());
    return { kind: "set", key, prop, value: records.value() ?? null };
  }

  #readNumbers(): Map<string, number> {
    const numbers = new Map<string, number>();
    this.#keys.forEach((key, number) => {
      numbers.set(key, number);
    });
    return numbers;
  }

  #keyOf(number: number): string | null {
    return number === NONE ? null : (this.#keys[number] as string);
  }
}
