// Text of messages, split anywhere: it gives the same surface as complete messages, and as early as
// possible.

import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { messageStream, receiveAll } from "byname/messages";
import { components, cut, forms, lines, messages, pushed } from "../messages.mjs";

await init();

const expectedSurface = new Surface();
for (const message of messages) assert.ok(expectedSurface.receive(message).ok);
const expected = expectedSurface.tree();

for (const [name, text] of Object.entries(forms)) {
  test(`${name}: makes the same surface at every chunk size`, () => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 5, 7, 16, 64, 333, text.length]) {
      for (const source of [text, bytes]) {
        const surface = new Surface();
        assert.deepEqual(pushed(surface, cut(source, size)), { ok: true, diagnostics: [] });
        assert.deepEqual(surface.tree(), expected, `${size}`);
      }
    }
  });
}

test("a component mounts before its message has ended, and a node before its own", () => {
  const surface = new Surface();
  const stream = messageStream(surface);
  stream.push('{"updateComponents": {"surfaceId": "s", "components": [{"id": "root", ');
  assert.equal(surface.tree(), null);
  stream.push('"component": "Text", "text": {"binding": {"key": "t"}}} ');
  assert.equal(surface.tree().component, "Text");
  stream.push(']}}\n{"updateDataModel": {"surfaceId": "s", "nodes": {"root": {"t": "so');
  assert.equal(surface.tree().props.text, null);
  stream.push('on"}');
  assert.equal(surface.tree().props.text, "soon");
  assert.deepEqual(stream.push("}}}"), { ok: true, diagnostics: [] });
});

test("accepts createSurface with components, and text after a list of components", () => {
  const text = `{"createSurface": {"surfaceId": "s", "components": [{"id": "root", "component": "Text", "text": "hi"}], "theme": {"a": [{"id": "root"}]}}}`;
  for (const size of [1, 4, text.length]) {
    const surface = new Surface();
    const { ok } = pushed(surface, cut(text, size));
    assert.ok(ok);
    assert.equal(surface.tree().props.text, "hi");
  }
});

test("components before their surface are accepted with the complete message", () => {
  const surface = new Surface();
  const text = `{"updateComponents": {"components": [{"id": "root", "component": "Divider"}], "surfaceId": "s"}}`;
  assert.deepEqual(pushed(surface, cut(text, 9)), { ok: true, diagnostics: [] });
  assert.equal(surface.tree().component, "Divider");
});

test("skips words and fences around the messages, and reports it once", () => {
  const surface = new Surface();
  const text = `Here is the page:\n\`\`\`json\n${forms.lines}\n\`\`\`\nAnything else?`;
  const { ok, diagnostics } = pushed(surface, cut(text, 11));
  assert.ok(ok);
  assert.deepEqual(
    diagnostics.map(({ code, severity, location }) => [code, severity, location]),
    [["HAM034", "info", { kind: "text", start: 0, end: 1 }]],
  );
  assert.deepEqual(surface.tree(), expected);
});

test("reports that a list of messages belongs in `receiveAll`", async () => {
  const surface = new Surface();
  const { ok, diagnostics } = surface.receive(messages);
  assert.equal(ok, false);
  assert.match(diagnostics[0].help, /pass a list of messages to `receiveAll`/);
  assert.throws(() => messageStream(surface).push(messages), {
    code: "argument",
    message: /pass a list of messages to `receiveAll`/,
  });
  assert.deepEqual(await receiveAll(surface, messages), { ok: true, diagnostics: [] });
  assert.deepEqual(surface.tree(), expected);
});

const [first, second, third, fourth] = lines;
const cases = {
  "a message without its last bracket": [
    [first, second.slice(0, -1), third, fourth].join("\n"),
    ["JSON002"],
  ],
  "components that end inside one": [
    [first, second, `${second.slice(0, second.indexOf('"hint"'))}`, third, fourth].join("\n"),
    ["JSON002"],
  ],
  "an extra comma in the data": [
    [first, second, third.replace("]}", "],}"), third, fourth].join("\n"),
    ["JSON001"],
  ],
  "a text without its closing quote": [
    [first, second, third.replace('Bob"', "Bob"), third, fourth].join("\n"),
    null,
  ],
  "data that end in the middle": [
    [first, second, third.slice(0, -20), third, fourth].join("\n"),
    null,
  ],
};

