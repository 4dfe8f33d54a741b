import { asBytes, assertMessage } from "./arguments.js";
import { BynameError } from "./errors.js";
import { loneSurrogateDiagnostic, loneSurrogateIndex, toJsonText } from "./json-text.js";
import { assertStackSpace } from "./stack-guard.js";
import { Store, wasmMemory } from "./wasm.js";
import type { Diagnostic } from "./wire.js";

const encoder = new TextEncoder();
/** A text may begin with what files use as a mark of their encoding. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How a message was given, for the places of its diagnostics. */
export type InputKind = 0 | 1 | 2;

/** What the caller holds of a message: bytes, a text in which every character is one byte, or another text. */
type MessageEncoding = 0 | 1 | 2;
export const ASCII = 1;

/** Node calls the encoder and the decoder faster than browsers do. */
const IN_NODE = "process" in globalThis;

/** Up to this length a loop writes a string faster than the encoder does, word by word. */
const MAX_LOOP_ENCODE = IN_NODE ? 24 : 240;

/** And up to this many letters that come behind those, letter by letter. */
const MAX_LOOP_ENCODE_TAIL = IN_NODE ? 24 : 160;

/** And up to this many bytes one reads a string faster than the decoder does. */
const MAX_LOOP_DECODE = IN_NODE ? 32 : 64;

const EMPTY = new Uint8Array(0);

/** Most messages are smaller, and find room at once. */
const MIN_CAPACITY = 1 << 12;

/** More bytes than these are given back when a small message follows a large one. */
const MAX_RETAINED_CAPACITY = 1 << 22;

/** No message can be longer: it has to find room in the memory. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

// The memory of the WebAssembly, as bytes and as words.
let bytes: Uint8Array = EMPTY;
let words: Uint32Array<ArrayBuffer> = new Uint32Array(EMPTY.buffer);
// The input, which is the same for all stores: what is written into it is read before anything else is.
let inputBuffer: Uint8Array = EMPTY;
let inputOffset = 0;
/** Which word says how many bytes it has room for. */
let capacityIndex = 0;

/** Looks at the memory anew. */
function refreshViews(): void {
  const { buffer } = wasmMemory();
  bytes = new Uint8Array(buffer);
  words = new Uint32Array(buffer);
  capacityIndex = Store.capacity_ptr() >>> 2;
  inputBuffer = bytes.subarray(inputOffset, inputOffset + (words[capacityIndex] as number));
}

/** The memory as words. Where it has grown, views of what it was are empty. */
function currentWords(): Uint32Array<ArrayBuffer> {
  if (words.length === 0) refreshViews();
  return words;
}

