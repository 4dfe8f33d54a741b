import { ComponentTable } from "./component-table.js";
import type { ChangeReader, Core, QueuedCallback } from "./core.js";
import { type RendererChange, rowListeners } from "./lazy-children.js";
import { LazyRows, MAX_EAGER_ROWS, type ReadContext, readInstance } from "./lazy-rows.js";
import { FIRE, MOUNT, MOVE, NONE, type RecordReader, SET, SURFACE } from "./records.js";
import type { Instance, SurfaceChange } from "./types.js";

/** Whoever hears of the changes of a surface. */
export interface Subscription {
  listener: (changes: readonly SurfaceChange[]) => void;
  /** Keeps the surface for as long as somebody listens, though nobody else may hold it. */
  surface: object;
  /** Whether nothing is to be told any more. */
  isEnded: boolean;
}

/** Changes that one subscription is to hear of. */
interface QueuedChanges extends QueuedCallback {
  subscription: Subscription;
  changes: RendererChange[];
  /** Whether there are rows among them that came together. */
  hasRowBatches: boolean;
}

/** Tells of changes, unless the subscription has ended in the meantime. */
function notifyChanges(this: QueuedChanges): void {
  const { subscription, changes, hasRowBatches } = this;
  if (subscription.isEnded) return;
  const { listener } = subscription;
  const mustExpand = hasRowBatches && !rowListeners.has(listener);
  listener((mustExpand ? expandRows(changes) : changes) as SurfaceChange[]);
}

/** Rows that came are kept unread so many times. */
const MAX_PENDING_BATCHES = 8;

/** What a surface knows of its instances: reads records into trees and changes. */
export class SurfaceReader implements ChangeReader {
  /** A list, which is faster to go through than a set. */
  readonly #subscriptions: Subscription[] = [];
  #components = new ComponentTable();
  /**
   * The key of each instance, by number, but for those that are unread. Right while anybody listens,
   * else after a reading.
   */
  #keys: (string | undefined)[] = [];
  /** The number of the component of each instance, by number. */
  #instances: number[] = [];
  /** What the last reading left unread. */
  #unreadBatches: LazyRows[] = [];
  /** Rows that came since and are unread, the latest first. */
  #newBatches: LazyRows[] = [];

  /** Tells the subscription of changes, from the next one on. */
  addSubscription(subscription: Subscription): void {
    this.#subscriptions.push(subscription);
  }

  /** Tells it no more, nor of what has been read. */
  removeSubscription(subscription: Subscription): void {
    if (subscription.isEnded) return;
    subscription.isEnded = true;
    this.#subscriptions.splice(this.#subscriptions.indexOf(subscription), 1);
  }