for (const [name, [text, codes]] of Object.entries(cases)) {
  test(`${name}: accepts the following messages`, () => {
    for (const size of [1, 10, 64, text.length]) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      if (codes) assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], codes);
      for (const { location } of diagnostics.filter(({ severity }) => severity === "error")) {
        assert.ok(location.start <= text.length && location.end <= text.length + 1);
      }
      assert.deepEqual(surface.tree(), expected, `${name}, ${size}`);
    }
  });
}

test("a list without components is an ordinary message at every chunk size", () => {
  const text = '{"updateComponents": {"surfaceId": "s", "components": [ ]}}';
  for (const size of [1, 7, text.length]) {
    assert.deepEqual(pushed(new Surface(), cut(text, size)), { ok: true, diagnostics: [] });
  }
  const { ok, diagnostics } = pushed(new Surface(), [text.slice(0, -4)]);
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["JSON002"]]);
});

test("a message with a rejected type changes nothing, and is reported once", () => {
  const [text] = messages
    .map((message) => JSON.stringify(message))
    .filter((one) => one.includes("components"));
  const surface = new Surface();
  pushed(surface, [forms.lines]);
  const root = { id: "root", component: "Column", children: [] };
  const others = Array.from({ length: 5 }, (_, at) => ({ id: `c${at}`, component: "Divider" }));
  for (const [name, surfaceId] of [
    ["createSurface", surface.id],
    ["createSurface", "other"],
    ["updateComponents", "other"],
  ]) {
    const wrong = JSON.stringify({ [name]: { surfaceId, components: [root, ...others] } });
    for (const size of [1, 30, wrong.length]) {
      const { ok, diagnostics } = pushed(surface, cut(`${wrong}\n${text}`, size));
      assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["HAM029"]]);
      assert.deepEqual(surface.tree(), expected);
    }
  }
});

test("a row of data on a separate line with a version does not begin a message", () => {
  const text = `{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"list":[\n{"version":1,"n":"a"},\n{"version":"2","n":"b"}\n]}}}}`;
  for (const size of [1, 7, text.length]) {
    const surface = new Surface();
    assert.deepEqual(pushed(surface, cut(text, size)), { ok: true, diagnostics: [] });
    assert.equal(surface.store.get("root").list.length, 2);
  }
  // An unfinished message is ended by the next, which names its version.
  const surface = new Surface();
  const cutOff = '{"updateDataModel":{"surfaceId":"s","nodes":{"root":{"a":1},"b":{"c"';
  pushed(surface, cut(`${cutOff}\n${JSON.stringify({ version: "v0.9", ...components })}`, 5));
  assert.equal(surface.tree().component, "Divider");
});

test("an unfinished message of a list does not take the next one, whatever the indentation", () => {
  for (const space of [2, 4, "\t"]) {
    const wide = JSON.stringify(
      [{ createSurface: { surfaceId: "s" } }, ...messages.slice(1)],
      null,
      space,
    );
    const unfinished = wide.replace(/\n\s*}\n(\s*)},/, "\n$1},");
    assert.notEqual(unfinished, wide);
    for (const size of [1, 13, unfinished.length]) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, cut(unfinished, size));
      assert.equal(ok, false);
      assert.ok(diagnostics.some(({ code }) => code.startsWith("JSON")));
      assert.deepEqual(surface.tree(), expected);
    }
  }
});

test("an unfinished message does not take the next one after the list's bracket on its line", () => {
  const own = [{ createSurface: { surfaceId: "s" } }, ...messages.slice(1)].map((message) =>
    JSON.stringify(message),
  );
  for (const [nth, begin, between] of [
    [0, "[", ",\n "],
    [1, "[", ",\n "],
    [0, "[", ",\n"],
    [0, "[ ", ",\n  "],
    [1, `  [${own[0]}, `, ",\n   "],
  ]) {
    const unfinished = own.with(nth, own[nth].slice(0, -1));
    const rest = begin.length > 9 ? unfinished.slice(1) : unfinished;
    const text = `${begin}${rest.join(between)}]`;
    for (const size of [1, 13, text.length]) {
      const surface = new Surface();
      const { ok } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      assert.deepEqual(surface.tree(), expected, text);
    }
  }
});

