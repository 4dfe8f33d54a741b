// Frames of transports: AG-UI, A2A, MCP, envelopes and text events carry the same messages.

import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { messageStream, receiveAll } from "byname/messages";

await init();

const create = { createSurface: { surfaceId: "s" } };
const text = (value) => ({ id: "root", component: "Text", text: value });
const show = (value) => ({
  updateComponents: { surfaceId: "s", components: [text(value)] },
});
const list = [create, show("Hi")];
const activity = (content) => ({ type: "ACTIVITY_SNAPSHOT", messageId: "m", content });
const data = (value, mimeType = "application/a2ui+json") => ({
  kind: "data",
  data: value,
  metadata: { mimeType },
});
const resource = {
  type: "resource",
  resource: { uri: "a2ui://s", mimeType: "application/a2ui+json", text: JSON.stringify(list) },
};

test("a delta receives a changed message, and later ones only if they set the same parts", () => {
  const nodes = (value) => ({ updateDataModel: { surfaceId: "s", nodes: value } });
  const path = "/a2ui_operations/1/updateDataModel/nodes/a/v";
  const changed = { op: "replace", path, value: 9 };
  const later = nodes({ b: { v: 2 } });
  const cases = [
    // Other nodes and components are not received again.
    [[nodes({ a: { v: 1 } }), later, show("Hi")], [changed], [nodes({ a: { v: 9 } })]],
    // A later message with the same node is, and so are those after the change.
    [
      [nodes({ a: { v: 1 } }), later, nodes({ a: { v: 3 } })],
      [changed],
      [nodes({ a: { v: 9 } }), later, nodes({ a: { v: 3 } })],
    ],
    // Messages that may affect anything: another creation, deletions and edits.
    ...[create, nodes({ "!a": null }), nodes({ "+a": ["*x"] })].map((one) => [
      [nodes({ a: { v: 1 } }), one],
      [changed],
      [nodes({ a: { v: 9 } }), one],
    ]),
    // An equal value is not received, nor an equal message in place of another.
    [[nodes({ a: { v: 9 } }), later], [changed], []],
    [
      [nodes({ a: { v: 1 } }), later],
      [{ op: "replace", path: "/a2ui_operations/2", value: later }],
      [],
    ],
    // Values at paths may contain one another.
    [
      [{ updateDataModel: { surfaceId: "s", path: "/a/b", value: 1 } }, nodes({ a: { v: 1 } })],
      [{ op: "replace", path: "/a2ui_operations/1/updateDataModel/value", value: 2 }],
      [{ updateDataModel: { surfaceId: "s", path: "/a/b", value: 2 } }],
    ],
    [
      [
        { updateDataModel: { surfaceId: "s", path: "/a/b", value: 1 } },
        { updateDataModel: { surfaceId: "s", path: "/a", value: {} } },
      ],
      [{ op: "replace", path: "/a2ui_operations/1/updateDataModel/value", value: 2 }],
      [
        { updateDataModel: { surfaceId: "s", path: "/a/b", value: 2 } },
        { updateDataModel: { surfaceId: "s", path: "/a", value: {} } },
      ],
    ],
    // A change before an inserted message, and a removal.
    [
      [nodes({ a: { v: 1 } }), later, show("Hi")],
      [changed, { op: "add", path: "/a2ui_operations/3", value: show("Ho") }],
      [nodes({ a: { v: 9 } }), show("Ho"), show("Hi")],
    ],
    [
      [nodes({ a: { v: 1 } }), later],
      [changed, { op: "remove", path: "/a2ui_operations/2" }],
      [nodes({ a: { v: 9 } })],
    ],
  ];
  for (const [messages, patch, expected] of cases) {
    const received = [];
    const stream = messageStream({
      receive(message) {
        received.push(message);
        return { ok: true, diagnostics: [] };
      },
    });
    stream.push(JSON.stringify(activity({ a2ui_operations: [create, ...messages] })));
    received.length = 0;
    stream.push(JSON.stringify({ type: "ACTIVITY_DELTA", messageId: "m", patch }));
    assert.deepEqual(received, expected, JSON.stringify(messages));
  }
});

test("parts of A2A in more than 100 levels of lists and objects are an error", () => {
  const nested = (depth) =>
    `{"kind":"message","parts":${"[".repeat(depth)}${JSON.stringify(data(list))}${"]".repeat(depth)}}`;
  for (const [depth, isRead] of [
    [99, true],
    [100, false],
    [100_000, false],
  ]) {
    const surface = new Surface();
    const { ok, diagnostics } = messageStream(surface).push(nested(depth));
    assert.equal(ok, isRead, `${depth} levels`);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
      isRead ? [] : ["HAM029"],
    );
    assert.equal(surface.tree() !== null, isRead);
  }
});

