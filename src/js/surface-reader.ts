import { ComponentTable } from "./component-table.js";
import type { ChangeReader, Core, QueuedCallback } from "./core.js";
import { type RendererChange, rowListeners } from "./lazy-children.js";
import { LazyRows, MAX_EAGER_ROWS, type ReadContext, readInstance } from "./lazy-rows.js";
import {
  NO_INSTANCE,
  OP_APPEND,
  OP_FIRE,
  OP_MOUNT,
  OP_MOVE,
  OP_SET,
  OP_SURFACE,
  type RecordReader,
} from "./records.js";
import type { Instance, SurfaceChange } from "./types.js";

/** Subscription to the changes of a surface. */
export interface Subscription {
  listener: (changes: readonly SurfaceChange[]) => void;
  /** Retains the surface while it has a listener. */
  surface: object;
  isEnded: boolean;
}

/** Queued changes for one subscription. */
interface QueuedChanges extends QueuedCallback {
  subscription: Subscription;
  changes: RendererChange[];
  /** Whether the changes contain lazy rows. */
  hasRowBatches: boolean;
}

/** Calls the listener, unless its subscription has ended meanwhile. */
function notifyChanges(this: QueuedChanges): void {
  const { subscription, changes, hasRowBatches } = this;
  if (subscription.isEnded) return;
  const { listener } = subscription;
  const mustExpand = hasRowBatches && !rowListeners.has(listener);
  listener((mustExpand ? expandRows(changes) : changes) as SurfaceChange[]);
}

/** Maximum number of batches of rows that are kept unread. */
const MAX_PENDING_BATCHES = 8;

/** Instances of a surface: reads trees and changes from records. */
export class SurfaceReader implements ChangeReader {
  /** An array, because iterating it is faster than a set. */
  readonly #subscriptions: Subscription[] = [];
  #components = new ComponentTable();
  /** Updates of the table. They stay if the stack ends before they are read. */
  readonly #unreadTables: string[] = [];
  /**
   * Key of each instance by index, except unread ones. Valid while there are listeners, or after a
   * tree was read.
   */
  #keys: (string | undefined)[] = [];
  /** Index of the component of each instance, by index. */
  #instances: number[] = [];
  /** Rows that the last tree has left unread. */
  #unreadBatches: LazyRows[] = [];
  /** Unread rows that were mounted later, the latest first. */
  #newBatches: LazyRows[] = [];
  /** Texts that were appended to, by instance and property. */
  readonly #texts = new Map<string, string>();
  /** Returns the text of a bound property in the current document. */
  readonly #readText: (instance: number, prop: number) => string | undefined;

  constructor(readText: (instance: number, prop: number) => string | undefined) {
    this.#readText = readText;
  }

  /** Subscribes to later changes. */
  addSubscription(subscription: Subscription): void {
    this.#subscriptions.push(subscription);
  }

  /** Ends a subscription. Queued changes are dropped too. */
  removeSubscription(subscription: Subscription): void {
    if (subscription.isEnded) return;
    subscription.isEnded = true;
    this.#subscriptions.splice(this.#subscriptions.indexOf(subscription), 1);
  }

