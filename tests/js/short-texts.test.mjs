// Short texts: browsers encode and decode them character by character, where Node calls its encoder
// and decoder.
import assert from "node:assert/strict";
import { test } from "node:test";

// The package checks this once, when it is loaded.
const { process } = globalThis;
delete globalThis.process;
const { HamStore, init, Surface } = await import("byname");
globalThis.process = process;

await init();
const encoder = new TextEncoder();
const LETTERS = ["é", "\u007f", "\u0080", "߿", "ࠀ", "€", "😀", "\u{10ffff}"];

/** Returns the store of a surface that displays one text, and the reported changes. */
function textSurface() {
  const store = new HamStore();
  const surface = new Surface({ store });
  const components = [{ id: "root", component: "Text", text: { binding: { key: "text" } } }];
  surface.receive({ createSurface: { surfaceId: "main", components } });
  store.apply({ root: { text: "-" } });
  const received = [];
  surface.subscribe((changes) => received.push(...changes));
  return { store, received };
}

test("delivers short texts unchanged, as text and as bytes", () => {
  const { store, received } = textSurface();
  for (let length = 0; length < 180; length++) {
    for (const character of ["", ...LETTERS]) {
      const at = (length * 7) % (length + 1);
      const text = `${"a".repeat(at)}${character}${"b".repeat(length - at)}`;
      for (const [nth, mark] of ["t", "b"].entries()) {
        const message = JSON.stringify({ root: { text: mark + text } });
        const result = store.apply(nth === 0 ? message : encoder.encode(message));
        assert.equal(result.ok, true);
        assert.equal(received.at(-1).value, mark + text);
        assert.equal(store.read({ node: "root", key: "text" }).value, mark + text);
      }
    }
  }
  assert.equal(received.length, 2 * 180 * (1 + LETTERS.length));
});

test("rejects half a pair in a short text, at every position", () => {
  const { store, received } = textSurface();
  for (const half of ["\ud800", "\udfff"]) {
    for (let length = 0; length < 170; length++) {
      const result = store.apply(`{"root": {"text": "é${"a".repeat(length)}${half}"}}`);
      assert.equal(result.ok, false);
      assert.equal(result.diagnostics[0].code, "JSON006");
    }
  }
  assert.equal(received.length, 0);
});
