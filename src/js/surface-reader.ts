import { Components } from "./component-table.js";
import type { Core, Notice } from "./core.js";
import { type RendererChange, rowListeners } from "./lazy-children.js";
import { MANY, type Reading, Rows, readInstance } from "./lazy-rows.js";
import { FIRE, MOUNT, MOVE, NONE, type Records, SET, SURFACE } from "./records.js";
import type { Instance, SurfaceChange } from "./types.js";

/** Whoever hears of the changes of a surface. */
export interface Subscription {
  listener: (changes: readonly SurfaceChange[]) => void;
  /** Keeps the surface for as long as somebody listens, though nobody else may hold it. */
  surface: object;
  /** Whether nothing is to be told any more. */
  over: boolean;
}

/** Changes that one subscription is to hear of. */
interface Changed extends Notice {
  subscription: Subscription;
  changes: RendererChange[];
  /** Whether there are rows among them that came together. */
  together: boolean;
}

/** Tells of changes, unless the subscription has ended in the meantime. */
function tellChanges(this: Changed): void {
  const { subscription, changes, together } = this;
  if (subscription.over) return;
  const { listener } = subscription;
  const apart = together && !rowListeners.has(listener);
  listener((apart ? oneByOne(changes) : changes) as SurfaceChange[]);
}

/** Rows that came are kept unread so many times. */
const KEPT = 8;

/** What a surface knows of its instances: reads records into trees and changes. */
export class SurfaceReader {
  /** A list, which is faster to go through than a set. */
  readonly #subscriptions: Subscription[] = [];
  #components = new Components();
  /**
   * The key of each instance, by number, but for those that are unread. Right while anybody listens,
   * else after a reading.
   */
  #keys: (string | undefined)[] = [];
  /** The number of the component of each instance, by number. */
  #instances: number[] = [];
  /** What the last reading left unread. */
  #unread: Rows[] = [];
  /** Rows that came since and are unread, the latest first. */
  #came: Rows[] = [];

  /** Tells the subscription of changes, from the next one on. */
  begin(subscription: Subscription): void {
    this.#subscriptions.push(subscription);
  }

  /** Tells it no more, nor of what has been read. */
  end(subscription: Subscription): void {
    if (subscription.over) return;
    subscription.over = true;
    this.#subscriptions.splice(this.#subscriptions.indexOf(subscription), 1);
  }