/** Sees to it that the input has room for so many bytes. */
function ensureCapacity(length: number): void {
  // A call that was cut off, because there is no more memory, has left none.
  const available = currentWords()[capacityIndex] as number;
  if (
    length <= available &&
    (available <= MAX_RETAINED_CAPACITY || length >= MAX_RETAINED_CAPACITY / 16)
  )
    return;
  inputOffset = Store.input(Math.max(length, MIN_CAPACITY));
  refreshViews();
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
  inputKind: InputKind = 0;
  encoding: MessageEncoding = 0;
  /** The message, where it was given as text or made of an object. */
  text: string | undefined;
  /** How many bytes a message may have. */
  readonly maxBytes: number;
  /** Which word is the first of the header. */
  readonly headerIndex: number;

  constructor(handle: Store, maxBytes: number) {
    this.handle = handle;
    this.headerIndex = handle.header() >>> 2;
    this.maxBytes = Math.min(maxBytes, MAX_MESSAGE_BYTES);
  }

  /** Puts a message into the input, or says why it cannot be one. */
  write(message: unknown): Diagnostic | undefined {
    if (typeof message === "string") return this.writeText(message, 0);
    const bytes = asBytes(message);
    if (bytes !== undefined) return this.#writeBytes(bytes);
    assertMessage(message);
    const written = toJsonText(message);
    return "error" in written ? written.error : this.writeText(written.text, 2);
  }

  /** Puts text into the input. */
  writeText(text: string, inputKind: InputKind): Diagnostic | undefined {
    const length = text.length;
    if (length > this.maxBytes) return tooLargeDiagnostic(this.maxBytes, inputKind);
    // A few letters beyond ASCII find room at once, and in a short text all that a loop writes.
    ensureCapacity(length <= MAX_LOOP_ENCODE ? 2 * length : length + (length >> 4));
    if (length <= MAX_LOOP_ENCODE) {
      const written = this.#encodeInLoop(text);
      if (written >= 0) return this.#setMessage(written, inputKind, text);
    }
    let { read, written } = encoder.encodeInto(text, inputBuffer);
    if (read < length) {
      ensureCapacity(written + 3 * (length - read));
      ({ read, written } = encoder.encodeInto(text, inputBuffer));
    }
    const at = written === length ? -1 : loneSurrogateIndex(text);
    return at < 0 ? this.#setMessage(written, inputKind, text) : loneSurrogateDiagnostic(at);
  }

  /**
   * Writes a short text into an input with room for two bytes for each letter; answers how many bytes it has, or
   * -1 where there are letters of more, or too many behind the first that is no ASCII.
   */
  #encodeInLoop(text: string): number {
    const buffer = inputBuffer;
    let index = writeAsciiWords(text);
    if (text.length - index > MAX_LOOP_ENCODE_TAIL) return -1;
    let length = index;
    for (; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) {
        buffer[length++] = unit;
      } else if (unit < 0x800) {
        buffer[length++] = 0xc0 | (unit >> 6);
        buffer[length++] = 0x80 | (unit & 0x3f);
      } else {
        return -1;
      }
    }
    return length;
  }

  /**
   * Puts pieces into the input, and behind them where each of them ends, in code units of text or in bytes.
   * Answers at which byte that stands; nothing where there is a lone surrogate.
   */
  writeChunks(content: string | Uint8Array, ends: readonly number[]): number | undefined {
    // More than any text takes, so that it is written once.
    ensureCapacity(3 * content.length + 4 * (ends.length + 1));
    let written = content.length;
    if (typeof content === "string") {
      ({ written } = encoder.encodeInto(content, inputBuffer));
      if (written !== content.length && loneSurrogateIndex(content) >= 0) return undefined;
    } else {
      inputBuffer.set(content);
    }
    const endsOffset = written + (-(inputOffset + written) & 3);
    let wordIndex = (inputOffset + endsOffset) >>> 2;
    for (const end of ends) words[wordIndex++] = end;
    this.#setMessage(written, 0, typeof content === "string" ? content : undefined);
    return endsOffset;
  }

  /** So many words that stand at a byte of the input. */
  wordsAtOffset(offset: number, count: number): number[] {
    const words = currentWords();
    const start = (inputOffset + offset) >>> 2;
    // They are few: a typed array would take longer to make.
    const result: number[] = [];
    for (let index = start; index < start + count; index++) result.push(words[index] as number);
    return result;
  }

  #setMessage(length: number, inputKind: InputKind, text: string | undefined): undefined {
    this.length = length;
    this.inputKind = inputKind;
    this.encoding = text === undefined ? 0 : text.length === length ? ASCII : 2;
    this.text = text;
  }

  #writeBytes(inputKind: Uint8Array): Diagnostic | undefined {
    if (inputKind.length > this.maxBytes) return tooLargeDiagnostic(this.maxBytes, 1);
    ensureCapacity(inputKind.length);
    inputBuffer.set(inputKind);
    return this.#setMessage(inputKind.length, 1, undefined);
  }

  /** The diagnostics that the last call left, if any. They are gone at the next call. */
  diagnostics(): Diagnostic[] | undefined {
    if (currentWords()[this.headerIndex + DIAGNOSTICS] === 0) return undefined;
    assertStackSpace();
    return this.handle.diagnostics();
  }

  /** The memory as words: what the last call left there is gone at the next. */
  get words(): Uint32Array<ArrayBuffer> {
    return currentWords();
  }

  /** The texts of the records of the last call, one behind the other. */
  textBatch(): string {
    const words = currentWords();
    const start = words[this.headerIndex + BATCH] as number;
    const length = words[this.headerIndex + BATCH_LENGTH] as number;
    if (length === 0) return "";
    const end = start + length;
    const short = length <= MAX_LOOP_DECODE ? decodeInLoop(start, end) : undefined;
    return short ?? decoder.decode(bytes.subarray(start, end));
  }
}

/** Writes what a text begins with into the input, words of four letters of ASCII; answers how many letters those are. */
function writeAsciiWords(text: string): number {
  // It may lie at any byte.
  if ((inputOffset & 3) !== 0) return 0;
  const buffer = words;
  const last = text.length - 4;
  let wordIndex = inputOffset >>> 2;
  let index = 0;
  for (; index <= last; index += 4) {
    const a = text.charCodeAt(index);
    const b = text.charCodeAt(index + 1);
    const c = text.charCodeAt(index + 2);
    const d = text.charCodeAt(index + 3);
    if ((a | b | c | d) >= 0x80) break;
    buffer[wordIndex++] = a | (b << 8) | (c << 16) | (d << 24);
  }
  return index;
}

/** The text that some bytes of the memory are, eight letters of ASCII at a time; nothing where letters have three bytes. */
function decodeInLoop(start: number, end: number): string | undefined {
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

function tooLargeDiagnostic(limit: number, inputKind: InputKind): Diagnostic {
  return {
    code: "JSON010",
    severity: "error",
    message: `the text is larger than ${limit} bytes`,
    help: "send it in several messages",
    location:
      inputKind === 2 ? { kind: "pointer", pointer: "" } : { kind: "text", start: 0, end: 0 },
  };
}

/** Throws for whoever uses a handle after its end. */
export function throwDisposed(what: string): never {
  throw new BynameError("disposed", `this ${what} has been disposed`);
}
