// Order of the functions in a built module: all of them, each once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nameFunctionsByOrder } from "../../scripts/order.mjs";

// (func (export "a") (result i32) i32.const 1), "b" with 2 and "c" with 1 again, each with nops.
const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const types = [1, 5, 1, 0x60, 0, 1, 0x7f];
const functions = [3, 4, 3, 0, 0, 0];
const exports = [7, 13, 3, 1, 0x61, 0, 0, 1, 0x62, 0, 1, 1, 0x63, 0, 2];
const body = (...code) => [code.length + 2, 0, ...code, 0x0b];
const long = (value) => body(0x41, value, ...Array(8).fill([0x41, value, 0x1a]).flat());
const code = [long(1), long(2), long(1)];
const small = Buffer.from([
  ...[...header, ...types, ...functions, ...exports],
  ...[10, code.flat().length + 1, 3, ...code.flat()],
]);

test("places similar functions next to each other", () => {
  const module = nameFunctionsByOrder(small);
  assert.ok(WebAssembly.validate(module));
  assert.deepEqual(namesOf(module), ["000000", "000002", "000001"]);
  const { a, b, c } = new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
  assert.deepEqual([a(), b(), c()], [1, 2, 1]);
});

test("every function has its own position, and the renamed module is equivalent", () => {
  const original = readFileSync(new URL("../../pkg/byname_bg.wasm", import.meta.url));
  const module = nameFunctionsByOrder(original);
  const names = namesOf(module);
  assert.ok(names.length > 1_000);
  const places = names.map((_, place) => String(place).padStart(6, "0"));
  assert.deepEqual(names.toSorted(), places);
  const interfaceOf = (bytes) => {
    const read = new WebAssembly.Module(bytes);
    return [WebAssembly.Module.exports(read), WebAssembly.Module.imports(read)];
  };
  assert.deepEqual(interfaceOf(module), interfaceOf(original));
});

// Names of functions in the order of their indices, without those of imports.
function namesOf(module) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(module), "name");
  return Buffer.from(section).toString("latin1").match(/\d{6}/g);
}
