// Built-in functions that count the characters or items that they read or write. A search counts up to what it finds.

const add = (count) => {
  globalThis.growthTicks += count;
};

/** Replaces methods by ones that count `cost(receiver, result, values)`. */
function count(prototype, names, cost) {
  for (const name of names) {
    const { value: method, ...rest } = Object.getOwnPropertyDescriptor(prototype, name);
    const value = {
      [name](...values) {
        // Length of a list that may shrink, and start of a search that a regular expression continues.
        const before = this?.length ?? (this?.global || this?.sticky ? this.lastIndex : 0);
        const result = method.apply(this, values);
        add(1 + cost(this, result, values, before));
        return result;
      },
    }[name];
    Object.defineProperty(prototype, name, { ...rest, value });
  }
}

const all = (self, _result, _values, before) => Math.max(before, self.length);
/** A search for a regular expression calls `exec`. */
const allOfText = (self, _result, [pattern]) => (pattern instanceof RegExp ? 0 : self.length);
const ofResult = (_self, result) => result?.length ?? 0;
const search = (self, result, [, from = 0]) =>
  result === -1 ? Math.max(0, self.length - from) : Math.abs(result - from);

/** Counts the work of built-in functions from now on. */
export function countBuiltIns() {
  const text = String.prototype;
  count(text, ["indexOf"], search);
  count(text, ["lastIndexOf"], (self, result) =>
    result === -1 ? self.length : self.length - result,
  );
  count(text, ["includes", "toLowerCase", "toUpperCase", "normalize"], all);
  count(text, ["split", "replace", "replaceAll", "match", "search"], allOfText);
  count(text, ["trim", "trimStart", "trimEnd"], (self, result) => self.length - result.length);
  count(text, ["repeat", "padStart", "padEnd"], ofResult);
  const list = Array.prototype;
  count(list, ["indexOf"], search);
  count(list, ["includes", "join", "reverse", "sort", "fill", "shift", "unshift"], all);
  // The items after the start are moved.
  count(list, ["splice"], (self, _result, [start], before) => {
    const length = Math.max(before, self.length);
    return start < 0 ? Math.min(length, -start) : Math.max(0, length - start);
  });
  count(list, ["toReversed", "toSorted", "toSpliced", "with", "concat", "slice", "flat"], ofResult);
  const iterator = Object.getPrototypeOf([][Symbol.iterator]());
  count(iterator, ["next"], () => 0);
  count(RegExp.prototype, ["exec"], ({ sticky }, result, [given], before) => {
    if (sticky) return result?.[0].length ?? 1;
    const end = result ? result.index + result[0].length : String(given).length;
    return Math.max(0, end - before);
  });
  const keys = (_self, result) => result.length;
  count(Object, ["keys", "values", "entries"], keys);
  count(Object, ["assign", "fromEntries"], (_self, result) => sizeOf(result));
  count(JSON, ["stringify"], (_self, result) => result?.length ?? 0);
  count(JSON, ["parse"], (_self, _result, [given]) => given.length);
  globalThis.growthSpread = (value) => {
    add(sizeOf(value));
    return value;
  };
}

function sizeOf(value) {
  let size = 0;
  for (const _ in value) size += 1;
  return size;
}
