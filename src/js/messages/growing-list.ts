import { jsonEqual } from "../json-value.js";
import { maxBytesOf, setMaxBytes } from "../message-limit.js";
import type { Diagnostic, Json } from "../types.js";
import { isMessage } from "./frames/frame.js";
import { identityOf } from "./merged-result.js";
import type { MessageReader } from "./message-reader.js";
import { ResultCollector } from "./result-collector.js";
import { isListGrowth, type MessageList } from "./snapshots/growth.js";
import { continuesText, type OpenText, openTextOf } from "./snapshots/open-text.js";
import { placeDiagnostics, type Tail, tailOf } from "./snapshots/tail.js";
import type { MessageTarget, Received } from "./types.js";

/** Creates a reader that passes its messages and results to a collector. */
export type ReaderFactory = (collector: ResultCollector) => MessageReader;

/** Milliseconds without another object after which the last part of a list is applied. */
const LAST_PART_DELAY = 250;

/** The same for a list that is growing, if its last part may name another surface or path. */
const LONG_WAIT = 2000;

/** Last part that has been applied before it was known to be complete. */
interface AppliedTail {
  tail: Tail;
  /** Text of the list up to the end of the part. */
  end: string;
  /** Text of the message that has been received. */
  message: string;
  result: Received;
}

/**
 * List of messages that grows from object to object. Its text is read without its end, so that a
 * part is received once, when the next one begins.
 */
export class GrowingList {
  readonly #collector: ResultCollector;
  readonly #createReader: ReaderFactory;
  /** Collector of the reader, whose results are passed on after each text. */
  readonly #own: ResultCollector;
  /** Reader of the open text; `undefined` after its end. */
  #reader: MessageReader | undefined;
  #list: MessageList;
  /** Complete text of the list, and the part of it that stays. */
  #text: string;
  #openText: OpenText;
  /** Number of characters of the text that have been read. */
  #readLength = 0;
  #hasGrown: boolean;
  #applied: AppliedTail | undefined;
  /** Code and message of each diagnostic, and of those that a reader may report again. */
  #reported: string[] = [];
  #repeated: string[] = [];

  constructor(
    collector: ResultCollector,
    createReader: ReaderFactory,
    list: MessageList,
    text: string,
    hasGrown: boolean,
  ) {
    this.#collector = collector;
    this.#createReader = createReader;
    this.#own = new ResultCollector(this.#targetOf(collector.surface));
    this.#list = list;
    this.#hasGrown = hasGrown;
    this.#text = text;
    this.#openText = openTextOf(text);
    this.#reader = createReader(this.#own);
    this.#readOpen();
  }

