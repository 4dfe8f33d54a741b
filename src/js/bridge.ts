import { bytesOf, needMessage } from "./arguments.js";
import { BynameError } from "./errors.js";
import { loneSurrogate, surrogateFault, toText } from "./json-text.js";
import { needRoom } from "./stack-guard.js";
import { Store, wasmMemory } from "./wasm.js";
import type { Diagnostic } from "./wire.js";

const encoder = new TextEncoder();
/** A text may begin with what files use as a mark of their encoding. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How a message was given, for the places of its diagnostics. */
export type Given = 0 | 1 | 2;

/** What the caller holds of a message: bytes, a text in which every character is one byte, or another text. */
type Held = 0 | 1 | 2;
export const ASCII = 1;

/** Node calls the encoder and the decoder faster than browsers do. */
const IN_NODE = "process" in globalThis;

/** Up to this length a loop writes a string faster than the encoder does, word by word. */
const SHORT = IN_NODE ? 24 : 240;

/** And up to this many letters that come behind those, letter by letter. */
const SHORT_REST = IN_NODE ? 24 : 160;

/** And up to this many bytes one reads a string faster than the decoder does. */
const SHORT_ANSWER = IN_NODE ? 32 : 64;

const EMPTY = new Uint8Array(0);

/** Most messages are smaller, and find room at once. */
const LEAST = 1 << 12;

/** More bytes than these are given back when a small message follows a large one. */
const KEPT = 1 << 22;

/** No message can be longer: it has to find room in the memory. */
const LONGEST = 2 ** 31 - 1;

// The memory of the WebAssembly, as bytes and as words.
let bytes: Uint8Array = EMPTY;
let words: Uint32Array<ArrayBuffer> = new Uint32Array(EMPTY.buffer);
// The input, which is the same for all stores: what is written into it is read before anything else is.
let room: Uint8Array = EMPTY;
let input = 0;
/** Which word says how many bytes it has room for. */
let capacity = 0;

/** Looks at the memory anew. */
function refresh(): void {
  const { buffer } = wasmMemory();
  bytes = new Uint8Array(buffer);
  words = new Uint32Array(buffer);
  capacity = Store.room() >>> 2;
  room = bytes.subarray(input, input + (words[capacity] as number));
}

/** The memory as words. Where it has grown, views of what it was are empty. */
function look(): Uint32Array<ArrayBuffer> {
  if (words.length === 0) refresh();
  return words;
}

/** Sees to it that the input has room for so many bytes. */
function makeRoom(length: number): void {
  // A call that was cut off, because there is no more memory, has left none.
  const there = look()[capacity] as number;
  if (length <= there && (there <= KEPT || length >= KEPT / 16)) return;
  input = Store.input(Math.max(length, LEAST));
  refresh();
}

// The words of the header of a store; see src/wasm/header.rs.
export const RECORDS = 0;
export const COUNT = 1;
const BATCH = 2;
const BATCH_LENGTH = 3;
const DIAGNOSTICS = 4;

/** Writes messages into the memory of a store and reads what its header points to. */
export class Bridge {
  readonly handle: Store;
  // The message that lies in the input, ready to be read. Messages are many and short, so they are
  // no objects of their own.
  length = 0;
  given: Given = 0;
  held: Held = 0;
  /** The message, where it was given as text or made of an object. */
  text: string | undefined;
  /** How many bytes a message may have. */
  readonly largest: number;
  /** Which word is the first of the header. */
  readonly header: number;

  constructor(handle: Store, largest: number) {
    this.handle = handle;
    this.header = handle.header() >>> 2;
    this.largest = Math.min(largest, LONGEST);
  }

  /** Puts a message into the input, or says why it cannot be one. */
  write(message: unknown): Diagnostic | undefined {
    if (typeof message === "string") return this.writeText(message, 0);
    const bytes = bytesOf(message);
    if (bytes !== undefined) return this.#writeBytes(bytes);
    needMessage(message);
    const written = toText(message);
    return "fault" in written ? written.fault : this.writeText(written.text, 2);
  }

  /** Puts text into the input. */
  writeText(text: string, given: Given): Diagnostic | undefined {
    const length = text.length;
    if (length > this.largest) return tooLarge(this.largest, given);
    // A few letters beyond ASCII find room at once, and in a short text all that a loop writes.
    makeRoom(length <= SHORT ? 2 * length : length + (length >> 4));
    if (length <= SHORT) {
      const written = this.#spell(text);
      if (written >= 0) return this.#holds(written, given, text);
    }
    let { read, written } = encoder.encodeInto(text, room);
    if (read < length) {
      makeRoom(written + 3 * (length - read));
      ({ read, written } = encoder.encodeInto(text, room));
    }
    const at = written === length ? -1 : loneSurrogate(text);
    return at < 0 ? this.#holds(written, given, text) : surrogateFault(at);
  }