test("reports a listener that pushes into the stream that calls it", () => {
  const surface = new Surface();
  const stream = messageStream(surface);
  const thrown = [];
  surface.subscribe(() => {
    try {
      stream.push(JSON.stringify(components));
    } catch (error) {
      thrown.push(error.code);
    }
  });
  assert.ok(stream.push(forms.lines).ok);
  assert.deepEqual(surface.tree(), expected);
  assert.ok(thrown.length > 0 && thrown.every((code) => code === "argument"));
});

test("locations refer to everything that was pushed", () => {
  const invalid = `{"updateDataModel": {"surfaceId": "s", "nodes": {"a": tru}}}`;
  const text = `${forms.lines}\n${invalid}\n`;
  const at = text.lastIndexOf("tru}");
  for (const size of [1, 17, text.length]) {
    const { diagnostics } = pushed(new Surface(), cut(text, size));
    assert.equal(diagnostics.length, 1);
    const { start, end } = diagnostics[0].location;
    assert.ok(start >= at && end <= at + 5, `${start}..${end}, not near ${at}`);
  }
  const odd = `  {"updateComponents": {"surfaceId": "s", "components": [{"id": "root"}, 5 ]}}`;
  const { ok } = pushed(new Surface(), cut(odd, 3));
  assert.equal(ok, false);
});

test("rejects data for another surface, and accepts the next message", () => {
  const others = [
    { updateDataModel: { surfaceId: "other", nodes: { root: { title: "not here" } } } },
    { updateDataModel: { nodes: { root: { title: "not here" } }, surfaceId: "other" } },
  ];
  for (const other of others) {
    const text = [first, second, third, JSON.stringify(other), fourth].join("\n");
    for (const size of [1, 9, text.length]) {
      const surface = new Surface();
      const { ok, diagnostics } = pushed(surface, cut(text, size));
      assert.equal(ok, false);
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ["HAM029"],
      );
      assert.deepEqual(surface.tree(), expected);
    }
  }
});

test("accepts data without a surface with their message", () => {
  const surface = new Surface();
  const stream = messageStream(surface);
  stream.push('{"updateDataModel": {"nodes": {"a": {"v": 1}, ');
  assert.equal(surface.store.has("a"), false);
  stream.push('"b": 2}}}');
  assert.deepEqual(surface.store.export(), { a: { v: 1 }, b: 2 });
});

test("reads an object that contains a list of messages as the messages", () => {
  for (const text of [`{"messages": [${[first, second, third, fourth]}]}`, forms["a list"]]) {
    const twice = `${text}\n${text}`;
    for (const size of [1, 8, 100]) {
      const surface = new Surface();
      const { diagnostics } = pushed(surface, cut(twice, size));
      assert.deepEqual(surface.tree(), expected);
      // The same messages again change nothing.
      assert.deepEqual(diagnostics, []);
    }
  }
});

for (const list of [false, true]) {
  test(`accepts the examples of a prompt${list ? " as one object" : ""} unchanged`, () => {
    const lines = basicCatalog.prompt({ list }).split("## Examples\n")[1];
    const surface = new Surface({ catalog: basicCatalog });
    const [team, order] = lines.split("Ask for an address");
    for (const part of [team, order]) {
      const { ok } = pushed(surface, cut(part, 7));
      assert.ok(ok);
      assert.ok(surface.tree().children.length > 1);
      surface.receive({ deleteSurface: { surfaceId: part === team ? "team" : "order" } });
    }
  });
}

