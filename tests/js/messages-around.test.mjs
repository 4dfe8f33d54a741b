// Surroundings of messages: words, lists, event syntax, and bytes that are not text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { messageStream } from "byname/messages";
import { cut, pushed } from "../messages.mjs";

await init();

const create = '{"createSurface":{"surfaceId":"s"}}';
const components =
  '{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}';

test("brackets among words are words, at every chunk size", () => {
  for (const prose of ["Is {anything} wrong?", "{{name}}", "f() { return 1; }", "\\frac{a}{2}"]) {
    for (const text of [
      `${create}\n${components}\n${prose}`,
      `${prose}\n${create}\n${components}`,
    ]) {
      for (const size of [1, 3, text.length]) {
        const surface = new Surface();
        const { ok, diagnostics } = pushed(surface, cut(text, size));
        assert.deepEqual([ok, ...diagnostics.map(({ code }) => code)], [true, "HAM034"], prose);
        assert.equal(surface.tree().component, "Text");
      }
    }
  }
  // A text that looks like a message with typos is reported as one.
  for (const typo of ["{createSurface: {}}", "{'createSurface': {}}", "{“createSurface: {}}"]) {
    const { ok, diagnostics } = pushed(new Surface(), cut(`${create}\n${typo}`, 3));
    assert.deepEqual([ok, diagnostics[0].code], [false, "JSON001"], typo);
  }
});

test("finds messages in a list next to other keys, whatever the list is called", () => {
  for (const text of [
    `{"thoughts":"a {name}","messages":[${create},${components}]}`,
    `{"ui": [\n ${create},\n ${components}\n]}`,
    `{"messages":[${create},${components}]}`,
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

test("reports a list that is truncated between its messages, with the closing characters", () => {
  for (const [text, closing] of [
    [`[${create},${components},`, "]"],
    [`[\n${create}`, "]"],
    [`\`\`\`json\n[${create},\n${components}`, "]"],
    [`{"messages":[${create},${components}`, "]}"],
    [`{"messages":[${create},${components}]`, "}"],
  ]) {
    for (const size of [1, 7, text.length]) {
      const { ok, diagnostics } = pushed(new Surface(), cut(text, size));
      const { code, help, location } = diagnostics.at(-1);
      assert.deepEqual([ok, code, location.start], [false, "JSON002", text.length], text);
      assert.ok(help.endsWith(`close it with \`${closing}\``), help);
    }
  }
  for (const text of [
    `[1] says ${create} ${components}`,
    `[${create},${components}]`,
    `[[${create}],[${components}]]`,
  ])
    for (const size of [1, text.length])
      assert.equal(pushed(new Surface(), cut(text, size)).ok, true, text);
  // Only the truncation of a message is reported.
  const { diagnostics } = pushed(
    new Surface(),
    cut(`[${create},{"createSurface":{"surfaceId":`, 5),
  );
  assert.equal(diagnostics.length, 1);
});

test("reports bytes that are not UTF-8, and accepts everything else", () => {
  const bytes = (...parts) =>
    parts.flatMap((part) =>
      typeof part === "string" ? [...new TextEncoder().encode(part)] : [part],
    );
  const text = bytes('{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"a":"', 0xff, '"}}}}');
  for (const size of [1, 7, 1000]) {
    const surface = new Surface();
    const stream = messageStream(surface);
    const reported = [];
    for (let at = 0; at < text.length; at += size)
      reported.push(...stream.push(Uint8Array.from(text.slice(at, at + size))).diagnostics);
    reported.push(...stream.end().diagnostics);
    assert.deepEqual(
      reported.map(({ code }) => code),
      ["JSON011"],
    );
    assert.deepEqual(surface.store.get("root"), { a: "\ufffd" });
  }
  // An incomplete character, before a text and at the end.
  const stream = messageStream(new Surface());
  const first = stream.push(Uint8Array.from(bytes(create, 0xe2, 0x80)));
  const codes = [first, stream.push(" "), stream.push(Uint8Array.of(0xc3)), stream.end()].map(
    ({ diagnostics }) => diagnostics.map(({ code }) => code).filter((code) => code !== "HAM034"),
  );
  assert.deepEqual(codes, [[], ["JSON011"], [], ["JSON011"]]);
});

test("words that begin like an event field are words if messages follow them", () => {
  for (const text of [":rocket: Here: ", "id: ", "event: "]) {
    for (const size of [1, 3, 100]) {
      const surface = new Surface();
      const { ok } = pushed(surface, cut(`${text}${create}\n${components}`, size));
      assert.deepEqual([ok, surface.tree()?.component], [true, "Text"], text);
    }
  }
  const events = `: ping\nevent: message\ndata: ${create}\n\ndata: ${components}\n\n`;
  for (const size of [1, 3, 100]) {
    const surface = new Surface();
    assert.deepEqual(pushed(surface, cut(events, size)), { ok: true, diagnostics: [] });
    assert.equal(surface.tree().component, "Text");
  }
});

/** Pushes a text in chunks. Returns the surface, the texts around the messages, and the codes. */
function read(text, size) {
  const surface = new Surface();
  const texts = [];
  const stream = messageStream(surface, { onText: (one) => texts.push(one) });
  const results = [...cut(text, size).map((chunk) => stream.push(chunk)), stream.end()];
  const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
  return { surface, text: texts.join(""), codes };
}

test("tags, fences and brackets around messages are not text, at every chunk size", () => {
  const fence = "```";
  for (const [text, expected] of [
    [`Here: <a2ui-json>[${create},\n${components}]</a2ui-json> Done.`, "Here:  Done."],
    [`Here:\n${fence}json\n[${create},${components}]\n${fence}\nDone.`, "Here:\n\nDone."],
    [`<a2ui-json>${create}</a2ui-json><a2ui-json>${components}</a2ui-json>`, ""],
    [`a <a2ui b <<a2ui-json>${create}${components}</a2ui-json>, [1]<a`, "a <a2ui b <, [1]<a"],
  ]) {
    for (const size of [1, 2, 5, 11, text.length]) {
      const found = read(text, size);
      assert.deepEqual([found.text, found.codes], [expected, []], `${text} by ${size}`);
      assert.equal(found.surface.tree().component, "Text");
    }
  }
});

test("the end of a block ends an unfinished message", () => {
  const unfinished = components.slice(0, -2);
  const text = `${create}<a2ui-json>${unfinished}</a2ui-json> Done. <a2ui-json>${components.replace('"x"', '"y"')}`;
  for (const size of [1, 5, text.length]) {
    const found = read(text, size);
    assert.deepEqual([found.text, found.codes], [" Done. ", ["JSON002"]]);
    assert.equal(found.surface.tree().props.text, "y");
  }
  // In a string a tag is text.
  const inString = `${create}${components.replace('"x"', '"</a2ui-json>"')}`;
  assert.equal(read(inString, 3).surface.tree().props.text, "</a2ui-json>");
});
