import { asBytes, assertMessage } from "./arguments.js";
import { BynameError } from "./errors.js";
import { loneSurrogateDiagnostic, loneSurrogateIndex, toJsonText } from "./json-text.js";
import { tooLargeDiagnostic } from "./message-limit.js";
import { assertStackSpace } from "./stack-guard.js";
import { noteInput, releaseInstance, Store, wasmMemory } from "./wasm.js";
import type { Diagnostic } from "./wire.js";

const encoder = new TextEncoder();
/** A byte order mark at the start of a text is content. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Form of a message: text, bytes or object. Decides the locations of its diagnostics. */
export type InputKind = 0 | 1 | 2;

/**
 * Encoding of a message at the caller: bytes, ASCII text or other text. Must match src/ham/surface.
 */
type HostEncoding = 0 | 1 | 2;
export const ASCII = 1;

/** Node calls the encoder and the decoder faster than browsers do. */
const IN_NODE = "process" in globalThis;

/** Maximum length of a string that a loop encodes faster, word by word, than `TextEncoder`. */
const MAX_SHORT_LENGTH = IN_NODE ? 24 : 240;

/**
 * Maximum length of the rest after the first non-ASCII character, which is encoded unit by unit.
 */
const MAX_SHORT_TAIL_LENGTH = IN_NODE ? 24 : 160;

/** Maximum number of bytes that a loop decodes faster than `TextDecoder`. */
const MAX_SHORT_BYTES = IN_NODE ? 32 : 64;

const EMPTY = new Uint8Array(0);

/** Minimum capacity of the input buffer in bytes, enough for most messages. */
const MIN_CAPACITY = 1 << 12;

/** A buffer larger than this, in bytes, is shrunk when a small message follows a large one. */
const MAX_RETAINED_CAPACITY = 1 << 22;

/** Maximum length of a message in bytes. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

// WebAssembly memory, as bytes and as words.
let bytes: Uint8Array = EMPTY;
let words: Uint32Array<ArrayBuffer> = new Uint32Array(EMPTY.buffer);
// Input buffer, shared by all stores. The core reads each message before the next one is written.
let inputBuffer: Uint8Array = EMPTY;
let inputOffset = 0;
/** Index of the word with the capacity of the input buffer. */
let capacityIndex = 0;

/** Recreates the views of the memory. */
function refreshViews(): void {
  const { buffer } = wasmMemory();
  bytes = new Uint8Array(buffer);
  words = new Uint32Array(buffer);
  capacityIndex = Store.capacity_ptr() >>> 2;
  inputBuffer = bytes.subarray(inputOffset, inputOffset + (words[capacityIndex] as number));
}

/** Returns the memory as words. Views of a memory that has grown are empty. */
function currentWords(): Uint32Array<ArrayBuffer> {
  if (words.length === 0) refreshViews();
  return words;
}

/** Disconnects the WebAssembly and drops the views of its memory, so that it is freed. */
export function releaseMemory(): void {
  bytes = EMPTY;
  words = new Uint32Array(EMPTY.buffer);
  inputBuffer = EMPTY;
  releaseInstance();
}

/** Ensures a minimum capacity of the input buffer in bytes. */
function ensureCapacity(length: number): void {
  // The capacity is 0 after a call that ended because memory was exhausted.
  const available = currentWords()[capacityIndex] as number;
  if (
    length <= available &&
    (available <= MAX_RETAINED_CAPACITY || length >= MAX_RETAINED_CAPACITY / 16)
  )
    return;
  const capacity = Math.max(length, MIN_CAPACITY);
  inputOffset = Store.input(capacity);
  noteInput(inputOffset, capacity);
  refreshViews();
}

// Offsets of the words in the header of a store; see src/wasm/header.rs.
export const RECORDS_WORD = 0;
export const WORD_COUNT_WORD = 1;
const BATCH_WORD = 2;
const BATCH_LENGTH_WORD = 3;
const DIAGNOSTIC_COUNT_WORD = 4;

/** Writes messages into the memory of a store and reads the results that its header points to. */
export class Bridge {
  readonly handle: Store;
  // The current message in the input buffer. These are fields because messages are many and short.
  length = 0;
  inputKind: InputKind = 0;
  encoding: HostEncoding = 0;
  /** The message, if it was given as text or as an object. */
  text: string | undefined;
  /** Maximum length of a message in bytes. */
  readonly maxBytes: number;
  /** Index of the first word of the header. */
  readonly headerIndex: number;

