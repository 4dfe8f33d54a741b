/**
 * Returns SHA-256 (FIPS 180-4) of a UTF-8 text in hexadecimal. Web Crypto is asynchronous, so the
 * order of recorded calls would be random, and it is missing in insecure contexts.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const hash = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  const padded = padMessage(bytes);
  for (let at = 0; at < padded.byteLength; at += 64) {
    for (let word = 0; word < 16; word++) schedule[word] = padded.getUint32(at + 4 * word);
    compressBlock(hash, schedule);
  }
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Returns the first `count` primes. */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next++) {
    if (found.every((prime) => next % prime !== 0)) found.push(next);
  }
  return found;
}

/** Returns the first 32 bits of the fraction. */
function fractionBits(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

const INITIAL = primes(8).map((prime) => fractionBits(Math.sqrt(prime)));
const CONSTANTS = primes(64).map((prime) => fractionBits(Math.cbrt(prime)));

/** Pads the message with a one bit, zeros, and its length in bits, to blocks of 64 bytes. */
function padMessage(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function compressBlock(hash: Uint32Array, schedule: Uint32Array): void {
  const word = (at: number): number => schedule[at] ?? 0;
  for (let at = 16; at < 64; at++) {
    const early = word(at - 15);
    const late = word(at - 2);
    const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    schedule[at] = word(at - 16) + s0 + word(at - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let at = 0; at < 64; at++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + (CONSTANTS[at] ?? 0) + word(at)) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [a, b, c, d, e, f, g, h] = [(first + s0 + majority) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) {
    hash[at] = (hash[at] ?? 0) + value;
  }
}

/** Rotates 32 bits to the right. */
function rotateRight(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
