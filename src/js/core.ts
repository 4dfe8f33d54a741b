import { Bridge, disposed } from "./bridge.js";
import { BynameError } from "./errors.js";
import { FIRE, Records } from "./records.js";
import { report } from "./report.js";
import { needRoom } from "./stack-guard.js";
import type { SurfaceReader } from "./surface-reader.js";
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
export function toReading(raw: RawReading): Reading {
  return { ...raw, value: JSON.parse(raw.value) as Json };
}

/** The next reading of some records; nothing where it has to be asked for. */
export function plainReading(records: Records): Reading | undefined {
  const value = records.value();
  const ref = records.value();
  if (ref === null) return { value: null, status: "missing", diagnostics: [] };
  if (value === undefined) return undefined;
  if (ref === undefined) return { value, status: "ok", diagnostics: [] };
  return { value, status: "ok", ref: ref as string, diagnostics: [] };
}

/**
 * Something that somebody is to hear of. What a surface tells is an object with a method and no closure:
 * what engines compile of closures goes with them.
 */
export interface Notice {
  tell(): void;
  /** The one behind it. */
  next: Notice | undefined;
}

/** A listener of a binding is to hear what that shows now. */
interface Fired extends Notice {
  readonly listeners: Core["listeners"];
  readonly number: number;
  readonly subscription: Subscription;
  reading: Reading | undefined;
}

interface Subscription {
  readonly listener: (reading: Reading) => void;
}

function tellReading(this: Fired): void {
  const { listeners, number, subscription, reading } = this;
  const { listener } = subscription;
  if (reading !== undefined && listeners.get(number) === subscription) listener(reading);
}

/** What has come and is read when anybody looks. */
export interface Waiting {
  read(): void;
}

/** As many updates may be made one within the other, each by a listener of the one before. */
const DEEPEST = 100;

/** Makes an update of the message in the bridge; answers its revision, 0 where it was refused. */
type Run = (handle: Store, bridge: Bridge, number: number) => number;

/** A store in WebAssembly, and the callbacks that hear of it. */
export class Core {
  readonly bridge: Bridge;
  readonly surfaces: (SurfaceReader | undefined)[] = [];
  readonly listeners = new Map<number, Subscription>();
  /** How many calls may have changed something. */
  calls = 0;
  readonly #records: Records;
  #disposed = false;
  /** How many updates are being told of, each made by a listener of the one before. */
  #depth = 0;
  #waiting: Waiting | undefined;
  /** The first of those who are to be told, and the last. */
  #first: Notice | undefined;
  #last: Notice | undefined;

  constructor(handle: Store, largest: number) {
    this.bridge = new Bridge(handle, largest);
    this.#records = new Records(this.bridge);
  }

  /** The store in WebAssembly, which has read all that came. Whoever writes into the bridge asks for it before. */
  get handle(): Store {
    needRoom();
    return this.plain;
  }

