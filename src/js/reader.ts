import { Components } from "./components.js";
import { NONE, op, type Records } from "./records.js";
import { type Reading, type Rows, readInstance } from "./rows.js";
import type { Instance, SurfaceChange } from "./types.js";

/** Whoever hears of the changes of a surface. */
export interface Subscription {
  listener: (changes: readonly SurfaceChange[]) => void;
  /** Keeps the surface for as long as somebody listens, though nobody else may hold it. */
  surface: object;
}

/** What a surface knows of its instances: reads records into trees and changes. */
export class SurfaceReader {
  readonly subscriptions = new Set<Subscription>();
  #components = new Components();
  /**
   * The key of each instance, by number, but for those that are unread. Right while anybody listens,
   * else after a reading.
   */
  #keys: (string | undefined)[] = [];
  /** The number of the component of each instance, by number. */
  #instances: number[] = [];
  /** The number of each instance, by key; dropped when an instance comes or goes. */
  #numbers: Map<string, number> | undefined;
  /** What the last reading left unread. */
  #unread: Rows[] = [];

  /** Takes what the store tells of components. */
  learn(table: string): void {
    this.#components = this.#components.with(table);
  }

  /** Reads the whole tree, and drops the keys of what was unmounted: its numbers are used again. */
  readTree(records: Records): Instance {
    const keys: (string | undefined)[] = [];
    const instances: number[] = [];
    const unread: Rows[] = [];
    this.#keys = keys;
    this.#instances = instances;
    this.#unread = unread;
    this.#numbers = undefined;
    return readInstance(records, undefined, {
      components: this.#components,
      // Whoever reads a row late tells nothing of numbers that have been used again, and nothing
      // where the tree has been read anew.
      met: (number, component, key) => {
        if (keys[number] !== undefined) return;
        keys[number] = key;
        instances[number] = component;
        if (keys === this.#keys) this.#numbers?.set(key, number);
      },
      left: (rows) => {
        unread.push(rows);
      },
    });
  }

  /** Whether `numberOf` is right without another reading. */
  get numbered(): boolean {
    return this.subscriptions.size > 0 && this.#numbers !== undefined;
  }

  numberOf(key: string): number {
    this.#numbers ??= this.#readNumbers();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#nameRow((rows) => rows.withKey(key));
    return this.#numbers.get(key) ?? NONE;
  }

  /** The id of the component of an instance. */
  componentOf(number: number): string {
    return this.#components.get(this.#instances[number] ?? NONE).id;
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

  #readChange(records: Records): SurfaceChange {
    const kind = records.word();
    if (kind === op.mount) {
      const number = records.word();
      const parent = this.#keyOf(number);
      const before = this.#keyOf(records.word());
      const instance = this.#readMounted(records, number, parent);
      return { kind: "mount", key: instance.key, parent, before, instance };
    }
    const number = records.word();
    const key = this.#keyOf(number) as string;
    if (kind === op.unmount) {
      this.#numbers = undefined;
      return { kind: "unmount", key };
    }
    if (kind === op.move) return { kind: "move", key, before: this.#keyOf(records.word()) };
    const prop = this.#components.prop(this.#instances[number] as number, records.word());
    return { kind: "set", key, prop, value: records.value() ?? null };
  }

  #readMounted(records: Records, parent: number, key: string | null): Instance {
    this.#numbers = undefined;
    const { slots } = this.#components.get(this.#instances[parent] ?? NONE);
    return readInstance(records, key === null ? undefined : { key, slots }, this.#mounting);
  }

  /** What comes is read at once: its numbers may have been those of others. */
  get #mounting(): Reading {
    return {
      components: this.#components,
      met: (number, component, key) => {
        this.#keys[number] = key;
        this.#instances[number] = component;
      },
    };
  }

  #readNumbers(): Map<string, number> {
    const numbers = new Map<string, number>();
    this.#keys.forEach((key, number) => {
      if (key !== undefined) numbers.set(key, number);
    });
    return numbers;
  }

  #keyOf(number: number): string | null {
    if (number === NONE) return null;
    if (this.#keys[number] === undefined) this.#nameRow((rows) => rows.owners[number]);
    return this.#keys[number] as string;
  }

  /** Takes in the keys of the row that is looked for. */
  #nameRow(find: (rows: Rows) => number | undefined): void {
    for (const rows of this.#unread) {
      const index = find(rows);
      if (index === undefined) continue;
      // A list with wide gaps would become a table, which is five times as slow.
      while (this.#keys.length < rows.owners.length) {
        this.#keys.push(undefined);
        this.#instances.push(NONE);
      }
      rows.name(index);
      return;
    }
  }
}
