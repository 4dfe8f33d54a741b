import { type Bridge, RECORDS_WORD, WORD_COUNT_WORD } from "./bridge.js";
import type { Json } from "./wire.js";

// Kinds of records; see src/ham/surface/record.rs. Any other kind is an unmount.
export const OP_MOUNT = 1;
export const OP_MOVE = 3;
export const OP_SET = 4;
export const OP_ENTER = 5;
const OP_LEAVE = 6;
export const OP_FIRE = 7;
export const OP_SURFACE = 8;
export const OP_APPEND = 9;

export const NO_INSTANCE = 0xffffffff;

// Kinds of values.
const TAG_NULL = 1;
const TAG_FALSE = 2;
const TAG_TRUE = 3;
const TAG_NUMBER = 4;
const TEXT_IN_MESSAGE = 5;
const TAG_TEXT = 6;
const JSON_TEXT = 7;

/** Number of words of a mount before its instance. */
const MOUNT_HEAD = 3;
/**
 * Word offsets of size and index in an instance; numbers of words before its properties and per
 * property.
 */
const SIZE_OFFSET = 1;
const NUMBER_OFFSET = 2;
const INSTANCE_HEAD = 9;
const PROP_WORDS = 4;

const NO_WORDS = new Uint32Array(0);

let createReader: (
  bridge: Bridge,
  words: Uint32Array<ArrayBuffer>,
  index: number,
  message: string,
  batch: string | undefined,
) => RecordReader;

const floatWords = new Uint32Array(2);
const float = new Float64Array(floatWords.buffer);

/**
 * Reads records in order: those of the last call, or a copy. Hot loops read `words` directly,
 * because a call per word is slower.
 */
export class RecordReader {
  readonly #bridge: Bridge;
  words = NO_WORDS;
  /** Index of the next word. */
  index = 0;
  /** Index after the last word. */
  endIndex = 0;
  /** Text of the message, which the records refer to. */
  #message = "";
  /** Other texts, decoded on first use. */
  #batch: string | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Sets the reader to the records of the last call. They are valid until the next call. */
  resetToLast(message: string | undefined): void {
    const { words, headerIndex } = this.#bridge;
    const index = (words[headerIndex + RECORDS_WORD] as number) >>> 2;
    this.words = words;
    this.index = index;
    this.endIndex = index + (words[headerIndex + WORD_COUNT_WORD] as number);
    this.#message = message ?? "";
    this.#batch = undefined;
  }

  /** Returns a reader of a copy, which stays valid. */
  copy(): RecordReader {
    const bridge = this.#bridge;
    return createReader(
      bridge,
      this.words.slice(this.index, this.endIndex),
      0,
      this.#message,
      bridge.textBatch(),
    );
  }

  static {
    createReader = (bridge, words, index, message, batch) => {
      const records = new RecordReader(bridge);
      records.words = words;
      records.index = index;
      records.endIndex = words.length;
      records.#message = message;
      records.#batch = batch;
      return records;
    };
  }

  /** Returns a reader of the same copy from an index. */
  copyAt(index: number): RecordReader {
    return createReader(this.#bridge, this.words, index, this.#message, this.#batch);
  }

  readWord(): number {
    return this.words[this.index++] as number;
  }

  peekWord(): number {
    return this.words[this.index] as number;
  }

  /** Skips adjacent instances. Returns the index of each. */
  skipInstances(): number[] {
    const words = this.words;
    const offsets: number[] = [];
    let index = this.index;
    for (; words[index] === OP_ENTER; index += words[index + SIZE_OFFSET] as number)
      offsets.push(index);
    this.index = index;
    return offsets;
  }

  /**
   * Skips adjacent mounts, each before the previous one, if they are more than `minCount`. Returns
   * the parent, the next sibling, a copy of their records, and the offsets of the instances in
   * order.
   */
  skipMounts(minCount: number): [number, number, RecordReader, number[]] | undefined {
    const words = this.words;
    const start = this.index;
    const parent = words[start + 1] as number;
    const nextSibling = words[start + 2] as number;
    const offsets: number[] = [];
    let index = start;
    let before = nextSibling;
    while (
      index < this.endIndex &&
      words[index] === OP_MOUNT &&
      words[index + 1] === parent &&
      words[index + 2] === before
    ) {
      const instance = index + MOUNT_HEAD;
      offsets.push(instance - start);
      before = words[instance + NUMBER_OFFSET] as number;
      index = instance + (words[instance + SIZE_OFFSET] as number);
    }
    if (offsets.length <= minCount) return undefined;
    this.index = index;
    this.#batch ??= this.#bridge.textBatch();
    const mounts = createReader(
      this.#bridge,
      words.slice(start, index),
      0,
      this.#message,
      this.#batch,
    );
    return [parent, nextSibling, mounts, offsets.reverse()];
  }

  /** Skips the properties of an instance whose head was read. */
  skipProps(): void {
    this.index += 1 + PROP_WORDS * this.peekWord();
  }

  /** Returns the index of the row that contains each instance, by the index of the instance. */
  rowByInstance(offsets: readonly number[]): number[] {
    const words = this.words;
    const rowByInstance: number[] = [];
    for (const [row, start] of offsets.entries()) {
      const endIndex = start + (words[start + SIZE_OFFSET] as number);
      for (let index = start; index < endIndex; ) {
        if (words[index] === OP_LEAVE) {
          index += 1;
          continue;
        }
        rowByInstance[words[index + NUMBER_OFFSET] as number] = row;
        index += INSTANCE_HEAD + PROP_WORDS * (words[index + INSTANCE_HEAD - 1] as number);
      }
    }
    return rowByInstance;
  }

  /** Reads a value, or returns `undefined` if the record has none. */
  readValue(): Json | undefined {
    const { words, index } = this;
    this.index = index + 3;
    const a = words[index + 1] as number;
    const b = words[index + 2] as number;
    switch (words[index]) {
      case TAG_NULL:
        return null;
      case TAG_FALSE:
        return false;
      case TAG_TRUE:
        return true;
      case TAG_NUMBER:
        floatWords[0] = a;
        floatWords[1] = b;
        return float[0] as number;
      case TEXT_IN_MESSAGE:
        return this.#message.substring(a, a + b);
      case TAG_TEXT:
        return this.#text(a, b);
      case JSON_TEXT:
        return JSON.parse(this.#text(a, b)) as Json;
      default:
        return undefined;
    }
  }

  #text(start: number, length: number): string {
    this.#batch ??= this.#bridge.textBatch();
    return this.#batch.substring(start, start + length);
  }
}