  /** The same for calls that mostly call nothing of JavaScript: they take little of the stack. */
  get plain(): Store {
    if (this.#disposed) disposed("store");
    if (this.#waiting !== undefined) this.readWaiting();
    return this.bridge.handle;
  }

  /**
   * The store, for whoever is about to change it. A listener that updates whenever it is told would do so
   * until there is no stack left, in the midst of WebAssembly, and no call would work after that.
   */
  get changing(): Store {
    if (this.#depth < DEEPEST) return this.plain;
    throw new BynameError("too-deep", "listeners update each other: update only what differs");
  }

  /** Whether nobody would be told of a change. */
  get isUnheard(): boolean {
    if (this.#disposed) disposed("store");
    if (this.listeners.size > 0) return false;
    for (const surface of this.surfaces) {
      if (surface !== undefined && !surface.isUnheard) return false;
    }
    return true;
  }

  /** Has something read that came behind all that waited. */
  waitFor(waiting: Waiting): void {
    this.readWaiting();
    this.#waiting = waiting;
  }

  isWaiting(waiting: Waiting): boolean {
    return this.#waiting === waiting;
  }

  /** Has what waits read. */
  readWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.read();
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
    this.readWaiting();
    this.#disposed = true;
    this.listeners.clear();
    this.surfaces.length = 0;
    this.#first = undefined;
    this.#last = undefined;
    this.bridge.handle.free();
  }

  /** Puts a message into the bridge, or says why it cannot be one. While an object is read its getters may end the store. */
  write(message: unknown): Diagnostic | undefined {
    const fault = this.bridge.write(message);
    if (this.#disposed) disposed("store");
    return fault;
  }

  /** Makes an update of a message, and tells whoever listens before it returns. `number` is for `run`. */
  update(message: unknown, run: Run, number = 0): ApplyResult {
    const { changing, bridge } = this;
    const fault = this.write(message);
    if (fault !== undefined) return { ok: false, diagnostics: [fault] };
    return this.settle(run(changing, bridge, number), bridge.text);
  }

  /** Goes back or forth; false where there is nothing more. */
  turn(way: "undo" | "redo"): boolean {
    const done = this.changing[way]();
    this.tell(undefined);
    return done;
  }

  /** What became of an update that was made; `revision` is 0 where it was refused. */
  settle(revision: number, text: string | undefined): ApplyResult {
    const diagnostics = this.bridge.diagnostics();
    if (revision !== 0) this.tell(text);
    return this.result(revision, diagnostics);
  }

  /** What is answered for an update. */
  result(revision: number, diagnostics: Diagnostic[] | undefined): ApplyResult {
    if (revision === 0) return { ok: false, diagnostics: diagnostics ?? [] };
    return new Applied(this, revision, diagnostics);
  }

  /** Tells whoever listens what the last call changed. All is read before anyone is called. */
  tell(text: string | undefined): void {
    this.calls += 1;
    const records = this.last(text);
    const { end } = records;
    if (records.at === end) return;
    let asked: Fired[] | undefined;
    while (records.at < end) {
      const word = records.word();
      const number = records.word();
      if (word !== FIRE) {
        this.surfaces[number]?.readChanges(records, this);
        continue;
      }
      const fired = this.#fire(number, plainReading(records));
      if (fired === undefined || fired.reading !== undefined) continue;
      asked ??= [];
      asked.push(fired);
    }
    // To ask is a call, which moves what is in memory.
    for (const fired of asked ?? []) {
      const raw: RawReading | undefined = this.bridge.handle.subscribed(fired.number);
      if (raw !== undefined) fired.reading = toReading(raw);
    }
    this.#drain();
  }

  /** Queues what a listener of a binding is to hear, if there is one. */
  #fire(number: number, reading: Reading | undefined): Fired | undefined {
    const { listeners } = this;
    const subscription = listeners.get(number);
    if (subscription === undefined) return undefined;
    const fired = { tell: tellReading, next: undefined, listeners, number, subscription, reading };
    this.queue(fired);
    return fired;
  }

  /** The records of the last call; `text` is the message whose texts they may name. */
  last(text: string | undefined): Records {
    this.#records.turnToLast(text);
    return this.#records;
  }

  /** Puts somebody behind those who are to be told. A list would be made anew for each update. */
  queue(notice: Notice): void {
    if (this.#first === undefined || this.#last === undefined) this.#first = notice;
    else this.#last.next = notice;
    this.#last = notice;
  }

  /**
   * Runs the queue to its end. A listener may update the store: that update then tells what is
   * left in the queue before its own, so everyone hears everything in order.
   */
  #drain(): void {
    for (let next = this.#first; next !== undefined; next = this.#first) {
      this.#first = next.next;
      this.#depth += 1;
      // One listener's fault must not keep the others from hearing, nor undo the update.
      try {
        next.tell();
      } catch (error) {
        report(error);
      } finally {
        this.#depth -= 1;
      }
    }
    // It would keep all that it told of until the next update.
    this.#last = undefined;
  }
}

/** What was asked of an update. */
type Asked = Partial<Omit<AppliedJson, "ok">>;

/** An update that was made. There is one for each message, so it is small until somebody looks at it. */
class Applied {
  readonly ok = true;
  readonly #core: Core;
  readonly #revision: number;
  #asked: Asked | undefined;

  constructor(core: Core, revision: number, diagnostics: Diagnostic[] | undefined) {
    this.#core = core;
    this.#revision = revision;
    this.#asked = diagnostics && { diagnostics };
  }

  get #answers(): Asked {
    this.#asked ??= {};
    return this.#asked;
  }

  get diagnostics(): Diagnostic[] {
    this.#answers.diagnostics ??= [];
    return this.#answers.diagnostics;
  }

  get changed(): string[] {
    const answers = this.#answers;
    answers.changed ??= inTime(this.#core.handle.changed(this.#revision, false)) as string[];
    return answers.changed;
  }

  get deleted(): string[] {
    const answers = this.#answers;
    answers.deleted ??= inTime(this.#core.handle.changed(this.#revision, true)) as string[];
    return answers.deleted;
  }

  get inverse(): HamNodes {
    const answers = this.#answers;
    answers.inverse ??= JSON.parse(inTime(this.#core.handle.inverse(this.#revision))) as HamNodes;
    return answers.inverse;
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

function inTime<T>(value: T | undefined): T {
  if (value === undefined) {
    const message = "the result was read too late: read it at once, or raise `limits.undo`";
    throw new BynameError("too-late", message);
  }
  return value;
}
