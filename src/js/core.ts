import { Bridge, throwDisposed } from "./bridge.js";
import { BynameError } from "./errors.js";
import { OP_FIRE, RecordReader } from "./records.js";
import { report, runAndReport } from "./report.js";
import { assertDeepStackSpace, assertStackSpace } from "./stack-guard.js";
import type { AppliedJson, ApplyResult, HamNodes, Reading } from "./types.js";
import { cleanUp, type Store } from "./wasm.js";
import type { Diagnostic, Json } from "./wire.js";

/** Reading whose value is still JSON text. */
interface RawReading {
  value: string;
  status: Reading["status"];
  ref?: string;
  diagnostics: Diagnostic[];
}

/** Parses the value of a reading. */
export function parseReading(raw: RawReading): Reading {
  return { ...raw, value: JSON.parse(raw.value) as Json };
}

/** Reads a reading from records. Returns `undefined` if its value has to be requested. */
export function readSimpleReading(records: RecordReader): Reading | undefined {
  const value = records.readValue();
  const ref = records.readValue();
  if (ref === null) return { value: null, status: "missing", diagnostics: [] };
  if (value === undefined) return undefined;
  if (ref === undefined) return { value, status: "ok", diagnostics: [] };
  return { value, status: "ok", ref: ref as string, diagnostics: [] };
}

/**
 * Queued call of a listener. It is an object with a method and not a closure, because engines
 * discard code compiled for closures.
 */
export interface QueuedCallback {
  run(): void;
  next: QueuedCallback | undefined;
}

/** Queued reading for a listener of a binding. */
interface PendingReading extends QueuedCallback {
  readonly listeners: Core["listeners"];
  readonly subscriptionId: number;
  readonly subscription: Subscription;
  reading: Reading | undefined;
}

interface Subscription {
  readonly listener: (reading: Reading) => void;
}

function notifyListener(this: PendingReading): void {
  const { listeners, subscriptionId, subscription, reading } = this;
  const { listener } = subscription;
  if (reading !== undefined && listeners.get(subscriptionId) === subscription) listener(reading);
}

/** Input that is read as soon as the store is used. */
export interface PendingReads {
  read(): void;
}

/** Reader of the changes of one surface. */
export interface ChangeReader {
  readonly hasNoListeners: boolean;
  /** Reads the changes of the surface, and queues the calls of its listeners. */
  readChanges(records: RecordReader, core: Core): void;
}

/** Maximum nesting of updates, each made by a listener of the previous one. */
const MAX_UPDATE_DEPTH = 100;

/** Applies the message in the bridge. Returns its revision, or 0 if it is rejected. */
type RunUpdate = (handle: Store, bridge: Bridge, id: number) => number;

/** Store in WebAssembly with its listeners. */
export class Core {
  readonly bridge: Bridge;
  readonly surfaces: (ChangeReader | undefined)[] = [];
  readonly listeners = new Map<number, Subscription>();
  /** Number of calls that may have changed the store. */
  updateCount = 0;
  readonly #records: RecordReader;
  readonly #updateListeners = new Set<{ listener: () => void }>();
  /** Whether a call of the update listeners is scheduled. */
  #isUpdateScheduled = false;
  #disposed = false;
  /** Nesting of updates made by listeners. */
  #depth = 0;
  #pendingReads: PendingReads | undefined;
  /** First and last queued callback. */
  #queueHead: QueuedCallback | undefined;
  #queueTail: QueuedCallback | undefined;

  constructor(handle: Store, largest: number) {
    this.bridge = new Bridge(handle, largest);
    this.#records = new RecordReader(this.bridge);
  }

  /**
   * The store in WebAssembly, after pending input has been read. Get it before writing into the
   * bridge.
   */
  get handle(): Store {
    assertStackSpace();
    return this.uncheckedHandle;
  }