test("the other parts of an event of A2A with one that is nested too deep are read", () => {
  const deep = (levels) => (levels === 0 ? [] : [deep(levels - 1)]);
  const message = { kind: "message", parts: [data(list), deep(120), deep(120)] };
  for (const event of [message, { kind: "task", history: [message] }]) {
    const surface = new Surface();
    const { diagnostics } = messageStream(surface).push(JSON.stringify(event));
    const found = diagnostics.map(({ code, message: text }) => `${code} ${text}`);
    assert.equal(found.length, 1);
    assert.match(found[0], /^HAM029 .* in more than 100 lists and objects/);
    assert.ok(surface.tree() !== null);
  }
});

const frames = {
  "AG-UI snapshot": [activity({ a2ui_operations: list })],
  "AG-UI delta": [
    activity({ a2ui_operations: [create] }),
    {
      type: "ACTIVITY_DELTA",
      messageId: "m",
      patch: [{ op: "add", path: "/a2ui_operations/-", value: show("Hi") }],
    },
  ],
  "repeated AG-UI snapshot": [
    activity({ status: "building" }),
    activity({ a2ui_operations: [create] }),
    activity({ a2ui_operations: list }),
    activity({ a2ui_operations: list }),
  ],
  "AG-UI custom event": [{ type: "CUSTOM", name: "a2ui", value: list }],
  "AG-UI tool result, encoded twice": [
    {
      type: "TOOL_CALL_RESULT",
      content: JSON.stringify(JSON.stringify({ a2ui_operations: list })),
    },
  ],
  "A2A parts": [data(create, "application/json+a2ui"), data([show("Hi")])],
  "A2A response": [{ jsonrpc: "2.0", id: 1, result: { kind: "message", parts: [data(list)] } }],
  "A2A v1.0 events": [create, show("Hi")].map((message) => {
    const part = { data: [message], mediaType: "application/a2ui+json" };
    return { artifactUpdate: { taskId: "t", artifact: { artifactId: "a", parts: [part] } } };
  }),
  "A2A v1.0 response": [
    {
      id: 1,
      jsonrpc: "2.0",
      result: { statusUpdate: { status: { message: { parts: [{ data: list }] } } } },
    },
  ],
  "A2A v1.0 message": [{ message: { role: "ROLE_AGENT", parts: [{ data: list }] } }],
  "A2A v1.0 task": [{ task: { artifacts: [{ parts: [{ data: list }] }] } }],
  "A2A v1.0 event of the SDK": [
    {
      payload: {
        $case: "message",
        value: { parts: [{ content: { $case: "data", value: list }, mediaType: "" }] },
      },
    },
  ],
  "MCP tool result": [{ content: [{ type: "text", text: "for others" }, resource] }],
  "MCP response": [{ jsonrpc: "2.0", id: 1, result: { contents: [resource.resource] } }],
  messages: [{ messages: list }],
  "type and payload": list.map((message) => {
    const [[type, payload]] = Object.entries(message);
    return { type, payload };
  }),
};

for (const [name, items] of Object.entries(frames)) {
  test(`${name}: shows the surface, as objects, lines and events`, async () => {
    const lines = items.map((item) => JSON.stringify(item));
    const pretty = items.map((item) => JSON.stringify(item, null, 2)).join("\n");
    const events = lines.map((line) => `event: any\ndata: ${line}\n\n`).join("");
    for (const source of [items, lines.join("\n"), pretty, [...lines.join("\n")], events]) {
      const surface = new Surface();
      assert.deepEqual(await receiveAll(surface, source), { ok: true, diagnostics: [] });
      assert.equal(surface.tree().props.text, "Hi");
    }
  });
}

test("passes texts of frames, of events and around messages to the listener", async () => {
  const message = JSON.stringify(create);
  const delta = (value) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: value });
  for (const [source, expected] of [
    [[delta("Hel"), delta("lo"), create], "Hello"],
    [[{ kind: "text", text: "Hello" }, create], "Hello"],
    [`event: text\ndata: Hello {name}\n\nevent: ui\ndata: ${message}\n\n`, "Hello {name}"],
    [`event: text\ndata: "a\\nb"\n\nevent: text\ndata: c\ndata: d\n\n`, "a\nbc\nd"],
    [`Hello, all\n\`\`\`json\n${message}\n\`\`\`\nDone.`, "Hello, all\nDone."],
    ["Sorry, I cannot do that.", "Sorry, I cannot do that."],
  ]) {
    for (const chunks of typeof source === "string" ? [source, [...source]] : [source]) {
      const texts = [];
      const result = await receiveAll(new Surface(), chunks, { onText: (one) => texts.push(one) });
      assert.deepEqual(result, { ok: true, diagnostics: [] });
      assert.equal(texts.join("").trim().replaceAll(/\n+/g, "\n"), expected);
    }
  }
});

