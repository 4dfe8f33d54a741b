// Arbitrary bytes: they give a result and no exception, and the document and the instance stay
// intact.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { expectWellFormed } from "../compare.mjs";
import { Random } from "../random/random.mjs";

await init();

const MESSAGE = JSON.stringify({
  version: "v0.9",
  updateDataModel: {
    surfaceId: "s",
    nodes: {
      root: { user: "*u", "tags ä": ["é😀", "*t", 1.5e-3, true, null, { "*k": '\\"\n' }] },
      u: { name: "Ann", self: "*u" },
      t: "* text",
      "!gone": null,
    },
  },
});
const encode = (text) => new TextEncoder().encode(text);
const toPlainJson = (value) => JSON.parse(JSON.stringify(value));

/** Applies a message and checks what holds for every input; returns whether it was accepted. */
function expectAnswer(store, input, description) {
  const before = toPlainJson(store.export());
  const result = store.apply(input);
  expectWellFormed(result.diagnostics, description);
  if (result.ok) return true;
  const errors = result.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  assert.ok(errors.length > 0, `${description}: no error`);
  for (const { location, help } of errors) {
    assert.equal(location?.kind, "text", `${description}: ${JSON.stringify(errors)}`);
    const ordered = 0 <= location.start && location.start <= location.end;
    assert.ok(
      ordered && location.end <= input.length,
      `${description}: ${JSON.stringify(location)}`,
    );
    assert.ok(help?.length > 0, `${description}: no help in ${JSON.stringify(errors)}`);
  }
  assert.deepEqual(toPlainJson(store.export()), before, description);
  return false;
}

function expectUsable(store) {
  assert.ok(store.apply({ alive: [1, "*alive"] }).ok);
  assert.deepEqual(toPlainJson(store.get("alive")), [1, "*alive"]);
  assert.ok(store.undo());
}

test("accepts the message itself", () => {
  assert.ok(expectAnswer(new HamStore(), MESSAGE, "text"));
  assert.ok(expectAnswer(new HamStore(), encode(MESSAGE), "bytes"));
});

test("rejects a truncation at every byte", () => {
  const store = new HamStore();
  store.apply({ kept: 1 });
  const bytes = encode(MESSAGE);
  for (let end = 0; end < bytes.length; end += 1) {
    const accepted = expectAnswer(store, bytes.subarray(0, end), `bytes up to ${end}`);
    assert.equal(accepted, false, `taken up to ${end}`);
  }
  for (let end = 0; end < MESSAGE.length; end += 1) {
    if (/[\ud800-\udbff]/.test(MESSAGE[end - 1] ?? "")) continue;
    const accepted = expectAnswer(store, MESSAGE.slice(0, end), `text up to ${end}`);
    assert.equal(accepted, false, `taken up to ${end}`);
  }
  assert.deepEqual(toPlainJson(store.export()), { kept: 1 });
  expectUsable(store);
});

test("returns a result for random bytes, and the store stays usable", () => {
  const random = new Random(1);
  const store = new HamStore();
  for (let round = 0; round < 1500; round += 1) {
    const bytes = Uint8Array.from(random.many(random.below(40), () => random.below(256)));
    const framed = random.chance(0.5) ? bytes : Uint8Array.from([123, 34, ...bytes]);
    expectAnswer(store, framed, `[${framed}]`);
  }
  expectUsable(store);
});

test("accepts or rejects messages with random typos, and the store stays usable", () => {
  const random = new Random(2);
  const original = encode(MESSAGE);
  const signs = encode('{}[]",:\\*!0123456789.eE+-tfn \u00e9');
  const store = new HamStore();
  let accepted = 0;
  for (let round = 0; round < 2000; round += 1) {
    const bytes = [...original];
    for (let edit = random.below(4); edit >= 0; edit -= 1) {
      const sign = random.chance(0.7) ? random.pick(signs) : random.below(256);
      bytes.splice(
        random.below(bytes.length),
        random.below(3),
        ...(random.chance(0.8) ? [sign] : []),
      );
    }
    if (
      expectAnswer(store, Uint8Array.from(bytes), new TextDecoder().decode(Uint8Array.from(bytes)))
    ) {
      accepted += 1;
    }
  }
  assert.ok(accepted > 50 && accepted < 1950, `${accepted} of 2000 were taken`);
  expectUsable(store);
});

/** Returns the code of the first error, and the location at which it begins. */
function firstErrorOf(diagnostics) {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return [error?.code, error?.location.start];
}

test("messages with random typos give the same result in chunks", () => {
  const random = new Random(3);
  const counts = { accepted: 0, rejected: 0 };
  for (let round = 0; round < 400; round += 1) {
    const bytes = [...encode(MESSAGE)];
    if (random.chance(0.7)) bytes.splice(random.below(bytes.length), 1, random.below(128));
    const description = new TextDecoder().decode(Uint8Array.from(bytes));
    const whole = new HamStore();
    const expected = whole.apply(Uint8Array.from(bytes));
    const store = new HamStore();
    const stream = store.stream();
    const diagnostics = [];
    let ok = true;
    for (let at = 0; at < bytes.length && ok; ) {
      const size = 1 + random.below(9);
      const result = stream.push(Uint8Array.from(bytes.slice(at, at + size)));
      expectWellFormed(result.diagnostics, "a push");
      diagnostics.push(...result.diagnostics);
      ok = result.ok;
      at += size;
    }
    const end = stream.end();
    diagnostics.push(...end.diagnostics);
    ok = end.ok && ok;
    assert.equal(ok, expected.ok, description);
    if (ok) assert.deepEqual(store.export(), whole.export(), description);
    assert.deepEqual(firstErrorOf(diagnostics), firstErrorOf(expected.diagnostics), description);
    counts[ok ? "accepted" : "rejected"] += 1;
    assert.equal(stream.push("x").ok, false);
    expectUsable(store);
  }
  assert.ok(counts.accepted > 100 && counts.rejected > 100, JSON.stringify(counts));
});

test("returns a result for random texts as messages of a surface", () => {
  const random = new Random(4);
  const surface = new Surface();
  const start = { surfaceId: "s", catalogId: "c" };
  assert.ok(surface.receive({ version: "v0.9", createSurface: start }).ok);
  const component = {
    id: "root",
    component: "Text",
    text: { binding: { node: "u", key: "name" } },
  };
  const components = {
    version: "v0.9",
    updateComponents: { surfaceId: "s", components: [component] },
  };
  assert.ok(surface.receive(components).ok);
  const text = JSON.stringify(components);
  for (let round = 0; round < 1000; round += 1) {
    const bytes = Uint8Array.from(random.many(random.below(40), () => random.below(256)));
    for (const input of [bytes, new TextDecoder().decode(bytes)]) {
      const result = surface.receive(input);
      expectWellFormed(result.diagnostics, `[${bytes}]`);
      assert.equal(typeof result.ok, "boolean");
    }
    surface.tree();
  }
  for (let round = 0; round < 2000; round += 1) {
    const at = random.below(text.length);
    const mutated =
      text.slice(0, at) + random.pick('{}[]",:*!x1') + text.slice(at + random.below(3));
    expectWellFormed(surface.receive(mutated).diagnostics, mutated);
    surface.tree();
  }
  assert.ok(surface.receive(components).ok);
  assert.ok(
    surface.receive({
      version: "v0.9",
      updateDataModel: { surfaceId: "s", nodes: { u: { name: 1 } } },
    }).ok,
  );
  assert.equal(surface.tree().props.text, 1);
});