  /** The store for calls that rarely call JavaScript, without the check of the stack space. */
  get uncheckedHandle(): Store {
    if (this.#disposed) throwDisposed("store");
    if (this.#pendingReads !== undefined) this.readPending();
    return this.bridge.handle;
  }

  /**
   * The store for updates. A listener that updates on each notification would recurse until the
   * stack ends inside WebAssembly, and no later call would work.
   */
  get handleForUpdate(): Store {
    if (this.#depth < MAX_UPDATE_DEPTH) return this.uncheckedHandle;
    throw new BynameError(
      "too-deep",
      "listeners update each other in a loop: update only changed values",
    );
  }

  /** Whether no listener would be notified of a change. */
  get hasNoListeners(): boolean {
    if (this.#disposed) throwDisposed("store");
    if (this.listeners.size + this.#updateListeners.size > 0) return false;
    for (const surface of this.surfaces) {
      if (surface !== undefined && !surface.hasNoListeners) return false;
    }
    return true;
  }

  /** Sets input to be read later, after reading the pending one. */
  deferReads(reads: PendingReads): void {
    this.readPending();
    this.#pendingReads = reads;
  }

  isPending(reads: PendingReads): boolean {
    return this.#pendingReads === reads;
  }

  readPending(): void {
    const reads = this.#pendingReads;
    this.#pendingReads = undefined;
    reads?.read();
  }

  /** Calls a cleanup unless the store is disposed. */
  release(run: (handle: Store) => void): void {
    if (!this.#disposed) cleanUp(this.bridge.handle, run);
  }

  removeSurface(surfaceId: number): void {
    this.release((handle) => {
      this.surfaces[surfaceId] = undefined;
      handle.surface_remove(surfaceId);
    });
  }

  closeStream(streamId: number): void {
    this.release((handle) => handle.stream_close(streamId));
  }

  dispose(): void {
    if (this.#disposed) return;
    this.readPending();
    this.#disposed = true;
    this.listeners.clear();
    this.#updateListeners.clear();
    this.surfaces.length = 0;
    this.#queueHead = undefined;
    this.#queueTail = undefined;
    this.bridge.handle.free();
  }

  /**
   * Writes a message into the bridge. Returns a diagnostic if it is invalid. Getters of an object
   * may dispose the store.
   */
  write(message: unknown): Diagnostic | undefined {
    const error = this.bridge.write(message);
    if (this.#disposed) throwDisposed("store");
    return error;
  }

  /** Applies a message, and notifies listeners before it returns. `number` is passed to `run`. */
  update(message: unknown, run: RunUpdate, id = 0): ApplyResult {
    const { handleForUpdate, bridge } = this;
    const error = this.write(message);
    if (error !== undefined) return { ok: false, diagnostics: [error] };
    return this.finishUpdate(run(handleForUpdate, bridge, id), bridge.text);
  }

  /** Returns false if there is nothing to undo or redo. */
  undoOrRedo(direction: "undo" | "redo"): boolean {
    assertDeepStackSpace();
    const done = this.handleForUpdate[direction]();
    this.notify(undefined);
    return done;
  }

  /** Returns the result of an update and notifies listeners; `revision` is 0 if it was rejected. */
  finishUpdate(revision: number, text: string | undefined): ApplyResult {
    const diagnostics = this.bridge.lastDiagnostics();
    if (revision !== 0) this.notify(text);
    return this.toResult(revision, diagnostics);
  }

  toResult(revision: number, diagnostics: Diagnostic[] | undefined): ApplyResult {
    if (revision === 0) return { ok: false, diagnostics: diagnostics ?? [] };
    return new AppliedUpdate(this, revision, diagnostics);
  }

  /**
   * Notifies listeners of the changes of the last call. All records are read before a listener is
   * called.
   */
  notify(text: string | undefined): void {
    this.updateCount += 1;
    if (this.#updateListeners.size > 0) this.#scheduleUpdateListeners();
    const records = this.lastRecords(text);
    const { endIndex } = records;
    if (records.index === endIndex) return;
    let withoutValue: PendingReading[] | undefined;
    while (records.index < endIndex) {
      const word = records.readWord();
      const number = records.readWord();
      if (word !== OP_FIRE) {
        this.surfaces[number]?.readChanges(records, this);
        continue;
      }
      const pending = this.#queueReading(number, readSimpleReading(records));
      if (pending === undefined || pending.reading !== undefined) continue;
      withoutValue ??= [];
      withoutValue.push(pending);
    }
    // A request is a call, which overwrites the records.
    for (const pending of withoutValue ?? []) {
      const raw: RawReading | undefined = this.bridge.handle.subscribed(pending.subscriptionId);
      if (raw !== undefined) pending.reading = parseReading(raw);
    }
    this.#drainQueue();
  }

  /** Adds a listener for updates. Returns a function that removes it. */
  addUpdateListener(listener: () => void): () => void {
    const own = { listener };
    this.#updateListeners.add(own);
    return () => {
      this.#updateListeners.delete(own);
    };
  }

  #scheduleUpdateListeners(): void {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    queueMicrotask(() => {
      this.#isUpdateScheduled = false;
      for (const { listener } of [...this.#updateListeners]) runAndReport(listener);
    });
  }

  /** Queues a reading for the listener of a binding, if there is one. */
  #queueReading(subscriptionId: number, reading: Reading | undefined): PendingReading | undefined {
    const { listeners } = this;
    const subscription = listeners.get(subscriptionId);
    if (subscription === undefined) return undefined;
    const pending = {
      run: notifyListener,
      next: undefined,
      listeners,
      subscriptionId,
      subscription,
      reading,
    };
    this.enqueue(pending);
    return pending;
  }

  /** Returns the records of the last call; `text` is the message that they refer to. */
  lastRecords(text: string | undefined): RecordReader {
    this.#records.resetToLast(text);
    return this.#records;
  }

  /** Appends to a linked list, because a new array per update costs more. */
  enqueue(callback: QueuedCallback): void {
    if (this.#queueHead === undefined || this.#queueTail === undefined) this.#queueHead = callback;
    else this.#queueTail.next = callback;
    this.#queueTail = callback;
  }

  /**
   * Calls all queued callbacks. A listener may update the store; that update first calls the rest
   * of the queue, so all listeners see changes in order.
   */
  #drainQueue(): void {
    for (let next = this.#queueHead; next !== undefined; next = this.#queueHead) {
      this.#queueHead = next.next;
      this.#depth += 1;
      // An error of one listener must not affect other listeners or the update.
      try {
        next.run();
      } catch (error) {
        report(error);
      } finally {
        this.#depth -= 1;
      }
    }
    // Otherwise it would retain its data until the next update.
    this.#queueTail = undefined;
  }
}

/** Fields of a result that have been requested. */
type ResultFields = Partial<Omit<AppliedJson, "ok">>;

/**
 * Result of an applied update. Its fields are requested when they are first read, because there is
 * one per message.
 */
class AppliedUpdate {
  readonly ok = true;
  readonly #core: Core;
  readonly #revision: number;
  #fields: ResultFields | undefined;

  constructor(core: Core, revision: number, diagnostics: Diagnostic[] | undefined) {
    this.#core = core;
    this.#revision = revision;
    this.#fields = diagnostics && { diagnostics };
  }

  get #loadedFields(): ResultFields {
    this.#fields ??= {};
    return this.#fields;
  }

  get diagnostics(): Diagnostic[] {
    this.#loadedFields.diagnostics ??= [];
    return this.#loadedFields.diagnostics;
  }

  /** Ids of the nodes that the update has created or changed. */
  get changed(): string[] {
    const fields = this.#loadedFields;
    fields.changed ??= assertAvailable(
      this.#core.handle.changed(this.#revision, false),
    ) as string[];
    return fields.changed;
  }

  /** Ids of the nodes that the update has deleted. */
  get deleted(): string[] {
    const fields = this.#loadedFields;
    fields.deleted ??= assertAvailable(this.#core.handle.changed(this.#revision, true)) as string[];
    return fields.deleted;
  }

  get inverse(): HamNodes {
    const fields = this.#loadedFields;
    fields.inverse ??= JSON.parse(
      assertAvailable(this.#core.handle.inverse(this.#revision)),
    ) as HamNodes;
    return fields.inverse;
  }

  toJSON(): AppliedJson {
    const { ok, changed, deleted, inverse, diagnostics } = this;
    return { ok, changed, deleted, inverse, diagnostics };
  }

  /**
   * Output of Node's `console.log`. It must not throw, so fields that have expired are left out.
   */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    try {
      return this.toJSON();
    } catch {
      return { ok: this.ok, diagnostics: this.diagnostics };
    }
  }
}

function assertAvailable<T>(value: T | undefined): T {
  if (value === undefined) {
    const message = "the result has expired: read it before later updates, or raise `limits.undo`";
    throw new BynameError("too-late", message);
  }
  return value;
}
