// Where a string ends, whatever stands where in it: it is looked for a block of bytes at a time, which
// only the WebAssembly does as it is shipped.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init } from "byname";

before(() => init());

const specials = ["\\", '"', "\n", "\u0001", "é", "€", "😀", "x"];
const LONGEST = 50;

/** Each special character at each place of a text of each length. */
function* texts() {
  for (let length = 0; length <= LONGEST; length++) {
    for (let at = 0; at < length; at++) {
      for (const special of specials) {
        yield `${"a".repeat(at)}${special}${"b".repeat(length - at - 1)}`;
      }
    }
  }
}

test("a string with any character at any place is what was meant", () => {
  const store = new HamStore();
  for (const text of texts()) {
    const message = JSON.stringify({ n: { before: "c", text, after: 1 } });
    assert.equal(store.apply(message).ok, true);
    assert.equal(store.read({ node: "n", key: "text" }).value, text);
    assert.deepEqual(store.get("n"), { before: "c", text, after: 1 });
  }
});

test("a control character at any place of a string is told there", () => {
  const store = new HamStore();
  for (let length = 1; length <= LONGEST; length++) {
    for (let at = 0; at < length; at++) {
      const message = `{"n": "${"a".repeat(at)}\u001f${"b".repeat(length - at - 1)}"}`;
      const [fault] = store.apply(message).diagnostics;
      assert.equal(fault.code, "JSON004");
      assert.equal(fault.location.start, 7 + at);
    }
  }
});

test("a string ends in a piece of a stream as in a whole message", () => {
  for (let length = 0; length <= LONGEST; length++) {
    const store = new HamStore();
    const stream = store.stream();
    const text = `${"a".repeat(length)}é"${"b".repeat(length)}`;
    const pieces = JSON.stringify({ n: { text } }).match(/.{1,7}/gsu);
    for (const piece of pieces) stream.push(piece);
    assert.equal(stream.end().ok, true);
    assert.equal(store.get("n").text, text);
  }
});