  /**
   * Writes a short text into an input with room for two bytes for each letter; answers how many bytes it has, or
   * -1 where there are letters of more, or too many behind the first that is no ASCII.
   */
  #spell(text: string): number {
    const into = room;
    let nth = plainWords(text);
    if (text.length - nth > SHORT_REST) return -1;
    let at = nth;
    for (; nth < text.length; nth++) {
      const unit = text.charCodeAt(nth);
      if (unit < 0x80) {
        into[at++] = unit;
      } else if (unit < 0x800) {
        into[at++] = 0xc0 | (unit >> 6);
        into[at++] = 0x80 | (unit & 0x3f);
      } else {
        return -1;
      }
    }
    return at;
  }

  /**
   * Puts pieces into the input, and behind them where each of them ends, in code units of text or in bytes.
   * Answers at which byte that stands; nothing where there is a lone surrogate.
   */
  writePieces(all: string | Uint8Array, ends: readonly number[]): number | undefined {
    // More than any text takes, so that it is written once.
    makeRoom(3 * all.length + 4 * (ends.length + 1));
    let written = all.length;
    if (typeof all === "string") {
      ({ written } = encoder.encodeInto(all, room));
      if (written !== all.length && loneSurrogate(all) >= 0) return undefined;
    } else {
      room.set(all);
    }
    const place = written + (-(input + written) & 3);
    let at = (input + place) >>> 2;
    for (const end of ends) words[at++] = end;
    this.#holds(written, 0, typeof all === "string" ? all : undefined);
    return place;
  }

  /** So many words that stand at a byte of the input. */
  wordsAt(place: number, count: number): number[] {
    const words = look();
    const start = (input + place) >>> 2;
    // They are few: a typed array would take longer to make.
    const found: number[] = [];
    for (let at = start; at < start + count; at++) found.push(words[at] as number);
    return found;
  }

  #holds(length: number, given: Given, text: string | undefined): undefined {
    this.length = length;
    this.given = given;
    this.held = text === undefined ? 0 : text.length === length ? ASCII : 2;
    this.text = text;
  }

  #writeBytes(given: Uint8Array): Diagnostic | undefined {
    if (given.length > this.largest) return tooLarge(this.largest, 1);
    makeRoom(given.length);
    room.set(given);
    return this.#holds(given.length, 1, undefined);
  }

  /** The diagnostics that the last call left, if any. They are gone at the next call. */
  diagnostics(): Diagnostic[] | undefined {
    if (look()[this.header + DIAGNOSTICS] === 0) return undefined;
    needRoom();
    return this.handle.diagnostics();
  }

  /** The memory as words: what the last call left there is gone at the next. */
  get words(): Uint32Array<ArrayBuffer> {
    return look();
  }

  /** The texts of the records of the last call, one behind the other. */
  batch(): string {
    const words = look();
    const start = words[this.header + BATCH] as number;
    const length = words[this.header + BATCH_LENGTH] as number;
    if (length === 0) return "";
    const end = start + length;
    const short = length <= SHORT_ANSWER ? spelled(start, end) : undefined;
    return short ?? decoder.decode(bytes.subarray(start, end));
  }
}

/** Writes what a text begins with into the input, words of four letters of ASCII; answers how many letters those are. */
function plainWords(text: string): number {
  // It may lie at any byte.
  if ((input & 3) !== 0) return 0;
  const into = words;
  const last = text.length - 4;
  let word = input >>> 2;
  let nth = 0;
  for (; nth <= last; nth += 4) {
    const a = text.charCodeAt(nth);
    const b = text.charCodeAt(nth + 1);
    const c = text.charCodeAt(nth + 2);
    const d = text.charCodeAt(nth + 3);
    if ((a | b | c | d) >= 0x80) break;
    into[word++] = a | (b << 8) | (c << 16) | (d << 24);
  }
  return nth;
}

/** The text that some bytes of the memory are, eight letters of ASCII at a time; nothing where letters have three bytes. */
function spelled(start: number, end: number): string | undefined {
  const byte = (at: number): number => bytes[at] as number;
  let text = "";
  let at = start;
  while (at < end) {
    if (at + 8 <= end) {
      const [a, b, c, d] = [byte(at), byte(at + 1), byte(at + 2), byte(at + 3)];
      const [e, f, g, h] = [byte(at + 4), byte(at + 5), byte(at + 6), byte(at + 7)];
      if ((a | b | c | d | e | f | g | h) < 0x80) {
        text += String.fromCharCode(a, b, c, d, e, f, g, h);
        at += 8;
        continue;
      }
    }
    const first = byte(at++);
    if (first < 0x80) text += String.fromCharCode(first);
    else if (first < 0xe0) text += String.fromCharCode(((first & 0x1f) << 6) | (byte(at++) & 0x3f));
    else return undefined;
  }
  return text;
}

function tooLarge(limit: number, given: Given): Diagnostic {
  return {
    code: "JSON010",
    severity: "error",
    message: `the text is larger than ${limit} bytes`,
    help: "send it in several messages",
    location: given === 2 ? { kind: "pointer", pointer: "" } : { kind: "text", start: 0, end: 0 },
  };
}

/** Throws for whoever uses a handle after its end. */
export function disposed(what: string): never {
  throw new BynameError("disposed", `this ${what} has been disposed of`);
}