  constructor(handle: Store, maxBytes: number) {
    this.handle = handle;
    this.headerIndex = handle.header() >>> 2;
    this.maxBytes = Math.min(maxBytes, MAX_MESSAGE_BYTES);
  }

  /** Writes a message into the input buffer. Returns a diagnostic if it is invalid. */
  write(message: unknown): Diagnostic | undefined {
    if (typeof message === "string") return this.writeText(message, 0);
    const bytes = asBytes(message);
    if (bytes !== undefined) return this.#writeBytes(bytes);
    assertMessage(message);
    const written = toJsonText(message);
    return "error" in written ? written.error : this.writeText(written.text, 2);
  }

  /** Writes text into the input buffer. */
  writeText(text: string, inputKind: InputKind): Diagnostic | undefined {
    const length = text.length;
    if (length > this.maxBytes) {
      const error = tooLargeDiagnostic(this.maxBytes);
      return inputKind === 2 ? { ...error, location: { kind: "pointer", pointer: "" } } : error;
    }
    // The capacity covers a few non-ASCII characters, and any short text.
    ensureCapacity(length <= MAX_SHORT_LENGTH ? 2 * length : length + (length >> 4));
    if (length <= MAX_SHORT_LENGTH) {
      const written = this.#tryEncodeShort(text);
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
   * Encodes a short text into a buffer with two bytes per code unit. Returns the length in bytes,
   * or -1 if a character needs more bytes or too much follows the first non-ASCII one.
   */
  #tryEncodeShort(text: string): number {
    const buffer = inputBuffer;
    let index = writeAsciiWords(text);
    if (text.length - index > MAX_SHORT_TAIL_LENGTH) return -1;
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
   * Writes chunks and, after them, the end of each chunk in code units or bytes. Returns the byte
   * offset of the ends, or `undefined` for a lone surrogate.
   */
  writeChunks(content: string | Uint8Array, ends: readonly number[]): number | undefined {
    // Upper bound of the encoded length, so that the text is encoded once.
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

  /** Returns words from a byte offset in the input buffer. */
  wordsAtOffset(offset: number, count: number): number[] {
    const words = currentWords();
    const start = (inputOffset + offset) >>> 2;
    // A plain list, because a small typed array takes longer to create.
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
    if (inputKind.length > this.maxBytes) return tooLargeDiagnostic(this.maxBytes);
    ensureCapacity(inputKind.length);
    inputBuffer.set(inputKind);
    return this.#setMessage(inputKind.length, 1, undefined);
  }

  /** Returns the diagnostics of the last call, if any. The next call discards them. */
  lastDiagnostics(): Diagnostic[] | undefined {
    if (currentWords()[this.headerIndex + DIAGNOSTIC_COUNT_WORD] === 0) return undefined;
    assertStackSpace();
    return this.handle.diagnostics();
  }

  /** Memory as words. The next call overwrites the results in it. */
  get words(): Uint32Array<ArrayBuffer> {
    return currentWords();
  }

  /** Returns the texts of the records of the last call, concatenated. */
  textBatch(): string {
    const words = currentWords();
    const start = words[this.headerIndex + BATCH_WORD] as number;
    const length = words[this.headerIndex + BATCH_LENGTH_WORD] as number;
    if (length === 0) return "";
    const end = start + length;
    const short = length <= MAX_SHORT_BYTES ? tryDecodeShort(start, end) : undefined;
    return short ?? decoder.decode(bytes.subarray(start, end));
  }
}

/**
 * Writes the ASCII start of a text into the input buffer, four characters per word. Returns its
 * length.
 */
function writeAsciiWords(text: string): number {
  // The buffer may be unaligned.
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

/**
 * Decodes bytes of the memory, eight ASCII characters at a time. Returns `undefined` for three-byte
 * characters.
 */
function tryDecodeShort(start: number, end: number): string | undefined {
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

/** Throws the error of a disposed handle. */
export function throwDisposed(what: string): never {
  throw new BynameError("disposed", `this ${what} has been disposed`);
}
