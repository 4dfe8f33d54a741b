import { asBytes, throwExpected } from "../arguments.js";
import { loneSurrogateDiagnostic, loneSurrogateIndex } from "../json-text.js";
import type { Diagnostic } from "../types.js";
import { wasmMemory } from "../wasm.js";

/** Whoever has room for a text in the memory of the WebAssembly. */
interface InputBuffer {
  /** Makes room for so many bytes; answers where. */
  input(length: number): number;
}

/** Bytes that a graph is read from; the limit of the core. */
const MAX_BYTES = 256 * 2 ** 20;

const encoder = new TextEncoder();

/** Puts a text into the input, with no copy but that one; answers its length in bytes or what is wrong. */
export function writeText(buffer: InputBuffer, text: string | Uint8Array): number | Diagnostic {
  if (typeof text !== "string") {
    if (text.length > MAX_BYTES) return tooLarge();
    allocateView(buffer, text.length).set(text);
    return text.length;
  }
  if (text.length > MAX_BYTES) return tooLarge();
  // Nearly always every character is one byte.
  const { read, written } = encoder.encodeInto(text, allocateView(buffer, text.length));
  if (read === text.length) return written;
  const at = loneSurrogateIndex(text);
  if (at >= 0) return loneSurrogateDiagnostic(at);
  const length = utf8Length(text);
  if (length > MAX_BYTES) return tooLarge();
  return encoder.encodeInto(text, allocateView(buffer, length)).written;
}

/** Room in the memory as it is then: making room may have moved it. */
function allocateView(buffer: InputBuffer, length: number): Uint8Array {
  const start = buffer.input(length) >>> 0;
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
    message: `the text is larger than ${MAX_BYTES} bytes`,
    help: "import a part of it, or query it with an adapter",
  };
}

/** Text as it may be given, or a throw for whoever gives something else. */
export function assertTextOrBytes(value: unknown, what: string): string | Uint8Array {
  if (typeof value === "string") return value;
  return asBytes(value) ?? throwExpected(what, "text or bytes", value);
}
