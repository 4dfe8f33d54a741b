// End of a string after any text: the search reads blocks of bytes, which only the shipped
// WebAssembly does.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init } from "byname";

before(() => init());

const specials = ["\\", '"', "\n", "\u0001", "é", "€", "😀", "x"];
const LONGEST = 50;

/** Yields each special character at each index of a text of each length. */
function* textsWithSpecials() {
  for (let length = 0; length <= LONGEST; length++) {
    for (let at = 0; at < length; at++) {
      for (const special of specials) {
        yield `${"a".repeat(at)}${special}${"b".repeat(length - at - 1)}`;
      }
    }
  }
}

test("parses a string with any character at any index", () => {
  const store = new HamStore();
  for (const text of textsWithSpecials()) {
    const message = JSON.stringify({ n: { before: "c", text, after: 1 } });
    assert.equal(store.apply(message).ok, true);
    assert.equal(store.read({ node: "n", key: "text" }).value, text);
    assert.deepEqual(store.get("n"), { before: "c", text, after: 1 });
  }
});

test("reports the location of a control character in a string", () => {
  const store = new HamStore();
  for (let length = 1; length <= LONGEST; length++) {
    for (let at = 0; at < length; at++) {
      const message = `{"n": "${"a".repeat(at)}\u001f${"b".repeat(length - at - 1)}"}`;
      const [error] = store.apply(message).diagnostics;
      assert.equal(error.code, "JSON004");
      assert.equal(error.location.start, 7 + at);
    }
  }
});

test("a string ends in a chunk of a stream as in a complete message", () => {
  for (let length = 0; length <= LONGEST; length++) {
    const store = new HamStore();
    const stream = store.stream();
    const text = `${"a".repeat(length)}é"${"b".repeat(length)}`;
    const chunks = JSON.stringify({ n: { text } }).match(/.{1,7}/gsu);
    for (const chunk of chunks) stream.push(chunk);
    assert.equal(stream.end().ok, true);
    assert.equal(store.get("n").text, text);
  }
});
