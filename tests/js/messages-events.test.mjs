// Messages as server-sent events, split anywhere: the syntax of the protocol is not part of the
// text.

import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { receiveAll } from "byname/messages";
import { cut, messages, pushed } from "../messages.mjs";

await init();

const expectedSurface = new Surface();
for (const message of messages) assert.ok(expectedSurface.receive(message).ok);
const expected = expectedSurface.tree();

/** Returns the messages as events, with one data line for each line of a message. */
function events(write, before = "") {
  return messages
    .map((message) => `${before}${write(message).replaceAll(/^/gm, "data: ")}\n\n`)
    .join("");
}
const narrow = (message) => JSON.stringify(message);
const wide = (message) => JSON.stringify(message, null, 2);
const forms = {
  "data alone": events(narrow),
  "with types, ids and comments": `: hello\nretry: 3000\n\n${events(narrow, ": keep-alive\nevent: message\nid: 7\n")}`,
  "data over many lines": events(wide, "event: ui\n"),
  "no blank after the colon": events(narrow).replaceAll("data: ", "data:"),
  "with a [DONE] event": `${events(narrow)}data: [DONE]\n\n`,
  "with an unfinished [DONE] event": `${events(narrow)}data:[DONE]`,
  "a list": `data: ${JSON.stringify(messages)}\n\n: bye\n\n`,
  "blank lines and empty data first": `\n\n:\n\ndata:\n\n${events(narrow)}`,
};

for (const [name, text] of Object.entries(forms)) {
  test(`${name}: makes the same surface, without diagnostics`, () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const withNewlines = text.replaceAll("\n", end);
      const bytes = new TextEncoder().encode(withNewlines);
      for (const size of [1, 2, 3, 5, 7, 16, 64, 333, withNewlines.length]) {
        for (const source of [withNewlines, bytes]) {
          const surface = new Surface();
          const result = pushed(surface, cut(source, size));
          assert.deepEqual(
            result,
            { ok: true, diagnostics: [] },
            `${JSON.stringify(end)}, ${size}`,
          );
          assert.deepEqual(surface.tree(), expected);
        }
      }
    }
  });
}

test("reads the response of a server that sends events", async () => {
  const surface = new Surface();
  const answer = new Response(forms["with types, ids and comments"]);
  assert.deepEqual(await receiveAll(surface, answer), { ok: true, diagnostics: [] });
  assert.deepEqual(surface.tree(), expected);
});

test("locations refer to the text with its events, and a broken message ends at the next", () => {
  const [first, second, third, fourth] = messages.map(narrow);
  const invalid = third.replace("]}", "],}");
  const text = [first, second, invalid, third.slice(0, -1), third, fourth]
    .map((data) => `event: message\ndata: ${data}\n\n`)
    .join("");
  const at = text.indexOf("],}");
  for (const size of [1, 8, 50, text.length]) {
    const surface = new Surface();
    const { diagnostics } = pushed(surface, cut(text, size));
    const [comma] = diagnostics;
    assert.equal(comma.code, "JSON001");
    assert.ok(comma.location.start >= at && comma.location.end <= at + 4, `${size}`);
    assert.deepEqual(surface.tree(), expected, `${size}`);
  }
});

test("reports words in the data, and lines of a text without events", () => {
  const codesFor = (text) =>
    pushed(new Surface(), cut(text, 3)).diagnostics.map(({ code }) => code);
  const [first] = messages.map(narrow);
  assert.deepEqual(codesFor(`data: Here it is:\n\ndata: ${first}\n\n`), ["HAM034"]);
  assert.deepEqual(codesFor(`Here: \nevent: ${first}`), ["HAM034"]);
  assert.deepEqual(codesFor("data"), ["HAM034", "HAM035"]);
  assert.deepEqual(codesFor(": keep-alive\n\n"), ["HAM035"]);
});
