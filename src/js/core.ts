import { Bridge, throwDisposed } from "./bridge.js";
import { BynameError } from "./errors.js";
import { FIRE, RecordReader } from "./records.js";
import { report } from "./report.js";
import { assertStackSpace } from "./stack-guard.js";
import type { AppliedJson, ApplyResult, HamNodes, Reading } from "./types.js";
import type { Store } from "./wasm.js";
import type { Diagnostic, Json } from "./wire.js";

/** A reading whose value is still JSON text. */
interface RawReading {
  value: string;
  status: Reading["status"];
  ref?: string;
  diagnostics: Diagnostic[];
}

/** The reading as a listener gets it. */
export function parseReading(raw: RawReading): Reading {
  return { ...raw, value: JSON.parse(raw.value) as Json };
}

/** The next reading of some records; nothing where it has to be asked for. */
export function readSimpleReading(records: RecordReader): Reading | undefined {
  const value = records.readValue();
  const ref = records.readValue();
  if (ref === null) return { value: null, status: "missing", diagnostics: [] };
  if (value === undefined) return undefined;
  if (ref === undefined) return { value, status: "ok", diagnostics: [] };
  return { value, status: "ok", ref: ref as string, diagnostics: [] };
}

/**
 * Something that somebody is to hear of. What a surface tells is an object with a method and no closure:
 * what engines compile of closures goes with them.
 */
export interface QueuedCallback {
  run(): void;
  /** The one behind it. */
  next: QueuedCallback | undefined;
}

/** A listener of a binding is to hear what that shows now. */
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

/** What has come and is read when anybody looks. */
export interface PendingReads {
  read(): void;
}

/** Reader of the changes of one surface. */
export interface ChangeReader {
  readonly hasNoListeners: boolean;
  /** Reads the changes of the surface, and queues the calls of its listeners. */
  readChanges(records: RecordReader, core: Core): void;
}

/** As many updates may be made one within the other, each by a listener of the one before. */
const MAX_UPDATE_DEPTH = 100;

/** Makes an update of the message in the bridge; answers its revision, 0 where it was refused. */
type RunUpdate = (handle: Store, bridge: Bridge, number: number) => number;

/** A store in WebAssembly, and the callbacks that hear of it. */
export class Core {
  readonly bridge: Bridge;
  readonly surfaces: (ChangeReader | undefined)[] = [];
  readonly listeners = new Map<number, Subscription>();
  /** How many calls may have changed something. */
  updateCount = 0;
  readonly #records: RecordReader;
  #disposed = false;
  /** How many updates are being told of, each made by a listener of the one before. */
  #depth = 0;
  #pendingReads: PendingReads | undefined;
  /** The first of those who are to be told, and the last. */
  #queueHead: QueuedCallback | undefined;
  #queueTail: QueuedCallback | undefined;

  constructor(handle: Store, largest: number) {
    this.bridge = new Bridge(handle, largest);
    this.#records = new RecordReader(this.bridge);
  }

  /** The store in WebAssembly, which has read all that came. Whoever writes into the bridge asks for it before. */
  get handle(): Store {
    assertStackSpace();
    return this.uncheckedHandle;
  }

