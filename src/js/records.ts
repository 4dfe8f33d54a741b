import type { Bridge } from "./bridge.js";
import type { Json } from "./wire.js";

/** What a record says; see src/ham/surface/record.rs. */
export const op = {
  mount: 1,
  unmount: 2,
  move: 3,
  set: 4,
  enter: 5,
  leave: 6,
  fire: 7,
  surface: 8,
} as const;

/** No instance. */
export const NONE = 0xffffffff;

const half = new Uint32Array(2);
const double = new Float64Array(half.buffer);

/** Reads the records of one update, in order. */
export class Records {
  readonly #words: Uint32Array;
  readonly #bridge: Bridge;
  readonly #message: string;
  #batch: string | undefined;
  #at: number;
  readonly #end: number;

  constructor(bridge: Bridge, message: string | undefined) {
    const { words, start } = bridge.records();
    this.#bridge = bridge;
    this.#words = words;
    this.#at = start;
    this.#end = start + bridge.count();
    this.#message = message ?? "";
  }

  /** Whether there are more words. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /** The next word. */
  word(): number {
    return this.#words[this.#at++] as number;
  }

  /** The next word, without taking it. */
  peek(): number {
    return this.#words[this.#at] as number;
  }

  /** The next value; nothing where the record leaves it out. */
  value(): Json | undefined {
    const tag = this.word();
    const a = this.word();
    const b = this.word();
    switch (tag) {
      case 1:
        return null;
      case 2:
        return false;
      case 3:
        return true;
      case 4:
        half[0] = a;
        half[1] = b;
        return double[0] as number;
      case 5:
        return this.#message.substring(a, a + b);
      case 6:
        return this.#text(a, b);
      case 7:
        return JSON.parse(this.#text(a, b)) as Json;
      default:
        return undefined;
    }
  }

  #text(start: number, length: number): string {
    this.#batch ??= this.#bridge.batch();
    return this.#batch.substring(start, start + length);
  }
}
