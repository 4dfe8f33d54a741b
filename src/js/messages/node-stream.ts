import type { HamStream } from "../stream.js";
import { brokenBy } from "./diagnostics.js";
import type { Recipient } from "./result-collector.js";

/** What a stream begins with that takes nodes anew. */
const AGAIN = '{"updateDataModel":{"nodes":{';

/** The nodes of a message as they come. A broken one takes no other with it. Places are those in the whole text. */
export class Nodes {
  readonly #recipient: Recipient;
  /** Takes them. Nothing behind what is broken, until the next node begins. */
  #stream: HamStream | undefined;
  /** Where the text of the stream begins. */
  #from: number;
  /** What was taken of the last node. */
  #begun = "";
  /** The commas between nodes that have not been taken; whoever finds one puts it here. */
  commas: number[] = [];
  #isOver = false;

  /** `head` is the message up to its nodes, from a place on. */
  constructor(recipient: Recipient, head: string, from: number) {
    this.#recipient = recipient;
    this.#stream = recipient.surface.store.stream();
    this.#from = from;
    recipient.note(this.#stream.push(head), from);
  }

  /** Takes what has come next, and begins at a place; false where no more is to be taken. */
  take(text: string, base: number): boolean {
    const [first] = this.commas;
    const last = this.commas.at(-1);
    if (!this.#stream) {
      if (first !== undefined) this.#takeApart(text.slice(first - base), first);
    } else {
      this.#push(text, base);
    }
    this.#begun = last === undefined ? this.#begun + text : text.slice(last + 1 - base);
    this.commas = [];
    return !this.#isOver;
  }

  end(): void {
    if (this.#stream) this.#recipient.note(this.#stream.end(), this.#from);
  }

  /** Pushes what has come, and begins at a place. Where something in it is broken nothing was taken, so it is taken apart. */
  #push(text: string, base: number): void {
    const result = this.#stream?.push(text);
    if (!result) return;
    const from = this.#from;
    if (brokenBy(result)) {
      const whole = `,${this.#begun}${text}`;
      if (this.#takeApart(whole, base + text.length - whole.length)) return;
      // A comma with no node behind it is broken where one stands before it only.
      this.#stream = undefined;
    } else {
      this.#isOver = !result.ok;
    }
    this.#recipient.note(result, from);
  }

  /** Takes nodes one by one, each with the comma behind it. The text begins with a comma, at a place. True where one of them is broken. */
  #takeApart(text: string, start: number): boolean {
    this.#stream = undefined;
    let isBroken = false;
    const cuts = [start, ...this.commas.filter((comma) => comma > start)];
    for (const [nth, cut] of cuts.entries()) {
      const from = cut + 1;
      const to = (cuts[nth + 1] ?? Number.POSITIVE_INFINITY) + 1;
      const part = text.slice(from - start, to - start);
      const broken = this.#stream ? this.#pushPart(part) : this.#begin(part, from);
      // What is whole before it is taken, as it is where it comes by itself.
      if (broken !== undefined && broken > from) {
        this.#begin(part.slice(0, broken - from), from);
        this.#stream = undefined;
      }
      isBroken ||= broken !== undefined || this.#isOver;
      if (this.#isOver) break;
    }
    return isBroken;
  }

  /** Begins a stream with a node, or with what has come of it. */
  #begin(part: string, from: number): number | undefined {
    this.#stream = this.#recipient.surface.store.stream();
    this.#from = from - AGAIN.length;
    return this.#pushPart(AGAIN + part);
  }

  /** Pushes a part. Answers at which place something is broken. */
  #pushPart(part: string): number | undefined {
    const result = this.#stream?.push(part);
    if (!result) return undefined;
    this.#recipient.note(result, this.#from);
    if (result.ok) return undefined;
    // A stream with an error has ended.
    this.#stream = undefined;
    const location = brokenBy(result)?.location;
    if (location?.kind === "text") return location.start + this.#from;
    this.#isOver = true;
    return undefined;
  }
}