test("reports the end of the text in a message, and accepts nothing after it", () => {
  const surface = new Surface();
  const stream = messageStream(surface);
  stream.push('{"deleteSurface": {"surf');
  const { ok, diagnostics } = stream.end();
  assert.equal(ok, false);
  assert.equal(diagnostics[0].code, "JSON002");
  assert.equal(stream.push(forms.lines).diagnostics[0].code, "HAM021");
  assert.equal(stream.end().ok, false);
  assert.equal(surface.tree(), null);
});

test("rejects input that is neither text nor bytes", () => {
  for (const chunk of [5, null, {}, ["a"]]) {
    assert.throws(() => messageStream(new Surface()).push(chunk), { code: "argument" });
  }
});

test("random texts never throw, and finds valid messages on separate lines", () => {
  let seed = 1;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const fragments = [
    '{"',
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\\",
    "a",
    "\n",
    '"updateComponents":',
    " ",
  ];
  for (let round = 0; round < 400; round += 1) {
    const noise = Array.from(
      { length: random(30) },
      () => fragments[random(fragments.length)],
    ).join("");
    const surface = new Surface();
    const text = `${noise}\n${forms.lines}`;
    pushed(surface, cut(text, 1 + random(40)));
    assert.deepEqual(surface.tree(), expected, JSON.stringify(noise));
  }
});

// Only unconsumed text is stored: otherwise each of these takes minutes.
function expectLinearTime(task) {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 20_000_000, `${(user + system) / 1e6} s`);
}

test("words between messages take linear time", () => {
  expectLinearTime(() => {
    const stream = messageStream(new Surface());
    for (let chunk = 0; chunk < 300_000; chunk += 1) stream.push("some words and ");
    assert.equal(stream.push(forms.lines).ok, true);
  });
});

test("a long text takes linear time, however small the chunks", () => {
  expectLinearTime(() => {
    const nodes = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, n) => [`n${n}`, { v: n }]),
    );
    const text = JSON.stringify({ updateDataModel: { surfaceId: "s", nodes } });
    const surface = new Surface();
    assert.ok(pushed(surface, cut(text, 64)).ok);
    assert.deepEqual(surface.store.get("n99999"), { v: 99999 });
  });
});

test("a long message takes linear time, also with much unused content", () => {
  expectLinearTime(() => {
    const entries = Array.from({ length: 100_000 }, (_, n) => `"k${n}":"v"`).join();
    const stream = messageStream(new Surface());
    for (const character of `{"createSurface":{"surfaceId":"s",${entries}`) stream.push(character);
    for (let blank = 0; blank < 100_000; blank += 1) stream.push(" ");
    assert.ok(stream.push("}}").ok);
    // Servers send blanks to keep a connection open.
    const pending = messageStream(new Surface());
    for (let blank = 0; blank < 300_000; blank += 1) pending.push("\n");
    assert.ok(pending.push(forms.lines).ok);
  });
});

test("a createSurface that is streamed again resets the surface only for other components", () => {
  const create = (text) =>
    JSON.stringify({
      createSurface: {
        surfaceId: "s",
        components: [
          { id: "root", component: "Column", children: ["text"] },
          { id: "text", component: "Text", text },
        ],
      },
    });
  for (const size of [1, 7, 1000]) {
    const surface = new Surface();
    const received = (text) => pushed(surface, cut(create(text), size)).diagnostics;
    assert.deepEqual(received("one"), []);
    assert.ok(
      surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root: { a: "x" } } } }).ok,
    );
    assert.deepEqual(received("one"), []);
    assert.deepEqual(surface.store.toJSON(), { a: "x" });
    assert.deepEqual(
      received("two").map(({ code }) => code),
      ["HAM039"],
    );
    assert.equal(surface.tree().children[0].props.text, "two");
    assert.equal(surface.store.toJSON(), null);
  }
});

test("an id that occurs twice in a streamed list is reported", () => {
  const list = ["a", "b", "a"].map((id) => ({ id, component: "Text", text: "x" }));
  const text = JSON.stringify({ updateComponents: { surfaceId: "s", components: list } });
  const surface = new Surface({ catalog: basicCatalog });
  const { ok, diagnostics } = pushed(surface, cut(text, 1));
  assert.ok(ok);
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [["CAT011", "/updateComponents/components/2/id"]],
  );
});
