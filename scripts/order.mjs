// Orders the functions of a WebAssembly module for gzip.
//
// Deflate finds repetitions in a window of the last 32 kB. So each function is followed by the one
// that shares most byte sequences with that window. The tool wasm-opt sorts functions by name, so
// the order is written as function names.

/** Size of the window of deflate in bytes. */
const WINDOW = 32 * 1024;
/** Length in bytes of a compared sequence. */
const SEQUENCE = 6;
/** Ids of the WebAssembly binary format: the custom and code sections, and the subsection of function names. */
const [CUSTOM, CODE, FUNCTION_NAMES] = [0, 10, 1];

/** Returns the module with function names that sort in the computed order. */
export function nameFunctionsByOrder(module) {
  const sections = sectionsOf(module);
  const { bytes } = sections.find(({ id }) => id === CODE);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
  const first = imports.filter(({ kind }) => kind === "function").length;
  const names = orderFunctions(functionsOf(bytes)).map((index, rank) => [first + index, rank]);
  names.sort(([a], [b]) => a - b);
  const list = names.map(([index, rank]) =>
    Buffer.concat([encodeInteger(index), withLength(Buffer.from(String(rank).padStart(6, "0")))]),
  );
  const functionNames = Buffer.concat([encodeInteger(list.length), ...list]);
  const section = [
    withLength(Buffer.from("name")),
    Buffer.from([FUNCTION_NAMES]),
    withLength(functionNames),
  ];
  const rest = sections.filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  const header = module.subarray(0, 8);
  return Buffer.concat([
    header,
    ...rest,
    Buffer.from([CUSTOM]),
    withLength(Buffer.concat(section)),
  ]);
}

function sectionsOf(module) {
  const sections = [];
  for (let at = 8; at < module.length; ) {
    const [size, start] = decodeInteger(module, at + 1);
    const end = start + size;
    sections.push({
      id: module[at],
      bytes: module.subarray(start, end),
      whole: module.subarray(at, end),
    });
    at = end;
  }
  return sections;
}

function functionsOf(code) {
  const [count, first] = decodeInteger(code, 0);
  let at = first;
  return Array.from({ length: count }, () => {
    const [size, start] = decodeInteger(code, at);
    at = start + size;
    return code.subarray(start, at);
  });
}

// Returns function indices: each function shares sequences with the ones directly before it.
function orderFunctions(functions) {
  const { sequences, functionsWith } = sequencesOf(functions);
  // Number of occurrences of each sequence in the window, and number of sequences of each function in it.
  const occurrences = new Int32Array(functionsWith.length);
  const shared = new Int32Array(functions.length);
  const count = (index, more) => {
    for (const sequence of sequences[index]) {
      const before = occurrences[sequence];
      occurrences[sequence] += more;
      if (before === 0 || occurrences[sequence] === 0)
        for (const other of functionsWith[sequence]) shared[other] += more;
    }
  };
  const order = [];
  const remaining = new Set(functions.keys());
  let [window, oldest] = [0, 0];
  while (remaining.size > 0) {
    const next = maximumBy(remaining, (index) => shared[index] / (sequences[index].length || 1));
    remaining.delete(next);
    order.push(next);
    count(next, 1);
    window += functions[next].length;
    for (; window > WINDOW; oldest += 1) {
      count(order[oldest], -1);
      window -= functions[order[oldest]].length;
    }
  }
  return order;
}

// Returns the distinct byte sequences of each function as ids, and the functions with each sequence.
function sequencesOf(functions) {
  const numbers = new Map();
  const functionsWith = [];
  const sequences = functions.map((bytes, index) => {
    const own = new Set();
    for (let at = 0; at + SEQUENCE <= bytes.length; at += 1)
      own.add(bytes.readUIntBE(at, SEQUENCE));
    return [...own].map((sequence) => {
      if (!numbers.has(sequence)) numbers.set(sequence, functionsWith.push([]) - 1);
      const number = numbers.get(sequence);
      functionsWith[number].push(index);
      return number;
    });
  });
  return { sequences, functionsWith };
}

function maximumBy(candidates, score) {
  let [found, most] = [undefined, -1];
  for (const one of candidates) {
    const value = score(one);
    if (value > most) [found, most] = [one, value];
  }
  return found;
}

// Integers are LEB128-encoded.
function decodeInteger(bytes, start) {
  let [at, value, shift] = [start, 0, 0];
  for (;;) {
    const byte = bytes[at];
    value += (byte & 0x7f) * 2 ** shift;
    at += 1;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function encodeInteger(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function withLength(bytes) {
  return Buffer.concat([encodeInteger(bytes.length), bytes]);
}
