// The WebAssembly module with a small maximum of memory, so that a test can exhaust it at once.

import { readFileSync } from "node:fs";

const MEMORY_SECTION = 5;

/** Returns the bytes of the module with at most `pages` pages of 64 kB. */
export function moduleWithPages(pages, file = "../pkg/byname_bg.wasm") {
  const bytes = readFileSync(new URL(file, import.meta.url));
  let at = 8;
  while (bytes[at] !== MEMORY_SECTION) {
    const { value, end } = readNumber(bytes, at + 1);
    at = end + value;
  }
  const { value: length, end: start } = readNumber(bytes, at + 1);
  const initial = readNumber(bytes, start + 2).value;
  // One memory, whose limits have a maximum.
  const content = [1, 1, ...numberBytes(initial), ...numberBytes(pages)];
  const section = [MEMORY_SECTION, ...numberBytes(content.length), ...content];
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(section),
    bytes.subarray(start + length),
  ]);
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes, start) {
  let value = 0;
  for (let at = start; ; at += 1) {
    value += (bytes[at] & 0x7f) * 2 ** (7 * (at - start));
    if (bytes[at] < 0x80) return { value, end: at + 1 };
  }
}

function numberBytes(value) {
  if (value < 0x80) return [value];
  return [(value & 0x7f) | 0x80, ...numberBytes(value >>> 7)];
}
