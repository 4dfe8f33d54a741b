// What stands around messages: words, lists, the marks of events, bytes that are none of a text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { messageStream } from "byname/messages";
import { cut, pushed } from "../messages.mjs";

await init();

const made = '{"createSurface":{"surfaceId":"s"}}';
const shown =
  '{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}';

test("brackets among words are words, wherever the text is cut", () => {
  for (const words of ["Is {anything} wrong?", "{{name}}", "f() { return 1; }", "\\frac{a}{2}"]) {
    for (const text of [`${made}\n${shown}\n${words}`, `${words}\n${made}\n${shown}`]) {
      for (const size of [1, 3, text.length]) {
        const surface = new Surface();
        const { ok, diagnostics } = pushed(surface, cut(text, size));
        assert.deepEqual([ok, ...diagnostics.map(({ code }) => code)], [true, "HAM034"], words);
        assert.equal(surface.tree().component, "Text");
      }
    }
  }
  // What a message looks like that has slips of its own is told of as one.
  for (const slip of ["{createSurface: {}}", "{'createSurface': {}}", "{“createSurface”: {}}"]) {
    const { ok, diagnostics } = pushed(new Surface(), cut(`${made}\n${slip}`, 3));
    assert.deepEqual([ok, diagnostics[0].code], [false, "JSON001"], slip);
  }
});

test("messages in a list beside other keys are found, whatever the list is called", () => {
  for (const text of [
    `{"thoughts":"a {name}","messages":[${made},${shown}]}`,
    `{"ui": [\n ${made},\n ${shown}\n]}`,
    `{"messages":[${made},${shown}]}`,
  ]) {
    for (const size of [1, 7, text.length]) {
      const surface = new Surface();
      assert.deepEqual(pushed(surface, cut(text, size)), { ok: true, diagnostics: [] }, text);
      assert.equal(surface.tree().component, "Text");
    }
  }
  const { diagnostics } = pushed(new Surface(), cut('{"rows":[{"title":"x"}]}', 3));
  assert.match(diagnostics[0].message, /^unknown message type `rows`/);
});

test("a list that is cut between its messages is told, with what closes it", () => {
  for (const [text, closing] of [
    [`[${made},${shown},`, "]"],
    [`[\n${made}`, "]"],
    [`\`\`\`json\n[${made},\n${shown}`, "]"],
    [`{"messages":[${made},${shown}`, "]}"],
    [`{"messages":[${made},${shown}]`, "}"],
  ]) {
    for (const size of [1, 7, text.length]) {
      const { ok, diagnostics } = pushed(new Surface(), cut(text, size));
      const { code, help, location } = diagnostics.at(-1);
      assert.deepEqual([ok, code, location.start], [false, "JSON002", text.length], text);
      assert.ok(help.endsWith(`close it with \`${closing}\``), help);
    }
  }
  for (const text of [`[1] says ${made} ${shown}`, `[${made},${shown}]`, `[[${made}],[${shown}]]`])
    for (const size of [1, text.length])
      assert.equal(pushed(new Surface(), cut(text, size)).ok, true, text);
  // What cuts a message is told of that alone.
  const { diagnostics } = pushed(new Surface(), cut(`[${made},{"createSurface":{"surfaceId":`, 5));
  assert.equal(diagnostics.length, 1);
});

test("bytes that are no UTF-8 are told, and take nothing else with them", () => {
  const bytes = (...parts) =>
    parts.flatMap((part) =>
      typeof part === "string" ? [...new TextEncoder().encode(part)] : [part],
    );
  const text = bytes('{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"a":"', 0xff, '"}}}}');
  for (const size of [1, 7, 1000]) {
    const surface = new Surface();
    const stream = messageStream(surface);
    const told = [];
    for (let at = 0; at < text.length; at += size)
      told.push(...stream.push(Uint8Array.from(text.slice(at, at + size))).diagnostics);
    told.push(...stream.end().diagnostics);
    assert.deepEqual(
      told.map(({ code }) => code),
      ["JSON011"],
    );
    assert.deepEqual(surface.store.get("root"), { a: "\ufffd" });
  }
  // A character that never comes to its end, before a text and before the end of all.
  const stream = messageStream(new Surface());
  const first = stream.push(Uint8Array.from(bytes(made, 0xe2, 0x80)));
  const codes = [first, stream.push(" "), stream.push(Uint8Array.of(0xc3)), stream.end()].map(
    ({ diagnostics }) => diagnostics.map(({ code }) => code).filter((code) => code !== "HAM034"),
  );
  assert.deepEqual(codes, [[], ["JSON011"], [], ["JSON011"]]);
});

test("words that begin like the mark of an event are words where messages stand behind them", () => {
  for (const words of [":rocket: Here: ", "id: ", "event: "]) {
    for (const size of [1, 3, 100]) {
      const surface = new Surface();
      const { ok } = pushed(surface, cut(`${words}${made}\n${shown}`, size));
      assert.deepEqual([ok, surface.tree()?.component], [true, "Text"], words);
    }
  }
  const events = `: ping\nevent: message\ndata: ${made}\n\ndata: ${shown}\n\n`;
  for (const size of [1, 3, 100]) {
    const surface = new Surface();
    assert.deepEqual(pushed(surface, cut(events, size)), { ok: true, diagnostics: [] });
    assert.equal(surface.tree().component, "Text");
  }
});
