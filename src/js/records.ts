import { type Bridge, COUNT, RECORDS } from "./bridge.js";
import type { Json } from "./wire.js";

// What a record says; see src/ham/surface/record.rs. An unmount is what is none of these.
export const MOUNT = 1;
export const MOVE = 3;
export const SET = 4;
export const ENTER = 5;
const LEAVE = 6;
export const FIRE = 7;
export const SURFACE = 8;

/** No instance. */
export const NONE = 0xffffffff;

// What a value is.
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const NUMBER = 4;
const TEXT_IN_MESSAGE = 5;
const TEXT = 6;
const JSON_TEXT = 7;

/** The words of a mount in front of its instance. */
const MOUNT_HEAD = 3;
/** Where in an instance its size stands, and its number; how many words stand in front of its properties, and how many each has. */
const SIZE_AT = 1;
const NUMBER_AT = 2;
const HEAD = 9;
const PROP = 4;

const NOTHING = new Uint32Array(0);

let make: (
  bridge: Bridge,
  words: Uint32Array<ArrayBuffer>,
  at: number,
  message: string,
  batch: string | undefined,
) => Records;

const half = new Uint32Array(2);
const double = new Float64Array(half.buffer);

/**
 * Reads records in order: those of the last call, or some that are kept. What comes most often is read out of
 * `words` by whoever wants it, for a call for each of them takes longer.
 */
export class Records {
  readonly #bridge: Bridge;
  words = NOTHING;
  /** Which word is the next. */
  at = 0;
  /** Behind the last of them. */
  end = 0;
  /** The text of the message, in which texts of the records stand. */
  #message = "";
  /** The other texts, once one of them is read. */
  #batch: string | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Turns to the records of the last call, as they lie in memory until the next one. */
  turnToLast(message: string | undefined): void {
    const { words, header } = this.#bridge;
    const at = (words[header + RECORDS] as number) >>> 2;
    this.words = words;
    this.at = at;
    this.end = at + (words[header + COUNT] as number);
    this.#message = message ?? "";
    this.#batch = undefined;
  }

  /** The same records, to be read at any time. */
  kept(): Records {
    const bridge = this.#bridge;
    return make(bridge, this.words.slice(this.at, this.end), 0, this.#message, bridge.batch());
  }

  static {
    make = (bridge, words, at, message, batch) => {
      const records = new Records(bridge);
      records.words = words;
      records.at = at;
      records.end = words.length;
      records.#message = message;
      records.#batch = batch;
      return records;
    };
  }

  /** The same records, which are kept, to be read from a place on. */
  from(at: number): Records {
    return make(this.#bridge, this.words, at, this.#message, this.#batch);
  }

  /** The next word. */
  word(): number {
    return this.words[this.at++] as number;
  }

  /** The next word, without taking it. */
  peek(): number {
    return this.words[this.at] as number;
  }

  /** Passes over the instances that follow one another here; answers where each of them is. */
  passInstances(): number[] {
    const words = this.words;
    const places: number[] = [];
    let at = this.at;
    for (; words[at] === ENTER; at += words[at + SIZE_AT] as number) places.push(at);
    this.at = at;
    return places;
  }

  /**
   * Passes over mounts that follow one another, each in front of the last, if there are more than so
   * many. Answers the parent and the sibling behind them, records of theirs that stay, and where in
   * those the instances are, in order.
   */
  passMounts(many: number): [number, number, Records, number[]] | undefined {
    const words = this.words;
    const start = this.at;
    const parent = words[start + 1] as number;
    const behind = words[start + 2] as number;
    const places: number[] = [];
    let at = start;
    let before = behind;
    while (
      at < this.end &&
      words[at] === MOUNT &&
      words[at + 1] === parent &&
      words[at + 2] === before
    ) {
      const instance = at + MOUNT_HEAD;
      places.push(instance - start);
      before = words[instance + NUMBER_AT] as number;
      at = instance + (words[instance + SIZE_AT] as number);
    }
    if (places.length <= many) return undefined;
    this.at = at;
    this.#batch ??= this.#bridge.batch();
    const own = make(this.#bridge, words.slice(start, at), 0, this.#message, this.#batch);
    return [parent, behind, own, places.reverse()];
  }

  /** Passes over the properties of the instance whose head was read. */
  passProps(): void {
    this.at += 1 + PROP * this.peek();
  }

  /** For each instance in those at the places, by its number: in which of them it is. */
  owners(places: readonly number[]): number[] {
    const words = this.words;
    const owners: number[] = [];
    for (const [index, start] of places.entries()) {
      const end = start + (words[start + SIZE_AT] as number);
      for (let at = start; at < end; ) {
        if (words[at] === LEAVE) {
          at += 1;
          continue;
        }
        owners[words[at + NUMBER_AT] as number] = index;
        at += HEAD + PROP * (words[at + HEAD - 1] as number);
      }
    }
    return owners;
  }

  /** The next value; nothing where the record leaves it out. */
  value(): Json | undefined {
    const { words, at } = this;
    this.at = at + 3;
    const a = words[at + 1] as number;
    const b = words[at + 2] as number;
    switch (words[at]) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case NUMBER:
        half[0] = a;
        half[1] = b;
        return double[0] as number;
      case TEXT_IN_MESSAGE:
        return this.#message.substring(a, a + b);
      case TEXT:
        return this.#text(a, b);
      case JSON_TEXT:
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
