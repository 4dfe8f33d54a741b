// Adds a counter of work to a WebAssembly module. It counts one unit for each call of a function,
// each iteration of a loop, and each 16 bytes that `memory.copy` and `memory.fill` write. The
// result does not depend on time or on the machine. The format is that of the WebAssembly core
// specification, chapter 5.

/** Name of the exported counter, a mutable global of 64 bits. */
export const COUNTER = "growth_counter";

const SECTION = { import: 2, global: 6, export: 7, code: 10 };
const I32 = 0x7f;
const I64 = 0x7e;
const MUTABLE = 1;
const END = 0x0b;
const LOOP = 0x03;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I64_CONST = 0x42;
const I64_ADD = 0x7c;
const I64_EXTEND_U32 = 0xad;
const I64_SHIFT_RIGHT_U = 0x88;

/** Returns the bytes of a module with a counter. */
export function withCounter(bytes) {
  const sections = [...readSections(bytes)];
  const imported = countImportedGlobals(sections.find(({ id }) => id === SECTION.import));
  const globals = sections.find(({ id }) => id === SECTION.global);
  const first = imported + new Reader(globals.body).unsigned();
  const [counter, scratch] = [first, first + 1];
  const parts = [bytes.slice(0, 8)];
  for (const { id, body } of sections) {
    const changed = {
      [SECTION.global]: () =>
        withEntries(body, 2, [
          ...[I64, MUTABLE, I64_CONST, 0, END],
          ...[I32, MUTABLE, 0x41, 0, END],
        ]),
      [SECTION.export]: () =>
        withEntries(body, 1, [COUNTER.length, ...Buffer.from(COUNTER), 3, ...unsigned(counter)]),
      [SECTION.code]: () => countInCode(body, counter, scratch),
    }[id];
    const content = changed?.() ?? body;
    parts.push(Uint8Array.of(id, ...unsigned(content.length)), content);
  }
  return Buffer.concat(parts);
}

/** Reads numbers of a section. */
class Reader {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Reads an unsigned number in LEB128, or skips a signed one. */
  unsigned() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      factor *= 128;
      if (byte < 0x80) return value;
    }
  }

  skip(length) {
    this.at += length;
  }
}

function unsigned(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

function* readSections(bytes) {
  const reader = new Reader(bytes);
  reader.skip(8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const length = reader.unsigned();
    yield { id, body: bytes.subarray(reader.at, reader.at + length) };
    reader.skip(length);
  }
}

function countImportedGlobals(section) {
  if (section === undefined) return 0;
  const reader = new Reader(section.body);
  let count = 0;
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    reader.skip(reader.unsigned());
    reader.skip(reader.unsigned());
    const kind = reader.byte();
    if (kind === 3) count += 1;
    if (kind === 0) reader.unsigned();
    else if (kind === 3) reader.skip(2);
    else {
      if (kind === 1) reader.byte();
      const hasMaximum = reader.unsigned() & 1;
      reader.unsigned();
      if (hasMaximum) reader.unsigned();
    }
  }
  return count;
}

/** Returns a section with more entries at its end. */
function withEntries(body, count, entries) {
  const reader = new Reader(body);
  const before = reader.unsigned();
  return Buffer.concat([
    Buffer.from(unsigned(before + count)),
    body.subarray(reader.at),
    Buffer.from(entries),
  ]);
}

function countInCode(body, counter, scratch) {
  const reader = new Reader(body);
  const count = reader.unsigned();
  const parts = [Buffer.from(unsigned(count))];
  for (let index = 0; index < count; index += 1) {
    const length = reader.unsigned();
    const code = countInFunction(body.subarray(reader.at, reader.at + length), counter, scratch);
    parts.push(Buffer.from(unsigned(code.length)), code);
    reader.skip(length);
  }
  return Buffer.concat(parts);
}

function countInFunction(code, counter, scratch) {
  const one = [
    ...[GLOBAL_GET, ...unsigned(counter), I64_CONST, 1, I64_ADD],
    ...[GLOBAL_SET, ...unsigned(counter)],
  ];
  // The length is the last operand, and stays so.
  const bytes = [
    ...[GLOBAL_SET, ...unsigned(scratch), GLOBAL_GET, ...unsigned(counter)],
    ...[GLOBAL_GET, ...unsigned(scratch), I64_EXTEND_U32, I64_CONST, 4, I64_SHIFT_RIGHT_U],
    ...[I64_ADD, GLOBAL_SET, ...unsigned(counter), GLOBAL_GET, ...unsigned(scratch)],
  ];
  const reader = new Reader(code);
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    reader.unsigned();
    reader.byte();
  }
  const parts = [code.subarray(0, reader.at), Buffer.from(one)];
  let copied = reader.at;
  while (reader.at < code.length) {
    const start = reader.at;
    const operation = skipInstruction(reader);
    if (operation === "loop") {
      parts.push(code.subarray(copied, reader.at), Buffer.from(one));
      copied = reader.at;
    } else if (operation === "bytes") {
      parts.push(code.subarray(copied, start), Buffer.from(bytes));
      copied = start;
    }
  }
  return Buffer.concat([...parts, code.subarray(copied)]);
}

/** Skips an instruction. Returns `"loop"` and `"bytes"` for those that are counted. */
function skipInstruction(reader) {
  const code = reader.byte();
  if (code === LOOP || code === 0x02 || code === 0x04) {
    reader.unsigned();
    return code === LOOP ? "loop" : undefined;
  }
  if (code === 0x0e) {
    for (let left = reader.unsigned(); left >= 0; left -= 1) reader.unsigned();
  } else if (code === 0x1c) reader.skip(reader.unsigned());
  else if (code === 0x43) reader.skip(4);
  else if (code === 0x44) reader.skip(8);
  else if (code === 0xfc) return skipMisc(reader);
  else if (code === 0xfd) skipVector(reader);
  else if (code >= 0xfe || (code > 0x05 && code < 0x0b)) {
    throw new Error(`unknown instruction ${code}`);
  } else if (code === 0x11 || code === 0x13 || (code >= 0x28 && code <= 0x3e)) {
    reader.unsigned();
    reader.unsigned();
  } else if (hasIndex(code)) reader.unsigned();
  return undefined;
}

function hasIndex(code) {
  return (
    code === 0x0c ||
    code === 0x0d ||
    code === 0x10 ||
    code === 0x12 ||
    (code >= 0x20 && code <= 0x26) ||
    (code >= 0x3f && code <= 0x42) ||
    code === 0xd0 ||
    code === 0xd2
  );
}

function skipMisc(reader) {
  const code = reader.unsigned();
  if (code <= 7) return undefined;
  reader.unsigned();
  if (code === 8 || code === 10 || code === 12 || code === 14) reader.unsigned();
  return code === 10 || code === 11 ? "bytes" : undefined;
}

function skipVector(reader) {
  const code = reader.unsigned();
  if (code <= 11 || code === 92 || code === 93) {
    reader.unsigned();
    reader.unsigned();
  } else if (code === 12 || code === 13) reader.skip(16);
  else if (code >= 21 && code <= 34) reader.skip(1);
  else if (code >= 84 && code <= 91) {
    reader.unsigned();
    reader.unsigned();
    reader.skip(1);
  }
}
