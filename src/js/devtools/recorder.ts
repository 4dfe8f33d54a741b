import { assertString } from "../arguments.js";
import { requireJsonText } from "../json-text.js";
import { runAndReport } from "../report.js";
import type { Json } from "../types.js";
import { EventLog, messagesOf } from "./event-log.js";
import { Gate } from "./gate.js";
import { printLog } from "./log-file.js";
import type { LogEntry, TracedSurface } from "./types.js";

export interface RecorderOptions {
  /** Maximum number of entries, 1,000 by default; older ones are dropped. */
  limit?: number;
  /** Texts that never enter the log, such as keys of the page. */
  secrets?: readonly string[];
  /** Time of an entry; the ISO 8601 time by default. */
  now?: () => string;
}

/** Message that is being received by `Surfaces`. */
export interface Reception {
  /** Messages that its surfaces receive for it. */
  applied: Json[];
}

/** Log and pause of observed objects. Needs no document. */
export class Recorder {
  /** @internal */
  readonly log: EventLog;
  /** @internal */
  readonly gate = new Gate();
  /** @internal Observed surfaces by source. */
  readonly surfaces = new Map<string, TracedSurface>();
  /** @internal Message that is being received by `Surfaces`. */
  reception: Reception | undefined;
  #recordingTime = 0;
  /** Entries that are added after the current update. */
  #later: (() => void)[] | undefined;

  constructor({ limit, secrets, now }: RecorderOptions = {}) {
    const isPointer = (text: string): boolean =>
      text.startsWith("*") &&
      [...this.surfaces.values()].some(({ store }) => store.has(text.slice(1)));
    this.log = new EventLog({ limit, secrets, now, isPointer });
  }

  /** Entries, oldest first. */
  get entries(): readonly LogEntry[] {
    return this.log.entries;
  }

  /** Milliseconds that recording has taken, for pages that measure their updates. */
  get recordingTime(): number {
    return this.#recordingTime;
  }

  /** Adds an entry of the page, such as a message that it has sent. */
  note(source: string, title: string, value: Json | object): void {
    assertString(source, "a source");
    assertString(title, "a title");
    const json = JSON.parse(requireJsonText(value, true)) as Json;
    const content = { kind: "note", title, value: json } as const;
    this.addLater(() => this.log.add(source, content));
  }

  /** Whether updates wait. */
  get isPaused(): boolean {
    return this.gate.isPaused;
  }

  /** Descriptions of the waiting updates, next first. */
  get waiting(): readonly string[] {
    return this.gate.waiting;
  }

  /** Makes all further updates wait. */
  pause(): void {
    this.gate.pause();
  }

  /** Runs the waiting updates in order, and lets further ones through. */
  resume(): void {
    this.gate.resume();
  }

  /** Runs the next waiting update. Returns false if none waits. */
  step(): boolean {
    return this.gate.step();
  }

  /** Removes all entries. */
  clear(): void {
    this.log.clear();
  }

  /** Returns the log as JSON text, of one source or of all. */
  export(source?: string): string {
    return printLog(this.log, messagesOf(this.log, source), source);
  }

  /** Calls the listener after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    const ends = [this.log.subscribe(listener), this.gate.subscribe(listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  /** @internal Runs an update; entries of its effects are added after its own. */
  runUpdate<T>(update: () => T, addEntry: (result: T, duration: number) => void): T {
    const outer = this.#later;
    const later: (() => void)[] = [];
    this.#later = later;
    let result: T;
    const start = performance.now();
    try {
      result = update();
    } catch (error) {
      this.#later = outer;
      for (const add of later) runAndReport(add);
      throw error;
    }
    const duration = performance.now() - start;
    this.#later = outer;
    this.addLater(() => {
      runAndReport(() => addEntry(result, duration));
      for (const add of later) runAndReport(add);
    });
    return result;
  }

  /** @internal Adds entries now, or after the current update. An error is reported. */
  addLater(add: () => void): void {
    if (this.#later) {
      this.#later.push(add);
      return;
    }
    const start = performance.now();
    runAndReport(add);
    this.#recordingTime += performance.now() - start;
  }
}