test("withholds at most 200 characters that may begin a list or be a code fence", async () => {
  const message = JSON.stringify(create);
  const spaces = " ".repeat(1000);
  const word = "a".repeat(1000);
  for (const [source, expected, withheld] of [
    [`a [${spaces}`, `a [${spaces}`, 201],
    [`a\n\`\`\`${word}`, `a\n\`\`\`${word}`, 200],
    [`a \`\`\` b\nc \`\`\`\nd`, `a \`\`\` b\nc \`\`\`\nd`, 4],
    [`a\n\`\`\`json\n${message}\n\`\`\`\nb`, "a\n\nb", 40],
    [`a [ ${message} ] b`, "a   b", 40],
  ]) {
    for (const size of [1, 3, 16, source.length]) {
      let text = "";
      const stream = messageStream(new Surface(), { onText: (one) => (text += one) });
      for (let at = 0; at < source.length; at += size) {
        stream.push(source.slice(at, at + size));
        assert.ok(at - text.length <= withheld + message.length, `${text.length} of ${at}`);
      }
      assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
      assert.equal(text, expected, `${source.slice(0, 20)} in chunks of ${size}`);
    }
  }
});

test("counts texts of frames without a listener", async () => {
  const frame = { type: "TEXT_MESSAGE_CONTENT", delta: "Hello" };
  const { ok, diagnostics } = await receiveAll(new Surface(), [frame, frame, create]);
  assert.deepEqual([ok, diagnostics.length], [true, 1]);
  assert.deepEqual(
    [diagnostics[0].code, diagnostics[0].message],
    ["HAM034", "2 texts are ignored"],
  );
});

test("reports an error in a frame with the message of the sender", async () => {
  for (const frame of [
    { type: "RUN_ERROR", message: "out of tokens" },
    { type: "SUBAGENT_ERROR", message: "out of tokens" },
    { type: "TOOL_CALL_RESULT", content: '{"error":"out of tokens","code":"x"}' },
    { jsonrpc: "2.0", id: 1, error: { code: -1, message: "out of tokens" } },
    { isError: true, content: [{ type: "text", text: "out of tokens" }] },
  ]) {
    for (const source of [[frame], JSON.stringify(frame)]) {
      const { ok, diagnostics } = await receiveAll(new Surface(), source, { onText: assert.fail });
      assert.deepEqual([ok, diagnostics.length, diagnostics[0].code], [false, 1, "HAM029"]);
      assert.match(diagnostics[0].message, /out of tokens$/);
    }
  }
});

test("reports broken messages and frames, also with a listener", async () => {
  const onText = assert.fail;
  for (const source of [
    '{"createSurface": {"surfaceId": "s",, }}',
    '{"type": "CUSTOM", "value": [}',
    '{"kind": "data", "data": {"createSurface"',
  ]) {
    const { ok, diagnostics } = await receiveAll(new Surface(), source, { onText });
    assert.deepEqual([ok, diagnostics[0].code.slice(0, 4)], [false, "JSON"], source);
  }
});

test("applies every operation of a JSON Patch to an activity", async () => {
  const patch = [
    { op: "test", path: "/a2ui_operations/0", value: create },
    { op: "add", path: "/a2ui_operations/1", value: show("one") },
    { op: "copy", from: "/a2ui_operations/1", path: "/a2ui_operations/-" },
    { op: "replace", path: "/a2ui_operations/2/updateComponents/components/0/text", value: "Hi" },
    { op: "move", from: "/a2ui_operations/2", path: "/a2ui_operations/1" },
    { op: "remove", path: "/a2ui_operations/2" },
  ];
  const surface = new Surface();
  const source = [
    activity({ a2ui_operations: [create] }),
    { type: "ACTIVITY_DELTA", messageId: "m", patch },
  ];
  assert.deepEqual(await receiveAll(surface, source), { ok: true, diagnostics: [] });
  assert.equal(surface.tree().props.text, "Hi");
});