  removeAll(): void {
    for (const subscription of this.#subscriptions) subscription.isEnded = true;
    this.#subscriptions.length = 0;
  }

  get hasNoListeners(): boolean {
    return this.#subscriptions.length === 0;
  }

  hasComponent(id: string): boolean {
    return this.#components.has(id);
  }

  /** Updates the table of components from JSON text, and from texts whose reading has failed. */
  updateComponents(table: string | undefined): void {
    const unread = this.#unreadTables;
    if (table !== undefined) unread.push(table);
    for (const text of unread) this.#components = this.#components.withUpdates(text);
    unread.length = 0;
  }

  /**
   * Reads the complete tree and drops the keys of unmounted instances, because their indices are
   * reused.
   */
  readTree(records: RecordReader): Instance {
    const batches: LazyRows[] = [];
    this.#keys = [];
    this.#instances = [];
    this.#unreadBatches = batches;
    this.#newBatches = [];
    this.#texts.clear();
    return readInstance(records, undefined, {
      components: this.#components,
      onInstance: this.#recordInstance(() => undefined),
      onDeferred: (rows) => {
        batches.push(rows);
      },
    });
  }

  /**
   * Returns a callback that stores the key of each instance that is read. It ignores indices that
   * have been reused, and trees that have been read again.
   */
  #recordInstance(rows: () => LazyRows | undefined): ReadContext["onInstance"] {
    const keys = this.#keys;
    return (instance, component, key) => {
      if (keys !== this.#keys || keys[instance] !== undefined) return;
      if (this.#batchOf(instance) !== rows()) return;
      keys[instance] = key;
      this.#instances[instance] = component;
    };
  }

  /** Returns the latest rows that contain an instance. */
  #batchOf(instance: number): LazyRows | undefined {
    for (const rows of this.#newBatches)
      if (rows.rowByInstance[instance] !== undefined) return rows;
    return undefined;
  }

  /**
   * Reads changes up to the records of another surface. Queues one call per current listener; later
   * subscribers have seen the changes, and ended ones do not need them.
   */
  readChanges(records: RecordReader, core: Core): void {
    let changes: RendererChange[] | undefined;
    let hasRowBatches = false;
    const { words, endIndex } = records;
    while (records.index < endIndex) {
      const kind = words[records.index];
      if (kind === OP_SET) {
        changes = append(changes, this.#readSet(records));
        continue;
      }
      if (kind === OP_APPEND) {
        changes = append(changes, this.#readAppend(records));
        continue;
      }
      if (kind === OP_SURFACE || kind === OP_FIRE) break;
      if (kind === OP_MOVE) {
        changes = this.#readMoves(records, changes);
        continue;
      }
      const rows = kind === OP_MOUNT ? this.#readMounts(records) : undefined;
      hasRowBatches ||= rows !== undefined;
      changes = append(changes, rows ?? this.#readChange(records));
    }
    if (changes === undefined) return;
    for (const subscription of this.#subscriptions) {
      const changed: QueuedChanges = {
        run: notifyChanges,
        next: undefined,
        subscription,
        changes,
        hasRowBatches,
      };
      core.enqueue(changed);
    }
  }

  /**
   * Keeps adjacent new rows unread if a listener accepts that. Their indices may be reused ones.
   */
  #readMounts(records: RecordReader): RendererChange | undefined {
    const acceptsBatches = this.#subscriptions.some(({ listener }) => rowListeners.has(listener));
    const mounts =
      acceptsBatches && this.#components.isComplete
        ? records.skipMounts(MAX_EAGER_ROWS)
        : undefined;
    if (mounts === undefined) return undefined;
    const [parent, nextId, batchRecords, offsets] = mounts;
    const key = this.#keyOf(parent) as string;
    const before = this.#keyOf(nextId);
    const { slots } = this.#components.get(this.#instances[parent] ?? NO_INSTANCE);
    const rows: LazyRows = new LazyRows(
      batchRecords,
      offsets,
      { key, slots },
      {
        components: this.#components,
        onInstance: this.#recordInstance(() => rows),
        onDeferred: () => {},
      },
    );
    this.#growTables(rows);
    rows.rowByInstance.forEach((_, instance) => {
      this.#keys[instance] = undefined;
    });
    this.#newBatches.unshift(rows);
    if (this.#newBatches.length > MAX_PENDING_BATCHES) this.#readOldestKeys();
    return { kind: "rows", parent: key, before, rows };
  }

  /** Reads the keys of the oldest batch, so that its records can be freed. */
  #readOldestKeys(): void {
    this.#readBatchKeys(this.#newBatches.at(-1) as LazyRows);
    this.#newBatches.pop();
  }

  /** Reads the keys of all unread rows, because listeners of single rows need many of them. */
  readAllKeys(): void {
    for (const rows of [...this.#newBatches, ...this.#unreadBatches]) this.#readBatchKeys(rows);
    this.#newBatches.length = 0;
    this.#unreadBatches.length = 0;
  }

  #readBatchKeys(rows: LazyRows): void {
    this.#growTables(rows);
    rows.readAllKeys();
  }

  #readChange(records: RecordReader): SurfaceChange {
    if (records.readWord() === OP_MOUNT) {
      const parentIndex = records.readWord();
      const parent = this.#keyOf(parentIndex);
      const before = this.#keyOf(records.readWord());
      const instance = this.#readMounted(records, parentIndex, parent);
      return { kind: "mount", key: instance.key, parent, before, instance };
    }
    const instance = records.readWord();
    const key = this.#keyOf(instance) as string;
    // Its index may be reused.
    this.#texts.clear();
    return { kind: "unmount", key };
  }

  /** The most frequent change. */
  #readSet(records: RecordReader): SurfaceChange {
    const { words, index } = records;
    const instance = words[index + 1] as number;
    const key = this.#keys[instance] ?? (this.#keyOf(instance) as string);
    const prop = this.#components.propName(
      this.#instances[instance] as number,
      words[index + 2] as number,
    );
    records.index = index + 3;
    if (this.#texts.size > 0) this.#texts.delete(`${instance}/${words[index + 2]}`);
    return { kind: "set", key, prop, value: records.readValue() ?? null };
  }

  /** Reads a text that was appended to; the complete text is requested once. */
  #readAppend(records: RecordReader): SurfaceChange {
    const { words, index } = records;
    const instance = words[index + 1] as number;
    const propIndex = words[index + 2] as number;
    const key = this.#keyOf(instance) as string;
    const prop = this.#components.propName(this.#instances[instance] as number, propIndex);
    records.index = index + 3;
    const appended = records.readValue();
    const name = `${instance}/${propIndex}`;
    const known = this.#texts.get(name);
    const value =
      known === undefined || typeof appended !== "string"
        ? (this.#readText(instance, propIndex) ?? "")
        : known + appended;
    this.#texts.set(name, value);
    return typeof appended === "string"
      ? { kind: "set", key, prop, value, appended }
      : { kind: "set", key, prop, value };
  }

  /** Reads adjacent moves; a reordered list has one for nearly every item. */
  #readMoves(
    records: RecordReader,
    earlier: RendererChange[] | undefined,
  ): RendererChange[] | undefined {
    const keys = this.#keys;
    let changes = earlier;
    while (records.index < records.endIndex && records.peekWord() === OP_MOVE) {
      records.readWord();
      const instance = records.readWord();
      const nextId = records.readWord();
      const key = keys[instance] ?? (this.#keyOf(instance) as string);
      const before = nextId === NO_INSTANCE ? null : (keys[nextId] ?? this.#keyOf(nextId));
      changes = append(changes, { kind: "move", key, before });
    }
    return changes;
  }

  #readMounted(records: RecordReader, parent: number, key: string | null): Instance {
    const { slots } = this.#components.get(this.#instances[parent] ?? NO_INSTANCE);
    return readInstance(records, key === null ? undefined : { key, slots }, this.#mountContext);
  }

  /** Context for mounts that are read at once, because their indices may be reused ones. */
  get #mountContext(): ReadContext {
    return {
      components: this.#components,
      onInstance: (instance, component, key) => {
        this.#keys[instance] = key;
        this.#instances[instance] = component;
      },
    };
  }

  #keyOf(instance: number): string | null {
    if (instance === NO_INSTANCE) return null;
    if (this.#keys[instance] === undefined) this.#readRowKey(instance);
    return this.#keys[instance] as string;
  }

  /** Reads the keys of the row that contains an instance. */
  #readRowKey(instance: number): void {
    for (const rows of [...this.#newBatches, ...this.#unreadBatches]) {
      const row = rows.rowByInstance[instance];
      if (row === undefined) continue;
      this.#growTables(rows);
      rows.readKeys(row);
      return;
    }
  }

  /** Fills gaps, because V8 turns arrays with wide gaps into slow dictionaries. */
  #growTables(rows: LazyRows): void {
    while (this.#keys.length < rows.rowByInstance.length) {
      this.#keys.push(undefined);
      this.#instances.push(NO_INSTANCE);
    }
  }
}

/**
 * Appends a change. Mostly it is the only one; an array literal with one element is faster than an
 * empty array in V8.
 */
function append(changes: RendererChange[] | undefined, change: RendererChange): RendererChange[] {
  if (changes === undefined) return [change];
  changes.push(change);
  return changes;
}

/** Converts lazy rows into one mount per row, from the last to the first. */
function expandRows(changes: readonly RendererChange[]): SurfaceChange[] {
  return changes.flatMap((change) => {
    if (change.kind !== "rows") return change;
    const { parent, rows } = change;
    let { before } = change;
    const mounts = rows.allChildren().reverse();
    return mounts.map((instance): SurfaceChange => {
      const mount = { kind: "mount", key: instance.key, parent, before, instance } as const;
      before = instance.key;
      return mount;
    });
  });
}
