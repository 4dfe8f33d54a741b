import { asBytes, throwExpected } from "../arguments.js";
import { loneSurrogateDiagnostic, loneSurrogateIndex } from "../json-text.js";
import type { Diagnostic } from "../types.js";
import { wasmMemory } from "../wasm.js";

/** Owner of an input buffer in the WebAssembly memory. */
interface InputBuffer {
  /** Allocates the buffer and returns its address. */
  input(length: number): number;
}

/** Maximum length of the source of a graph in bytes; a limit of the core. */
const MAX_BYTES = 256 * 2 ** 20;

const encoder = new TextEncoder();

/** Encodes a text directly into the input buffer. Returns its length in bytes, or a diagnostic. */
export function writeText(buffer: InputBuffer, text: string | Uint8Array): number | Diagnostic {
  if (typeof text !== "string") {
    if (text.length > MAX_BYTES) return tooLarge();
    allocateView(buffer, text.length).set(text);
    return text.length;
  }
  if (text.length > MAX_BYTES) return tooLarge();
  // Assumes ASCII first, which is nearly always right.
  const { read, written } = encoder.encodeInto(text, allocateView(buffer, text.length));
  if (read === text.length) return written;
  const at = loneSurrogateIndex(text);
  if (at >= 0) return loneSurrogateDiagnostic(at);
  const length = utf8Length(text);
  if (length > MAX_BYTES) return tooLarge();
  return encoder.encodeInto(text, allocateView(buffer, length)).written;
}

/**
 * Returns a view of a new buffer. The allocation may have replaced the memory, so views are not
 * kept.
 */
function allocateView(buffer: InputBuffer, length: number): Uint8Array {
  const start = buffer.input(length) >>> 0;
  return new Uint8Array(wasmMemory().buffer, start, length);
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts for two bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}

function tooLarge(): Diagnostic {
  return {
    code: "GASL140",
    severity: "error",
    message: `the text is larger than ${MAX_BYTES} bytes`,
    help: "import a part of the graph, or query it through an adapter",
  };
}

export function assertTextOrBytes(value: unknown, what: string): string | Uint8Array {
  if (typeof value === "string") return value;
  return asBytes(value) ?? throwExpected(what, "text or bytes", value);
}