test("reports an operation of a JSON Patch that is invalid, and applies none", async () => {
  for (const [operation, message] of [
    [
      { op: "replace", path: "/a2ui_operations/9", value: 1 },
      /missing value at `\/a2ui_operations\/9`/,
    ],
    [{ op: "add", path: "/a2ui_operations/7", value: 1 }, /missing value/],
    [{ op: "remove", path: "/x/y" }, /missing value at `\/x\/y`/],
    [{ op: "test", path: "/a2ui_operations/0", value: 1 }, /differs/],
    [{ op: "merge", path: "/a2ui_operations" }, /unknown operation `merge`/],
    [{ op: "remove", path: "a2ui_operations" }, /expected a JSON Pointer/],
    [5, /not an object/],
  ]) {
    const surface = new Surface();
    const patch = [{ op: "add", path: "/a2ui_operations/-", value: show("No") }, operation];
    const { ok, diagnostics } = await receiveAll(surface, [
      activity({ a2ui_operations: list }),
      { type: "ACTIVITY_DELTA", messageId: "m", patch },
    ]);
    assert.deepEqual([ok, diagnostics.length], [false, 1]);
    assert.match(diagnostics[0].message, message);
    assert.equal(surface.tree().props.text, "Hi");
  }
});

const delta = (patch) => ({ type: "ACTIVITY_DELTA", messageId: "m", patch });
const asEvents = (items) => items.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

test("a delta changes neither the events nor the messages that the surface has received", async () => {
  const received = [];
  const receive = (message) => {
    received.push(message);
    return { ok: true, diagnostics: [] };
  };
  const patch = [
    { op: "add", path: "/a2ui_operations/-", value: show("one") },
    { op: "replace", path: "/a2ui_operations/1/updateComponents/surfaceId", value: "s2" },
  ];
  const next = [
    { op: "replace", path: "/a2ui_operations/1/updateComponents/surfaceId", value: "s3" },
  ];
  const events = [activity({ a2ui_operations: [create] }), delta(patch), delta(next)];
  const before = JSON.stringify(events);
  await receiveAll({ receive }, events);
  assert.equal(JSON.stringify(events), before);
  const ids = received.map((one) => Object.values(one)[0].surfaceId);
  assert.deepEqual(ids, ["s", "s2", "s3"]);
});

test("`copy` operations that double a list are rejected, and so are copies of it in other deltas", async () => {
  const copy = { op: "copy", from: "/a", path: "/a/-" };
  const copies = Array.from({ length: 40 }, () => copy);
  const list = Array.from({ length: 10_000 }, (_, at) => at);
  const other = { op: "copy", from: "/list", path: "/other" };
  for (const [content, patches] of [
    [{ a: [1] }, [copies]],
    [{ list }, [Array.from({ length: 1000 }, () => other)]],
    [{ list }, Array.from({ length: 1000 }, () => [other])],
    [{ list: "x".repeat(100_000) }, [Array.from({ length: 1000 }, () => other)]],
  ]) {
    const { ok, diagnostics } = await receiveAll(
      new Surface(),
      asEvents([activity({ status: "building", ...content }), ...patches.map(delta), create]),
    );
    assert.deepEqual([ok, diagnostics[0].code], [false, "HAM029"]);
    assert.match(diagnostics[0].message, /the `copy` operations add too much/);
  }
  const rejected = await receiveAll(new Surface(), [
    activity({ a2ui_operations: [create], a: [1] }),
    delta([...copies, { op: "remove", path: "/a" }]),
    delta([{ op: "test", path: "/a", value: [1] }]),
  ]);
  assert.equal(rejected.diagnostics.length, 1, "no operation of the rejected delta has an effect");
});

test("events that are nested too deep are reported, and the next ones received", async () => {
  const nested = "nested";
  const levels = 20_000;
  for (const events of [
    [activity({ a: nested }), delta([{ op: "add", path: "/b", value: 1 }])],
    [activity({ a: 1 }), delta([{ op: "add", path: "/a", value: nested }])],
    [activity({ error: { a: nested } })],
    [{ type: "RUN_ERROR", message: nested }],
    [{ kind: "message", parts: nested }],
  ]) {
    const surface = new Surface();
    const deep = "[".repeat(levels) + "]".repeat(levels);
    const text = asEvents([...events, ...list]).replace('"nested"', deep);
    const { ok, diagnostics } = await receiveAll(surface, text);
    assert.deepEqual([ok, diagnostics[0].code], [false, "HAM029"]);
    assert.match(diagnostics[0].message, /nested too deep/);
    assert.equal(surface.tree().props.text, "Hi");
  }
});

