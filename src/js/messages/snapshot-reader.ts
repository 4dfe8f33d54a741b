import type { Json } from "../types.js";
import { isMessage } from "./frames/frame.js";
import { GrowingList, type ReaderFactory } from "./growing-list.js";
import type { ResultCollector } from "./result-collector.js";
import { isGrowth, type MessageList, messageListOf } from "./snapshots/growth.js";

/**
 * Receives objects, of which one may be a snapshot of another that grows, as `partialObjectStream`
 * of the AI SDK yields them. A list of messages is read without its end until the next object. An
 * object without a message is read then too, because it may be the beginning of one.
 */
export class SnapshotReader {
  readonly #collector: ResultCollector;
  readonly #createReader: ReaderFactory;
  /** Object in which no message is known yet. */
  #pending: object | undefined;
  #list: GrowingList | undefined;
  /** Whether the growing object is one message, without a list. */
  #isSingle = false;

  constructor(collector: ResultCollector, createReader: ReaderFactory) {
    this.#collector = collector;
    this.#createReader = createReader;
  }

  receive(value: object): void {
    const isFirst = this.#pending === undefined && this.#list === undefined;
    if (isFirst && isMessage(value as Json)) {
      this.#receiveComplete(value);
      return;
    }
    const list = this.#listOf(value);
    const text = jsonTextOf(list?.items ?? value);
    if (list && text !== undefined && this.#list?.receiveList(list, text)) return;
    const isContinued = this.#pending !== undefined && this.#isGrowth(this.#pending, value, text);
    if (!isContinued) this.finish();
    this.#pending = undefined;
    if (this.#collector.receiveTransport(value, 0)) return;
    this.#isSingle = isContinued && isMessage(value as Json);
    this.#beginObject(value, isContinued);
  }

  /** Milliseconds to wait for the next object before `applyTail`, or `undefined` for no limit. */
  get waitTime(): number | undefined {
    return this.#list?.waitTime;
  }

  /** Applies the last part of the last object, which may be complete. */
  applyTail(): void {
    this.#list?.applyTail();
  }

  /** Receives the rest of the last object, which is complete. */
  finish(): void {
    this.#list?.finish();
    this.#finishPending();
  }

  /** Ends the last object of a source that failed. */
  abort(): void {
    this.#list?.abort();
    this.#finishPending();
  }

  #finishPending(): void {
    const pending = this.#pending;
    this.#list = undefined;
    this.#pending = undefined;
    if (pending !== undefined) this.#receiveComplete(pending);
  }

  /** Returns whether an object is a later state of the pending one; `text` is its JSON text. */
  #isGrowth(pending: object, value: object, text: string | undefined): boolean {
    // A producer may change and yield the same object.
    return text !== undefined && (pending === value || isGrowth(pending as Json, value as Json));
  }

  /** Receives an object that begins something. */
  #beginObject(value: object, isContinued: boolean): void {
    const list = this.#listOf(value);
    const text = jsonTextOf(list?.items ?? value);
    if (list && text !== undefined)
      this.#list = new GrowingList(this.#collector, this.#createReader, list, text, isContinued);
    else if (text === undefined || isMessage(value as Json)) this.#receiveComplete(value);
    else this.#pending = value;
  }

  /** Returns the messages in an object; a growing message is the only one. */
  #listOf(value: object): MessageList | undefined {
    if (this.#isSingle && isMessage(value as Json))
      return { key: undefined, items: [value as Json] };
    return messageListOf(value as Json);
  }

  #receiveComplete(value: object): void {
    if (this.#collector.receiveFrame(value, 0)) return;
    this.#collector.add(this.#collector.surface.receive(value), 0);
  }
}

/** Returns a value as JSON, or `undefined` for a value that is not JSON. */
function jsonTextOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