  removeAll(): void {
    for (const subscription of this.#subscriptions) subscription.isEnded = true;
    this.#subscriptions.length = 0;
  }

  /** Whether nobody is told of changes. */
  get hasNoListeners(): boolean {
    return this.#subscriptions.length === 0;
  }

  /** Takes what the store tells of components. */
  updateComponents(table: string): void {
    this.#components = this.#components.updated(table);
  }

  /** Reads the whole tree, and drops the keys of what was unmounted: its numbers are used again. */
  readTree(records: RecordReader): Instance {
    const batches: LazyRows[] = [];
    this.#keys = [];
    this.#instances = [];
    this.#unreadBatches = batches;
    this.#newBatches = [];
    return readInstance(records, undefined, {
      components: this.#components,
      onInstance: this.#recordInstance(() => undefined),
      onDeferred: (rows) => {
        batches.push(rows);
      },
    });
  }

  /**
   * Notes who is met in a reading, or in rows that came. Whoever looks late tells nothing of numbers
   * that are somebody else's by then, and nothing where the tree was read anew.
   */
  #recordInstance(rows: () => LazyRows | undefined): ReadContext["onInstance"] {
    const keys = this.#keys;
    return (number, component, key) => {
      if (keys !== this.#keys || keys[number] !== undefined) return;
      if (this.#batchOf(number) !== rows()) return;
      keys[number] = key;
      this.#instances[number] = component;
    };
  }

  /** The latest rows that came with an instance of this number. */
  #batchOf(number: number): LazyRows | undefined {
    for (const rows of this.#newBatches) if (rows.rowByInstance[number] !== undefined) return rows;
    return undefined;
  }

  /**
   * Reads what changed, up to the records of another surface. Queues what tells those who listen
   * now, one by one: who comes later has seen it, who leaves in between wants no more of it.
   */
  readChanges(records: RecordReader, core: Core): void {
    let changes: RendererChange[] | undefined;
    let hasRowBatches = false;
    const { words, endIndex } = records;
    while (records.index < endIndex) {
      const kind = words[records.index];
      if (kind === SET) {
        changes = append(changes, this.#readSet(records));
        continue;
      }
      if (kind === SURFACE || kind === FIRE) break;
      if (kind === MOVE) {
        changes = this.#readMoves(records, changes);
        continue;
      }
      const rows = kind === MOUNT ? this.#readMounts(records) : undefined;
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

  /** Rows that come at once stay unread, where anybody wants them so. Their numbers may have been those of others. */
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
    const { slots } = this.#components.get(this.#instances[parent] ?? NONE);
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
    rows.rowByInstance.forEach((_, number) => {
      this.#keys[number] = undefined;
    });
    this.#newBatches.unshift(rows);
    if (this.#newBatches.length > MAX_PENDING_BATCHES) this.#readOldestKeys();
    return { kind: "rows", parent: key, before, rows };
  }

  /** Takes in the keys of the first rows that came, so that their records can go. */
  #readOldestKeys(): void {
    this.#readBatchKeys(this.#newBatches.at(-1) as LazyRows);
    this.#newBatches.pop();
  }

  /** Takes in the keys of all that is unread: whoever hears of each row will hear of many. */
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
    if (records.readWord() === MOUNT) {
      const number = records.readWord();
      const parent = this.#keyOf(number);
      const before = this.#keyOf(records.readWord());
      const instance = this.#readMounted(records, number, parent);
      return { kind: "mount", key: instance.key, parent, before, instance };
    }
    const number = records.readWord();
    const key = this.#keyOf(number) as string;
    return { kind: "unmount", key };
  }

  /** What comes most often. */
  #readSet(records: RecordReader): SurfaceChange {
    const { words, index } = records;
    const number = words[index + 1] as number;
    const key = this.#keys[number] ?? (this.#keyOf(number) as string);
    const prop = this.#components.propName(
      this.#instances[number] as number,
      words[index + 2] as number,
    );
    records.index = index + 3;
    return { kind: "set", key, prop, value: records.readValue() ?? null };
  }

  /** Reads all moves that follow one another: a list in another order has one for nearly every item. */
  #readMoves(
    records: RecordReader,
    earlier: RendererChange[] | undefined,
  ): RendererChange[] | undefined {
    const keys = this.#keys;
    let changes = earlier;
    while (records.index < records.endIndex && records.peekWord() === MOVE) {
      records.readWord();
      const number = records.readWord();
      const nextId = records.readWord();
      const key = keys[number] ?? (this.#keyOf(number) as string);
      const before = nextId === NONE ? null : (keys[nextId] ?? this.#keyOf(nextId));
      changes = append(changes, { kind: "move", key, before });
    }
    return changes;
  }

  #readMounted(records: RecordReader, parent: number, key: string | null): Instance {
    const { slots } = this.#components.get(this.#instances[parent] ?? NONE);
    return readInstance(records, key === null ? undefined : { key, slots }, this.#mountContext);
  }

  /** What comes is read at once: its numbers may have been those of others. */
  get #mountContext(): ReadContext {
    return {
      components: this.#components,
      onInstance: (number, component, key) => {
        this.#keys[number] = key;
        this.#instances[number] = component;
      },
    };
  }

  #keyOf(number: number): string | null {
    if (number === NONE) return null;
    if (this.#keys[number] === undefined) this.#readRowKey(number);
    return this.#keys[number] as string;
  }

  /** Takes in the keys of the row that an instance is, or stands in. */
  #readRowKey(number: number): void {
    for (const rows of [...this.#newBatches, ...this.#unreadBatches]) {
      const index = rows.rowByInstance[number];
      if (index === undefined) continue;
      this.#growTables(rows);
      rows.readKeys(index);
      return;
    }
  }

  /** V8 would make a table of a list with wide gaps, which is much slower. */
  #growTables(rows: LazyRows): void {
    while (this.#keys.length < rows.rowByInstance.length) {
      this.#keys.push(undefined);
      this.#instances.push(NONE);
    }
  }
}

/**
 * Puts a change behind the others. Mostly it is the only one, and a list that grows has room for many; and one
 * that begins empty is of another kind for engines, which then call a function for each change.
 */
function append(changes: RendererChange[] | undefined, change: RendererChange): RendererChange[] {
  if (changes === undefined) return [change];
  changes.push(change);
  return changes;
}

/** Changes as everyone else hears of them: of each row by itself, from the last to the first. */
function expandRows(changes: readonly RendererChange[]): SurfaceChange[] {
  return changes.flatMap((change) => {
    if (change.kind !== "rows") return change;
    const { parent, rows } = change;
    let { before } = change;
    const mounts = rows.all().reverse();
    return mounts.map((instance): SurfaceChange => {
      const mount = { kind: "mount", key: instance.key, parent, before, instance } as const;
      before = instance.key;
      return mount;
    });
  });
}