  /**
   * Receives the list of the next object, also as JSON. Returns false if it does not continue this
   * one.
   */
  receiveList(list: MessageList, text: string): boolean {
    if (list.key !== this.#list.key) return false;
    if (text === this.#text) return this.#hasGrown;
    const before = this.#list.items;
    const isContinued = continuesText(this.#openText, text);
    // Keys that are integers come first in an object, so that its text does not just continue.
    if (!isContinued && !isListGrowth(before, list.items)) return false;
    if (this.#applied && !text.startsWith(this.#applied.end)) this.#dropTail(this.#applied);
    this.#list = list;
    this.#text = text;
    this.#openText = openTextOf(text);
    this.#hasGrown = true;
    if (!isContinued || this.#reader === undefined) this.#restartAtLast(before);
    this.#readOpen();
    return true;
  }

  /** Milliseconds to wait for the next object before `applyTail`, or `undefined` for no limit. */
  get waitTime(): number | undefined {
    const tail = this.#pendingTail();
    if (tail === undefined) return undefined;
    return this.#hasGrown && tail.mayNameOther ? LONG_WAIT : LAST_PART_DELAY;
  }

  /** Applies the last part, which may be complete. Its diagnostics are reported when it is. */
  applyTail(): void {
    const tail = this.#pendingTail();
    if (tail === undefined) return;
    if (tail.message === undefined) {
      this.finish();
      return;
    }
    const part = JSON.stringify(tail.part);
    const end = this.#text.slice(0, this.#text.lastIndexOf(part) + part.length);
    const message = JSON.stringify(tail.message);
    this.#applied = { tail, end, message, result: this.#collector.surface.receive(message) };
  }

  /** Receives the rest of the list, which is complete. */
  finish(): void {
    this.#applyRest(this.#text.slice(this.#readLength));
  }

  /** Ends a list whose source failed: while it grows, its last part is not complete. */
  abort(): void {
    if (this.#hasGrown) this.#applyRest("");
    else this.finish();
  }

  /** Returns the last part, if it has not been applied. */
  #pendingTail(): Tail | undefined {
    const last = this.#list.items.at(-1);
    if (this.#reader === undefined || this.#applied || !isMessage(last)) return undefined;
    return tailOf(last);
  }

  /** Reads the text that has been added. */
  #readOpen(): void {
    const { open } = this.#openText;
    if (open.length <= this.#readLength) return;
    this.#reader?.push(open.slice(this.#readLength));
    this.#readLength = open.length;
    this.#passResult();
  }

  #applyRest(rest: string): void {
    if (this.#reader === undefined) return;
    this.#reader.end(rest);
    this.#readLength = this.#text.length;
    this.#reader = undefined;
    this.#passResult();
  }

  /** Starts to read at the last of the earlier messages, or after it if it has not changed. */
  #restartAtLast(before: readonly Json[]): void {
    const { items } = this.#list;
    const last = before.length - 1;
    const isComplete = this.#reader === undefined && jsonEqual(before[last], items[last]);
    const from = isComplete ? before.length : last;
    this.#repeated = isComplete ? [] : this.#reported;
    this.#reported = [];
    this.#reader = this.#createReader(this.#own);
    this.#reader.push("[");
    // The text of the earlier items ends with a bracket in place of the comma.
    this.#readLength = from === 0 ? 1 : JSON.stringify(items.slice(0, from)).length;
  }

  /** Passes on the result of a text, and the warnings of an applied part that is complete now. */
  #passResult(): void {
    const { ok, diagnostics } = this.#own.takeResult();
    this.#collector.add({ ok, diagnostics: this.#takeNew(diagnostics) }, 0);
    const applied = this.#applied;
    if (applied === undefined) return;
    this.#applied = undefined;
    // The reader receives the part again. That repeats errors, but not warnings about values.
    const warnings = applied.result.diagnostics.filter(({ severity }) => severity !== "error");
    const found = placeDiagnostics(warnings, applied.tail).filter(
      (diagnostic) => !this.#reported.includes(identityOf(diagnostic)),
    );
    this.#collector.add({ ok: true, diagnostics: found }, 0);
  }

  /** Returns the diagnostics that an earlier reader has not reported. */
  #takeNew(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    return diagnostics.filter((diagnostic) => {
      const identity = identityOf(diagnostic);
      this.#reported.push(identity);
      const at = this.#repeated.indexOf(identity);
      if (at >= 0) this.#repeated.splice(at, 1);
      return at < 0;
    });
  }

  /** Returns a target that does not apply the last part again if it is a message. */
  #targetOf(surface: MessageTarget): MessageTarget {
    const target: MessageTarget = {
      receive: (message, firstIndex) => {
        const applied = this.#applied;
        if (applied === undefined || applied.message !== message)
          return surface.receive(message, firstIndex);
        this.#applied = undefined;
        return applied.result;
      },
    };
    setMaxBytes(target, maxBytesOf(surface));
    if (surface.store) target.store = surface.store;
    if (surface.storeOf) target.storeOf = (id) => surface.storeOf?.(id);
    return target;
  }

  /** Drops the result of a part that has grown, and the surface that it created. */
  #dropTail({ tail, result }: AppliedTail): void {
    this.#applied = undefined;
    if (tail.createdId === undefined || !result.ok) return;
    this.#collector.surface.receive({ deleteSurface: { surfaceId: tail.createdId } });
  }
}