  /** The same for calls that mostly call nothing of JavaScript: they take little of the stack. */
  get uncheckedHandle(): Store {
    if (this.#disposed) throwDisposed("store");
    if (this.#pendingReads !== undefined) this.readPending();
    return this.bridge.handle;
  }

  /**
   * The store, for whoever is about to change it. A listener that updates whenever it is told would do so
   * until there is no stack left, in the midst of WebAssembly, and no call would work after that.
   */
  get handleForUpdate(): Store {
    if (this.#depth < MAX_UPDATE_DEPTH) return this.uncheckedHandle;
    throw new BynameError(
      "too-deep",
      "listeners update each other in a loop: update only changed values",
    );
  }

  /** Whether nobody would be told of a change. */
  get hasNoListeners(): boolean {
    if (this.#disposed) throwDisposed("store");
    if (this.listeners.size > 0) return false;
    for (const surface of this.surfaces) {
      if (surface !== undefined && !surface.hasNoListeners) return false;
    }
    return true;
  }

  /** Has something read that came behind all that waited. */
  deferReads(reads: PendingReads): void {
    this.readPending();
    this.#pendingReads = reads;
  }

  isPending(reads: PendingReads): boolean {
    return this.#pendingReads === reads;
  }

  /** Has what waits read. */
  readPending(): void {
    const reads = this.#pendingReads;
    this.#pendingReads = undefined;
    reads?.read();
  }

  /** Gives back what somebody had of the store, where there still is one. */
  release(run: (handle: Store) => void): void {
    if (!this.#disposed) run(this.bridge.handle);
  }

  removeSurface(number: number): void {
    this.release((handle) => {
      this.surfaces[number] = undefined;
      handle.surface_remove(number);
    });
  }

  closeStream(number: number): void {
    this.release((handle) => handle.stream_close(number));
  }

  dispose(): void {
    if (this.#disposed) return;
    this.readPending();
    this.#disposed = true;
    this.listeners.clear();
    this.surfaces.length = 0;
    this.#queueHead = undefined;
    this.#queueTail = undefined;
    this.bridge.handle.free();
  }

  /** Puts a message into the bridge, or says why it cannot be one. While an object is read its getters may end the store. */
  write(message: unknown): Diagnostic | undefined {
    const error = this.bridge.write(message);
    if (this.#disposed) throwDisposed("store");
    return error;
  }

  /** Makes an update of a message, and tells whoever listens before it returns. `number` is for `run`. */
  update(message: unknown, run: RunUpdate, number = 0): ApplyResult {
    const { handleForUpdate, bridge } = this;
    const error = this.write(message);
    if (error !== undefined) return { ok: false, diagnostics: [error] };
    return this.finishUpdate(run(handleForUpdate, bridge, number), bridge.text);
  }

  /** Goes back or forth; false where there is nothing more. */
  undoOrRedo(direction: "undo" | "redo"): boolean {
    const done = this.handleForUpdate[direction]();
    this.notify(undefined);
    return done;
  }

  /** What became of an update that was made; `revision` is 0 where it was refused. */
  finishUpdate(revision: number, text: string | undefined): ApplyResult {
    const diagnostics = this.bridge.diagnostics();
    if (revision !== 0) this.notify(text);
    return this.toResult(revision, diagnostics);
  }

  /** What is answered for an update. */
  toResult(revision: number, diagnostics: Diagnostic[] | undefined): ApplyResult {
    if (revision === 0) return { ok: false, diagnostics: diagnostics ?? [] };
    return new Applied(this, revision, diagnostics);
  }

  /** Tells whoever listens what the last call changed. All is read before anyone is called. */
  notify(text: string | undefined): void {
    this.updateCount += 1;
    const records = this.lastRecords(text);
    const { endIndex } = records;
    if (records.index === endIndex) return;
    let withoutValue: PendingReading[] | undefined;
    while (records.index < endIndex) {
      const word = records.readWord();
      const number = records.readWord();
      if (word !== FIRE) {
        this.surfaces[number]?.readChanges(records, this);
        continue;
      }
      const pending = this.#queueReading(number, readSimpleReading(records));
      if (pending === undefined || pending.reading !== undefined) continue;
      withoutValue ??= [];
      withoutValue.push(pending);
    }
    // To ask is a call, which moves what is in memory.
    for (const pending of withoutValue ?? []) {
      const raw: RawReading | undefined = this.bridge.handle.subscribed(pending.subscriptionId);
      if (raw !== undefined) pending.reading = parseReading(raw);
    }
    this.#drainQueue();
  }

  /** Queues what a listener of a binding is to hear, if there is one. */
  #queueReading(number: number, reading: Reading | undefined): PendingReading | undefined {
    const { listeners } = this;
    const subscription = listeners.get(number);
    if (subscription === undefined) return undefined;
    const pending = {
      run: notifyListener,
      next: undefined,
      listeners,
      subscriptionId: number,
      subscription,
      reading,
    };
    this.enqueue(pending);
    return pending;
  }

  /** The records of the last call; `text` is the message whose texts they may name. */
  lastRecords(text: string | undefined): RecordReader {
    this.#records.resetToLast(text);
    return this.#records;
  }

  /** Puts somebody behind those who are to be told. A list would be made anew for each update. */
  enqueue(callback: QueuedCallback): void {
    if (this.#queueHead === undefined || this.#queueTail === undefined) this.#queueHead = callback;
    else this.#queueTail.next = callback;
    this.#queueTail = callback;
  }

  /**
   * Runs the queue to its end. A listener may update the store: that update then tells what is
   * left in the queue before its own, so everyone hears everything in order.
   */
  #drainQueue(): void {
    for (let next = this.#queueHead; next !== undefined; next = this.#queueHead) {
      this.#queueHead = next.next;
      this.#depth += 1;
      // One listener's fault must not keep the others from hearing, nor undo the update.
      try {
        next.run();
      } catch (error) {
        report(error);
      } finally {
        this.#depth -= 1;
      }
    }
    // It would keep all that it told of until the next update.
    this.#queueTail = undefined;
  }
}

/** What was asked of an update. */
type ResultFields = Partial<Omit<AppliedJson, "ok">>;

/** An update that was made. There is one for each message, so it is small until somebody looks at it. */
class Applied {
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

  get changed(): string[] {
    const fields = this.#loadedFields;
    fields.changed ??= assertAvailable(
      this.#core.handle.changed(this.#revision, false),
    ) as string[];
    return fields.changed;
  }

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

  /** All of it, as a plain object. */
  toJSON(): AppliedJson {
    const { ok, changed, deleted, inverse, diagnostics } = this;
    return { ok, changed, deleted, inverse, diagnostics };
  }

  /** What Node's console shows. A log must not fail, so what can no longer be read is left out. */
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
