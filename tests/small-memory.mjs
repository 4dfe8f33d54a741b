// The WebAssembly module with a small maximum of memory, so that a test can exhaust it at once.

import { readFileSync } from "node:fs";

const MEMORY_SECTION = 5;

/** Returns the bytes of the module with at most `pages` pages of 64 kB. */
export function moduleWithPages(pages, file = "../pkg/byname_bg.wasm") {
  const bytes = readFileSync(new URL(file, import.meta.url));
  let at = 8;
  while (bytes[at] !== MEMORY_SECTION) at = readNumber(bytes, at + 1).end + readNumber(bytes, at + 1).value;
  const { value: length, end: start } = readNumber(bytes, at + 1);
  const initial = readNumber(bytes, start + 2).value;
  // One memory, whose limits have a maximum.
  const content = [1, 1, ...numberBytes(initial), ...numberBytes(pages)];
  const section = [MEMORY_SECTION, ...numberBytes(content.length), ...content];
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(section), bytes.subarray(start + length)]);
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes, at) {
  let [value, shift, end] = [0, 0, at];
  do value += (bytes[end] & 0x7f) * 2 ** shift;
  while (bytes[end++] >= 0x80 && (shift += 7));
  return { value, end };
}

function numberBytes(value) {
  const bytes = [];
  do bytes.push((value & 0x7f) | (value >= 0x80 ? 0x80 : 0));
  while ((value >>>= 7) > 0);
  return bytes;
}
