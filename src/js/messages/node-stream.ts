import type { HamStream } from "../stream.js";
import { partialError } from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";
import type { NodeStore } from "./types.js";

/** Start of a stream for further nodes. */
const RESTART_PREFIX = '{"updateDataModel":{"nodes":{';

/**
 * Nodes of a message while it is streamed. Other nodes are received despite a broken one. Offsets
 * are in the complete text.
 */
export class NodeStream {
  readonly #collector: ResultCollector;
  readonly #store: NodeStore;
  /** Open stream; `undefined` after a broken node until the next one begins. */
  #stream: HamStream | undefined;
  /** Offset of the text of the stream. */
  #streamStart: number;
  /** Received text of the last node. */
  #lastNodeText = "";
  /** Offsets of commas between nodes that have not been received; the scanner adds them. */
  pendingCommas: number[] = [];
  #isRejected = false;

  /** `head` is the message up to its nodes, from an offset. */
  constructor(collector: ResultCollector, store: NodeStore, head: string, from: number) {
    this.#collector = collector;
    this.#store = store;
    this.#stream = this.#openStream();
    this.#streamStart = from;
    collector.add(this.#stream.push(head), from);
  }

  #openStream(): HamStream {
    return this.#store.stream({ partialText: this.#collector.frameLimit !== undefined });
  }

  /** Receives text from an offset. Returns false if the rest is to be skipped. */
  receive(text: string, textStart: number): boolean {
    const [first] = this.pendingCommas;
    const last = this.pendingCommas.at(-1);
    if (!this.#stream) {
      if (first !== undefined) this.#receiveOneByOne(text.slice(first - textStart), first);
    } else {
      this.#pushText(text, textStart);
    }
    // Without a stream the text of a broken node is skipped.
    const before = this.#stream ? this.#lastNodeText : "";
    this.#lastNodeText = last === undefined ? before + text : text.slice(last + 1 - textStart);
    this.pendingCommas = [];
    return !this.#isRejected;
  }

  end(): void {
    if (this.#stream) this.#collector.add(this.#stream.end(), this.#streamStart);
  }

  /**
   * Pushes text from an offset. If a part is broken nothing was applied, so the nodes are received
   * one by one.
   */
  #pushText(text: string, textStart: number): void {
    const result = this.#stream?.push(text);
    if (!result) return;
    const from = this.#streamStart;
    if (partialError(result)) {
      const content = `,${this.#lastNodeText}${text}`;
      if (this.#receiveOneByOne(content, textStart + text.length - content.length)) return;
      // A trailing comma is an error only after another comma.
      this.#stream = undefined;
    } else {
      this.#isRejected = !result.ok;
    }
    this.#collector.add(result, from);
  }

  /**
   * Receives nodes one by one, each with the comma after it. The text begins with a comma. Returns
   * whether a node is broken.
   */
  #receiveOneByOne(text: string, textStart: number): boolean {
    this.#stream = undefined;
    let isBroken = false;
    const commas = [textStart, ...this.pendingCommas.filter((comma) => comma > textStart)];
    for (const [index, comma] of commas.entries()) {
      const from = comma + 1;
      const to = (commas[index + 1] ?? Number.POSITIVE_INFINITY) + 1;
      const part = text.slice(from - textStart, to - textStart);
      const broken = this.#stream ? this.#pushPart(part) : this.#restartWith(part, from);
      // Applies the valid part before the error, as if it had arrived separately.
      if (broken !== undefined && broken > from) {
        this.#restartWith(part.slice(0, broken - from), from);
        this.#stream = undefined;
      }
      isBroken ||= broken !== undefined || this.#isRejected;
      if (this.#isRejected) break;
    }
    return isBroken;
  }

  /** Begins a new stream with a node, or with its beginning. */
  #restartWith(part: string, from: number): number | undefined {
    this.#stream = this.#openStream();
    this.#streamStart = from - RESTART_PREFIX.length;
    return this.#pushPart(RESTART_PREFIX + part);
  }

  /** Pushes a part. Returns the offset of an error, or `undefined`. */
  #pushPart(part: string): number | undefined {
    const result = this.#stream?.push(part);
    if (!result) return undefined;
    this.#collector.add(result, this.#streamStart);
    if (result.ok) return undefined;
    // A stream closes on an error.
    this.#stream = undefined;
    const location = partialError(result)?.location;
    if (location?.kind === "text") return location.start + this.#streamStart;
    this.#isRejected = true;
    return undefined;
  }
}
