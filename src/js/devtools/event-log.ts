import { runAndReport } from "../report.js";
import type { Json } from "../types.js";
import { REDACTED, Redactor } from "./redactor.js";
import type { EntryContent, EntryOf, LogEntry } from "./types.js";

/** Maximum number of entries by default. */
export const DEFAULT_LIMIT = 1000;

/** Returns the messages that create the current content of a source. */
type Snapshot = () => readonly Json[];

/** Content of all sources before an entry, so that earlier entries can be dropped. */
interface Mark {
  /** Id of the first entry after it. */
  nextId: number;
  messages: Map<string, Json[]>;
}

export interface LogOptions {
  /** Maximum number of entries; older ones are dropped. */
  limit?: number | undefined;
  /** Texts that never enter the log. */
  secrets?: readonly string[] | undefined;
  /** Time of an entry; the ISO 8601 time by default. */
  now?: (() => string) | undefined;
  /** Returns whether a text refers to a node. */
  isPointer?: ((text: string) => boolean) | undefined;
}

/** Entries of all observed objects, without secrets. Needs no document. */
export class EventLog {
  readonly #redactor: Redactor;
  readonly #now: () => string;
  readonly #limit: number;
  #entries: LogEntry[] = [];
  readonly #snapshots = new Map<string, Snapshot>();
  #marks: Mark[] = [{ nextId: 1, messages: new Map() }];
  #nextId = 1;
  #nextRun = 1;
  #dropped = 0;
  readonly #listeners = new Set<() => void>();

  constructor({ limit = DEFAULT_LIMIT, secrets = [], now, isPointer }: LogOptions = {}) {
    this.#limit = limit;
    this.#redactor = new Redactor(secrets, isPointer);
    this.#now = now ?? (() => new Date().toISOString());
  }

  /** Entries, oldest first. */
  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** Number of entries that were dropped because of the limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns a number for a run of a session or workflow. */
  newRun(): number {
    return this.#nextRun++;
  }

  /** Adds a source whose content a snapshot returns. If it `isNew`, the log has all of it. */
  addSource(source: string, snapshot: Snapshot, isNew = false): void {
    this.#snapshots.set(source, snapshot);
    const content = isNew ? [] : [...snapshot()];
    this.#marks.at(-1)?.messages.set(source, this.#redactor.redact(content));
  }

  /** Stops snapshots of a source; its entries stay. */
  removeSource(source: string): void {
    this.#snapshots.delete(source);
  }

  /** Adds an entry without its secrets. */
  add(source: string, content: EntryContent): LogEntry {
    const entry = this.#redactor.redact({
      id: this.#nextId++,
      time: this.#now(),
      source,
      ...content,
    });
    this.#entries.push(entry);
    this.#limitEntries();
    this.#notify();
    return entry;
  }

  /** Replaces the content of an entry, such as a message that was streamed. */
  update(id: number, content: EntryContent): void {
    const index = this.#entries.findIndex((entry) => entry.id === id);
    const old = this.#entries[index];
    if (!old) return;
    const { time, source } = old;
    this.#entries[index] = this.#redactor.redact({ id, time, source, ...content });
    this.#notify();
  }

  /** Returns a value without the secrets of this log. */
  redact<T>(value: T): T {
    return this.#redactor.redact(value);
  }

  /** Adds secrets, and removes them from earlier entries. */
  addSecrets(secrets: Iterable<Json | undefined>): void {
    let isNew = false;
    for (const secret of secrets) isNew = this.#redactor.add(secret) || isNew;
    if (!isNew) return;
    this.#entries = this.#redactor.redact(this.#entries);
    for (const { messages } of this.#marks)
      for (const [source, list] of messages) messages.set(source, this.#redactor.redact(list));
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries = [];
    this.#dropped = 0;
    this.#marks = [];
    this.#addMark();
    this.#notify();
  }

  /** Messages that create the content before the first entry, by source. */
  get checkpoint(): ReadonlyMap<string, readonly Json[]> {
    return this.#marks[0]?.messages ?? new Map();
  }

  /** Calls the listener after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) runAndReport(listener);
  }

  #addMark(): void {
    const messages = new Map<string, Json[]>();
    for (const [source, snapshot] of this.#snapshots)
      messages.set(source, this.#redactor.redact([...snapshot()]));
    this.#marks.push({ nextId: this.#nextId, messages });
  }

  /** Drops the entries before the second mark if there are too many. */
  #limitEntries(): void {
    const last = this.#marks.at(-1)?.nextId ?? 1;
    if (this.#nextId - last >= Math.max(1, this.#limit / 2)) this.#addMark();
    const [, second] = this.#marks;
    if (this.#entries.length <= this.#limit || !second) return;
    const kept = this.#entries.filter(({ id }) => id >= second.nextId);
    this.#dropped += this.#entries.length - kept.length;
    this.#entries = kept;
    this.#marks.shift();
  }
}

/**
 * Returns the messages that a source received, after those that create its earlier content. Without
 * a source, those of all sources.
 */
export function messagesOf(log: EventLog, source?: string): Json[] {
  const isIncluded = (name: string): boolean => source === undefined || name === source;
  const messages = [...log.checkpoint].flatMap(([name, list]) => (isIncluded(name) ? list : []));
  const isComplete = messages.length === 0;
  for (const entry of log.entries) {
    if (entry.kind !== "message" || !isIncluded(entry.source)) continue;
    messages.push(...sentMessages(entry, isComplete));
  }
  return messages;
}

/**
 * Returns the messages of an entry as the agent sent them, or as the surface received them if the
 * content before is not from the agent.
 */
function sentMessages(entry: EntryOf<"message">, isComplete: boolean): Json[] {
  const { message, applied } = entry;
  if (!isComplete && applied) return applied;
  return typeof message === "object" && message !== null ? [message] : [];
}

export { REDACTED };
