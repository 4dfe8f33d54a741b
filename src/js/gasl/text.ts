import { bytesOf, refuse } from "../arguments.js";
import { loneSurrogate, surrogateFault } from "../text.js";
import type { Diagnostic } from "../types.js";
import { wasmMemory } from "../wasm.js";

/** Whoever has room for a text in the memory of the WebAssembly. */
interface Room {
  /** Makes room for so many bytes; answers where. */
  input(length: number): number;
}

/** Bytes that a graph is read from; the limit of the core. */
const LARGEST = 256 * 2 ** 20;

const encoder = new TextEncoder();

/** Puts a text into the input, with no copy but that one; answers its length in bytes or what is wrong. */
export function writeText(room: Room, text: string | Uint8Array): number | Diagnostic {
  if (typeof text !== "string") {
    if (text.length > LARGEST) return tooLarge();
    viewOf(room, text.length).set(text);
    return text.length;
  }
  if (text.length > LARGEST) return tooLarge();
  // Nearly always every character is one byte.
  const { read, written } = encoder.encodeInto(text, viewOf(room, text.length));
  if (read === text.length) return written;
  const at = loneSurrogate(text);
  if (at >= 0) return surrogateFault(at);
  const length = utf8Length(text);
  if (length > LARGEST) return tooLarge();
  return encoder.encodeInto(text, viewOf(room, length)).written;
}

/** Room in the memory as it is then: making room may have moved it. */
function viewOf(room: Room, length: number): Uint8Array {
  const start = room.input(length) >>> 0;
  return new Uint8Array(wasmMemory().buffer, start, length);
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // The two halves of a pair make four bytes together.
    length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}

function tooLarge(): Diagnostic {
  return {
    code: "GASL140",
    severity: "error",
    message: `the text is larger than ${LARGEST} bytes`,
    help: "import a part of the graph, or query it through an adapter",
  };
}

/** Text as it may be given, or a throw for whoever gives something else. */
export function textOrBytes(value: unknown, what: string): string | Uint8Array {
  if (typeof value === "string") return value;
  const given = value === null ? "null" : typeof value;
  return bytesOf(value) ?? refuse(`${what} is text or bytes, not ${given}`);
}
