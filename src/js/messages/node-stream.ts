import type { HamStream } from "../stream.js";
import { partialError } from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";

/** What a stream begins with that takes nodes anew. */
const RESTART_PREFIX = '{"updateDataModel":{"nodes":{';

/** The nodes of a message as they come. A broken one takes no other with it. Places are those in the whole text. */
export class NodeStream {
  readonly #collector: ResultCollector;
  /** Takes them. Nothing behind what is broken, until the next node begins. */
  #stream: HamStream | undefined;
  /** Where the text of the stream begins. */
  #streamStart: number;
  /** What was taken of the last node. */
  #lastNodeText = "";
  /** The commas between nodes that have not been taken; whoever finds one puts it here. */
  pendingCommas: number[] = [];
  #isRejected = false;

  /** `head` is the message up to its nodes, from a place on. */
  constructor(collector: ResultCollector, head: string, from: number) {
    this.#collector = collector;
    this.#stream = collector.surface.store.stream();
    this.#streamStart = from;
    collector.add(this.#stream.push(head), from);
  }

  /** Takes what has come next, and begins at a place; false where no more is to be taken. */
  receive(text: string, textStart: number): boolean {
    const [first] = this.pendingCommas;
    const last = this.pendingCommas.at(-1);
    if (!this.#stream) {
      if (first !== undefined) this.#receiveOneByOne(text.slice(first - textStart), first);
    } else {
      this.#push(text, textStart);
    }
    this.#lastNodeText =
      last === undefined ? this.#lastNodeText + text : text.slice(last + 1 - textStart);
    this.pendingCommas = [];
    return !this.#isRejected;
  }

  end(): void {
    if (this.#stream) this.#collector.add(this.#stream.end(), this.#streamStart);
  }

  /** Pushes what has come, and begins at a place. Where something in it is broken nothing was taken, so it is taken apart. */
  #push(text: string, textStart: number): void {
    const result = this.#stream?.push(text);
    if (!result) return;
    const from = this.#streamStart;
    if (partialError(result)) {
      const content = `,${this.#lastNodeText}${text}`;
      if (this.#receiveOneByOne(content, textStart + text.length - content.length)) return;
      // A comma with no node behind it is broken where one stands before it only.
      this.#stream = undefined;
    } else {
      this.#isRejected = !result.ok;
    }
    this.#collector.add(result, from);
  }

  /** Takes nodes one by one, each with the comma behind it. The text begins with a comma, at a place. True where one of them is broken. */
  #receiveOneByOne(text: string, textStart: number): boolean {
    this.#stream = undefined;
    let isBroken = false;
    const commas = [textStart, ...this.pendingCommas.filter((comma) => comma > textStart)];
    for (const [index, comma] of commas.entries()) {
      const from = comma + 1;
      const to = (commas[index + 1] ?? Number.POSITIVE_INFINITY) + 1;
      const part = text.slice(from - textStart, to - textStart);
      const broken = this.#stream ? this.#pushPart(part) : this.#restart(part, from);
      // What is whole before it is taken, as it is where it comes by itself.
      if (broken !== undefined && broken > from) {
        this.#restart(part.slice(0, broken - from), from);
        this.#stream = undefined;
      }
      isBroken ||= broken !== undefined || this.#isRejected;
      if (this.#isRejected) break;
    }
    return isBroken;
  }

  /** Begins a stream with a node, or with what has come of it. */
  #restart(part: string, from: number): number | undefined {
    this.#stream = this.#collector.surface.store.stream();
    this.#streamStart = from - RESTART_PREFIX.length;
    return this.#pushPart(RESTART_PREFIX + part);
  }

  /** Pushes a part. Answers at which place something is broken. */
  #pushPart(part: string): number | undefined {
    const result = this.#stream?.push(part);
    if (!result) return undefined;
    this.#collector.add(result, this.#streamStart);
    if (result.ok) return undefined;
    // A stream with an error has ended.
    this.#stream = undefined;
    const location = partialError(result)?.location;
    if (location?.kind === "text") return location.start + this.#streamStart;
    this.#isRejected = true;
    return undefined;
  }
}
