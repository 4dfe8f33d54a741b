// The order of functions in which a WebAssembly module is smallest when zipped.
//
// What zips a module finds again what stood in the 32 kB before. So behind each function comes the
// one that has most in common with those 32 kB. wasm-opt sorts functions by name, so the order is
// told by names.

/** How far back zipping looks. */
const WINDOW = 32 * 1024;
/** So many bytes in a row are something in common. */
const RUN = 6;
/** The numbers that the format gives to what is read or written here. */
const [CUSTOM, CODE, FUNCTION_NAMES] = [0, 10, 1];

/** The module, each function with a name by which to sort it. */
export function named(module) {
  const sections = sectionsOf(module);
  const { bytes } = sections.find(({ id }) => id === CODE);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
  const first = imports.filter(({ kind }) => kind === "function").length;
  const names = inOrder(functionsOf(bytes)).map((nth, place) => [first + nth, place]);
  names.sort(([a], [b]) => a - b);
  const list = names.map(([index, place]) =>
    Buffer.concat([number(index), sized(Buffer.from(String(place).padStart(6, "0")))]),
  );
  const functionNames = Buffer.concat([number(list.length), ...list]);
  const section = [sized(Buffer.from("name")), Buffer.from([FUNCTION_NAMES]), sized(functionNames)];
  const rest = sections.filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  const header = module.subarray(0, 8);
  return Buffer.concat([header, ...rest, Buffer.from([CUSTOM]), sized(Buffer.concat(section))]);
}

function sectionsOf(module) {
  const sections = [];
  for (let at = 8; at < module.length; ) {
    const [size, start] = readNumber(module, at + 1);
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
  const [count, first] = readNumber(code, 0);
  let at = first;
  return Array.from({ length: count }, () => {
    const [size, start] = readNumber(code, at);
    at = start + size;
    return code.subarray(start, at);
  });
}

// Numbers of the functions, so that each has much in common with those right before it.
function inOrder(functions) {
  const { runs, having } = runsOf(functions);
  // How often each run stands in the window, and how many runs of each function do.
  const there = new Int32Array(having.length);
  const common = new Int32Array(functions.length);
  const count = (nth, more) => {
    for (const run of runs[nth]) {
      const before = there[run];
      there[run] += more;
      if (before === 0 || there[run] === 0) for (const other of having[run]) common[other] += more;
    }
  };
  const order = [];
  const left = new Set(functions.keys());
  let [window, oldest] = [0, 0];
  while (left.size > 0) {
    const next = best(left, (nth) => common[nth] / (runs[nth].length || 1));
    left.delete(next);
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

// The different runs of bytes of each function, numbered, and which functions have each.
function runsOf(functions) {
  const numbers = new Map();
  const having = [];
  const runs = functions.map((bytes, nth) => {
    const own = new Set();
    for (let at = 0; at + RUN <= bytes.length; at += 1) own.add(bytes.readUIntBE(at, RUN));
    return [...own].map((run) => {
      if (!numbers.has(run)) numbers.set(run, having.push([]) - 1);
      const number = numbers.get(run);
      having[number].push(nth);
      return number;
    });
  });
  return { runs, having };
}

function best(candidates, worth) {
  let [found, most] = [undefined, -1];
  for (const one of candidates) {
    const its = worth(one);
    if (its > most) [found, most] = [one, its];
  }
  return found;
}

// Numbers are written seven bits a byte, the lowest first.
function readNumber(bytes, start) {
  let [at, value, shift] = [start, 0, 0];
  for (;;) {
    const byte = bytes[at];
    value += (byte & 0x7f) * 2 ** shift;
    at += 1;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function number(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function sized(bytes) {
  return Buffer.concat([number(bytes.length), bytes]);
}