  endAll(): void {
    for (const subscription of this.#subscriptions) subscription.over = true;
    this.#subscriptions.length = 0;
  }

  /** Whether nobody is told of changes. */
  get isUnheard(): boolean {
    return this.#subscriptions.length === 0;
  }

  /** Takes what the store tells of components. */
  learn(table: string): void {
    this.#components = this.#components.with(table);
  }

  /** Reads the whole tree, and drops the keys of what was unmounted: its numbers are used again. */
  readTree(records: Records): Instance {
    const unread: Rows[] = [];
    this.#keys = [];
    this.#instances = [];
    this.#unread = unread;
    this.#came = [];
    return readInstance(records, undefined, {
      components: this.#components,
      met: this.#meet(() => undefined),
      left: (rows) => {
        unread.push(rows);
      },
    });
  }

  /**
   * Notes who is met in a reading, or in rows that came. Whoever looks late tells nothing of numbers
   * that are somebody else's by then, and nothing where the tree was read anew.
   */
  #meet(rows: () => Rows | undefined): Reading["met"] {
    const keys = this.#keys;
    return (number, component, key) => {
      if (keys !== this.#keys || keys[number] !== undefined) return;
      if (this.#owner(number) !== rows()) return;
      keys[number] = key;
      this.#instances[number] = component;
    };
  }

  /** The latest rows that came with an instance of this number. */
  #owner(number: number): Rows | undefined {
    for (const rows of this.#came) if (rows.owners[number] !== undefined) return rows;
    return undefined;
  }

  /**
   * Reads what changed, up to the records of another surface. Queues what tells those who listen
   * now, one by one: who comes later has seen it, who leaves in between wants no more of it.
   */
  readChanges(records: Records, core: Core): void {
    let changes: RendererChange[] | undefined;
    let together = false;
    const { words, end } = records;
    while (records.at < end) {
      const kind = words[records.at];
      if (kind === SET) {
        changes = added(changes, this.#readSet(records));
        continue;
      }
      if (kind === SURFACE || kind === FIRE) break;
      if (kind === MOVE) {
        changes = this.#readMoves(records, changes);
        continue;
      }
      const rows = kind === MOUNT ? this.#readMounts(records) : undefined;
      together ||= rows !== undefined;
      changes = added(changes, rows ?? this.#readChange(records));
    }
    if (changes === undefined) return;
    for (const subscription of this.#subscriptions) {
      const changed: Changed = {
        tell: tellChanges,
        next: undefined,
        subscription,
        changes,
        together,
      };
      core.queue(changed);
    }
  }

  /** Rows that come at once stay unread, where anybody wants them so. Their numbers may have been those of others. */
  #readMounts(records: Records): RendererChange | undefined {
    const wanted = this.#subscriptions.some(({ listener }) => rowListeners.has(listener));
    const mounts = wanted && this.#components.complete ? records.passMounts(MANY) : undefined;
    if (mounts === undefined) return undefined;
    const [parent, behind, own, places] = mounts;
    const key = this.#keyOf(parent) as string;
    const before = this.#keyOf(behind);
    const { slots } = this.#components.get(this.#instances[parent] ?? NONE);
    const rows: Rows = new Rows(
      own,
      places,
      { key, slots },
      {
        components: this.#components,
        met: this.#meet(() => rows),
        left: () => {},
      },
    );
    this.#makeRoom(rows);
    rows.owners.forEach((_, number) => {
      this.#keys[number] = undefined;
    });
    this.#came.unshift(rows);
    if (this.#came.length > KEPT) this.#nameLast();
    return { kind: "rows", parent: key, before, rows };
  }

  /** Takes in the keys of the first rows that came, so that their records can go. */
  #nameLast(): void {
    this.#nameRows(this.#came.at(-1) as Rows);
    this.#came.pop();
  }

  /** Takes in the keys of all that is unread: whoever hears of each row will hear of many. */
  nameAll(): void {
    for (const rows of [...this.#came, ...this.#unread]) this.#nameRows(rows);
    this.#came.length = 0;
    this.#unread.length = 0;
  }

  #nameRows(rows: Rows): void {
    this.#makeRoom(rows);
    rows.nameAll();
  }

  #readChange(records: Records): SurfaceChange {
    if (records.word() === MOUNT) {
      const number = records.word();
      const parent = this.#keyOf(number);
      const before = this.#keyOf(records.word());
      const instance = this.#readMounted(records, number, parent);
      return { kind: "mount", key: instance.key, parent, before, instance };
    }
    const number = records.word();
    const key = this.#keyOf(number) as string;
    return { kind: "unmount", key };
  }

  /** What comes most often. */
  #readSet(records: Records): SurfaceChange {
    const { words, at } = records;
    const number = words[at + 1] as number;
    const key = this.#keys[number] ?? (this.#keyOf(number) as string);
    const prop = this.#components.prop(this.#instances[number] as number, words[at + 2] as number);
    records.at = at + 3;
    return { kind: "set", key, prop, value: records.value() ?? null };
  }

  /** Reads all moves that follow one another: a list in another order has one for nearly every item. */
  #readMoves(records: Records, told: RendererChange[] | undefined): RendererChange[] | undefined {
    const keys = this.#keys;
    let changes = told;
    while (records.at < records.end && records.peek() === MOVE) {
      records.word();
      const number = records.word();
      const behind = records.word();
      const key = keys[number] ?? (this.#keyOf(number) as string);
      const before = behind === NONE ? null : (keys[behind] ?? this.#keyOf(behind));
      changes = added(changes, { kind: "move", key, before });
    }
    return changes;
  }

  #readMounted(records: Records, parent: number, key: string | null): Instance {
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

  #keyOf(number: number): string | null {
    if (number === NONE) return null;
    if (this.#keys[number] === undefined) this.#nameRow(number);
    return this.#keys[number] as string;
  }

  /** Takes in the keys of the row that an instance is, or stands in. */
  #nameRow(number: number): void {
    for (const rows of [...this.#came, ...this.#unread]) {
      const index = rows.owners[number];
      if (index === undefined) continue;
      this.#makeRoom(rows);
      rows.name(index);
      return;
    }
  }

  /** V8 would make a table of a list with wide gaps, which is much slower. */
  #makeRoom(rows: Rows): void {
    while (this.#keys.length < rows.owners.length) {
      this.#keys.push(undefined);
      this.#instances.push(NONE);
    }
  }
}

/**
 * Puts a change behind the others. Mostly it is the only one, and a list that grows has room for many; and one
 * that begins empty is of another kind for engines, which then call a function for each change.
 */
function added(changes: RendererChange[] | undefined, change: RendererChange): RendererChange[] {
  if (changes === undefined) return [change];
  changes.push(change);
  return changes;
}

/** Changes as everyone else hears of them: of each row by itself, from the last to the first. */
function oneByOne(changes: readonly RendererChange[]): SurfaceChange[] {
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
