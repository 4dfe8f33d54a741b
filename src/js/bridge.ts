import { needMessage } from "./arguments.js";
import { BynameError } from "./errors.js";
import { loneSurrogate, surrogateFault, toText } from "./text.js";
import { type Store, wasmMemory } from "./wasm.js";
import type { Diagnostic } from "./wire.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How a message was given, for the places of its diagnostics. */
export type Given = 0 | 1 | 2;

/** A message that lies in the input of a store, ready to be read. */
export interface Message {
  length: number;
  /** Every character is one byte, so places in the text are places in the bytes. */
  ascii: boolean;
  given: Given;
  /** The text, where the caller holds it as a string of one-byte characters. */
  text: string | undefined;
}

/** Up to this length a loop writes a string faster than the encoder does. */
const SHORT = 24;

/** More bytes than these are given back when a small message follows a large one. */
const KEPT = 1 << 20;

/** Writes messages into the memory of a store and reads what its header points to. */
export class Bridge {
  readonly handle: Store;
  readonly #memory: WebAssembly.Memory;
  readonly #header: number;
  readonly #largest: number;
  #buffer: ArrayBufferLike;
  #bytes: Uint8Array;
  #words: Uint32Array;
  #input = 0;
  #capacity = 0;

  constructor(handle: Store, largest: number) {
    this.handle = handle;
    this.#memory = wasmMemory();
    this.#header = handle.header() >>> 2;
    this.#largest = largest;
    this.#buffer = this.#memory.buffer;
    this.#bytes = new Uint8Array(this.#buffer);
    this.#words = new Uint32Array(this.#buffer);
  }

  /** Looks at the memory anew where it has grown. */
  #refresh(): void {
    if (this.#buffer === this.#memory.buffer) return;
    this.#buffer = this.#memory.buffer;
    this.#bytes = new Uint8Array(this.#buffer);
    this.#words = new Uint32Array(this.#buffer);
  }

  #room(length: number): void {
    if (length > this.#capacity || (this.#capacity > KEPT && length < KEPT / 16)) {
      this.#input = this.handle.input(length);
      this.#capacity = this.handle.capacity();
    }
    this.#refresh();
  }

  /** Puts a message into the input, or says why it cannot be one. */
  write(message: unknown): Message | Diagnostic {
    if (typeof message === "string") return this.writeText(message, 0);
    if (message instanceof Uint8Array) return this.#writeBytes(message);
    if (ArrayBuffer.isView(message)) {
      const { buffer, byteOffset, byteLength } = message;
      return this.#writeBytes(new Uint8Array(buffer, byteOffset, byteLength));
    }
    if (message instanceof ArrayBuffer) return this.#writeBytes(new Uint8Array(message));
    needMessage(message);
    const written = toText(message);
    return "fault" in written ? written.fault : this.writeText(written.text, 2);
  }

  /** Puts text into the input. */
  writeText(text: string, given: Given): Message | Diagnostic {
    const length = text.length;
    if (length > this.#largest) return tooLarge(this.#largest, given);
    this.#room(length);
    if (length <= SHORT) {
      let at = 0;
      for (; at < length; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 127) break;
        this.#bytes[this.#input + at] = unit;
      }
      if (at === length) return { length, ascii: true, given, text };
    }
    let { read, written } = encoder.encodeInto(text, this.#view());
    if (read < length) {
      this.#room(written + 3 * (length - read));
      ({ read, written } = encoder.encodeInto(text, this.#view()));
    }
    if (written === length) return { length, ascii: true, given, text };
    const at = loneSurrogate(text);
    if (at >= 0) return surrogateFault(at);
    return { length: written, ascii: false, given, text: undefined };
  }

  #writeBytes(bytes: Uint8Array): Message | Diagnostic {
    if (bytes.length > this.#largest) return tooLarge(this.#largest, 1);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#input);
    return { length: bytes.length, ascii: false, given: 1, text: undefined };
  }

  #view(): Uint8Array {
    return this.#bytes.subarray(this.#input, this.#input + this.#capacity);
  }

  /** The diagnostics that the last call left. They are gone at the next call. */
  diagnostics(): Diagnostic[] {
    this.#refresh();
    return this.#words[this.#header + 4] === 0 ? [] : this.handle.diagnostics();
  }

  /** How many words of records the last call left. */
  count(): number {
    this.#refresh();
    return this.#words[this.#header + 1] as number;
  }

  /** The records of the last call. They are gone at the next call. */
  records(): Uint32Array {
    this.#refresh();
    const start = (this.#words[this.#header] as number) >>> 2;
    return this.#words.subarray(start, start + this.count());
  }

  /** The texts of the records of the last call, one behind the other. */
  batch(): string {
    this.#refresh();
    const start = this.#words[this.#header + 2] as number;
    const length = this.#words[this.#header + 3] as number;
    return length === 0 ? "" : decoder.decode(this.#bytes.subarray(start, start + length));
  }
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
