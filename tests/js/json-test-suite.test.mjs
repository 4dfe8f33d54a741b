// JSONTestSuite through HamStore.apply. Files y_ are accepted with the result of JSON.parse, files
// n_ are rejected with a location in the text, and files i_ never throw.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { HamStore, init } from "byname";
import { codesOf } from "../compare.mjs";

await init();

const folder = new URL("../../../shared/data/json-test-suite/test_parsing/", import.meta.url);
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith(".json"))
  : [];
const skip = files.length === 0 ? "no JSONTestSuite beside the repository" : false;

const bytesOf = (name) => new Uint8Array(readFileSync(new URL(encodeURIComponent(name), folder)));
const ascii = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const asNode = (bytes) => joined(ascii('{"x":'), bytes, ascii("}"));

test("JSONTestSuite: has all files", { skip }, () => {
  assert.ok(files.length > 300, `${files.length} files`);
});

test("JSONTestSuite: accepts y_ files", { skip }, () => {
  for (const name of files.filter((each) => each.startsWith("y_"))) {
    const bytes = bytesOf(name);
    const store = new HamStore();
    const result = store.apply(asNode(bytes));
    assert.ok(result.ok, `${name}: ${codesOf(result.diagnostics)}`);
    const expected = JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    assert.deepEqual(toPlainJson(store.get("x")), toPlainJson(expected), name);
  }
});

test("JSONTestSuite: rejects n_ files, and the store stays usable", { skip }, () => {
  const store = new HamStore();
  assert.ok(store.apply({ kept: [1] }).ok);
  for (const name of files.filter((each) => each.startsWith("n_"))) {
    const bytes = bytesOf(name);
    expectRefused(store, bytes, name);
    if (!isJson(asNode(bytes))) expectRefused(store, asNode(bytes), `${name} as a node`);
  }
  assert.deepEqual(toPlainJson(store.export()), { kept: [1] });
  assert.ok(store.apply({ more: 1 }).ok);
});

test("JSONTestSuite: accepts or rejects i_ files, and never throws", { skip }, () => {
  for (const name of files.filter((each) => each.startsWith("i_"))) {
    const store = new HamStore();
    const result = store.apply(asNode(bytesOf(name)));
    assert.equal(typeof result.ok, "boolean", name);
    assert.equal(store.has("x"), result.ok, name);
    if (!result.ok) expectPlaced(result, asNode(bytesOf(name)), name);
  }
});

test("JSONTestSuite: rejects values that cannot be written again (rule 28)", { skip }, () => {
  const surrogates = files.filter((name) => /^i_.*surrogate/.test(name));
  const lone = ['{"x":"\\uD800"}', '{"x":"\\uDFAA"}', '{"x":1e999}', '{"x":-1e400}'];
  for (const text of lone) assert.equal(new HamStore().apply(text).ok, false, text);
  for (const name of surrogates) {
    assert.equal(new HamStore().apply(asNode(bytesOf(name))).ok, false, name);
  }
});

function expectRefused(store, bytes, name) {
  const result = store.apply(bytes);
  assert.equal(result.ok, false, `${name} was taken`);
  expectPlaced(result, bytes, name);
  assert.equal(store.has("x"), false, name);
}

function expectPlaced(result, bytes, name) {
  const [first] = result.diagnostics;
  assert.equal(first?.location?.kind, "text", `${name}: ${JSON.stringify(first)}`);
  const { start, end } = first.location;
  assert.ok(0 <= start && start <= end && end <= bytes.length, `${name}: ${start}..${end}`);
}

function isJson(bytes) {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Removes prototypes and the sign of zero, which JSON does not represent. */
function toPlainJson(value) {
  return JSON.parse(JSON.stringify(value));
}