test("an error of an activity is reported once, not for each later delta", async () => {
  const { diagnostics } = await receiveAll(new Surface(), [
    activity({ error: "out of tokens" }),
    delta([{ op: "add", path: "/a", value: 1 }]),
    delta([{ op: "add", path: "/b", value: 1 }]),
    create,
  ]);
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["HAM029"],
  );
});

test("counts events and parts without a message or a text", async () => {
  for (const frame of [
    { type: "CUSTOM", name: "other", value: { a: 1 } },
    { type: "TOOL_CALL_ARGS", toolCallId: "t", delta: "{}" },
    { type: "TOOL_CALL_RESULT", toolCallId: "t", content: "for the model" },
    { type: "ACTIVITY_SNAPSHOT", messageId: "n", content: { plan: [] } },
    data({ other: 1 }),
    { content: [{ type: "image", data: "AA==" }] },
  ]) {
    const { ok, diagnostics } = await receiveAll(new Surface(), [frame, create]);
    assert.deepEqual(
      [ok, diagnostics.map(({ code, message }) => `${code} ${message}`)],
      [true, ["HAM034 1 event or part has no message of a surface"]],
    );
  }
  const quiet = [{ type: "RUN_STARTED" }, { type: "TEXT_MESSAGE_END" }, create];
  assert.deepEqual(await receiveAll(new Surface(), quiet), { ok: true, diagnostics: [] });
});

const base64 = (value) => Buffer.from(JSON.stringify(value)).toString("base64");
const file = (mimeType) => ({ kind: "file", file: { mimeType, bytes: base64(list) } });
const lateFrames = {
  "MCP structured content": { result: { content: [], structuredContent: { messages: list } } },
  "MCP result without jsonrpc": {
    result: { content: [{ type: "text", text: JSON.stringify(list) }] },
  },
  "A2A task with messages in its history": {
    kind: "task",
    id: "t",
    status: { state: "completed" },
    history: [{ kind: "message", role: "agent", parts: [data(list)] }],
  },
  "A2A file": { kind: "message", role: "agent", parts: [file("application/a2ui+json")] },
};
for (const [name, frame] of Object.entries(lateFrames)) {
  test(`${name}: the messages are received`, async () => {
    const surface = new Surface();
    const result = await receiveAll(surface, JSON.stringify(frame));
    assert.deepEqual(result, { ok: true, diagnostics: [] });
    assert.equal(surface.tree().props.text, "Hi");
  });
}

test("files of other types, and messages of the user, are not received", async () => {
  const user = { kind: "message", role: "user", parts: [data(list)] };
  for (const frame of [
    { kind: "message", role: "agent", parts: [file("image/png")] },
    { kind: "task", id: "t", status: { state: "completed" }, history: [user] },
  ]) {
    const surface = new Surface();
    await receiveAll(surface, JSON.stringify(frame));
    assert.equal(surface.tree(), null);
  }
});

test("messages in tags or fences of a text part are read", async () => {
  const lines = list.map((one) => JSON.stringify(one)).join("\n");
  const tagged = `Hi <a2ui-json>${JSON.stringify(list)}</a2ui-json>`;
  const fenced = `Hi\n\`\`\`json\n${lines}\n\`\`\`\n`;
  for (const text of [tagged, fenced]) {
    for (const frame of [
      { kind: "message", role: "agent", parts: [{ kind: "text", text }] },
      { content: [{ type: "text", text }] },
    ]) {
      const surface = new Surface();
      const texts = [];
      const onText = (one) => texts.push(one);
      const result = await receiveAll(surface, [frame], { onText });
      assert.deepEqual(result, { ok: true, diagnostics: [] });
      assert.equal(surface.tree().id, "root");
      assert.deepEqual(texts, "content" in frame ? [] : ["Hi"]);
    }
  }
  const code = "see\n```js\nlet a;\n```\n";
  const other = { kind: "message", role: "agent", parts: [{ kind: "text", text: code }] };
  const texts = [];
  await receiveAll(new Surface(), [other], { onText: (one) => texts.push(one) });
  assert.deepEqual(texts, [code]);
});

test("a text of AG-UI that contains messages is reported once", async () => {
  const text = JSON.stringify({ updateDataModel: { surfaceId: "s", nodes: {} } });
  const delta = (one) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta: one });
  for (const size of [5, 1000]) {
    const frames = (text + text).match(new RegExp(`.{1,${size}}`, "g")).map(delta);
    const { ok, diagnostics } = await receiveAll(new Surface(), frames, { onText: () => {} });
    assert.ok(ok);
    assert.deepEqual(
      diagnostics.map(({ code, severity }) => [code, severity]),
      [["HAM034", "warning"]],
    );
  }
});
