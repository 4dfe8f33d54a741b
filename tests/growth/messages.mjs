// Streams of messages: events of AG-UI, and texts around messages.
import { Surface } from "byname";
import { checkMessages, defineCatalog } from "byname/catalog";
import { attach, Recorder } from "byname/devtools";
import { basicCatalog } from "byname/dom";
import { record, scripted } from "byname/llm";
import { messageStream } from "byname/messages";
import { each, times } from "./measure.mjs";

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const snapshot = (content) => event({ type: "ACTIVITY_SNAPSHOT", messageId: "m", content });
const delta = (...patch) => event({ type: "ACTIVITY_DELTA", messageId: "m", patch });
const create = { createSurface: { surfaceId: "s" } };
const update = (index) => ({
  updateDataModel: { surfaceId: "s", nodes: { [`n${index}`]: { a: index } } },
});
const added = (index) => ({ op: "add", path: "/a2ui_operations/-", value: update(index) });

/** Returns the measurement of chunks that a stream reads. */
function push(make, options) {
  return (size) => {
    const chunks = make(size);
    const stream = messageStream(new Surface(), options);
    return () => {
      for (const one of chunks) stream.push(one);
      stream.end();
    };
  };
}

const messages = { a2ui_operations: [create] };
const many = (size) => ({ a2ui_operations: [create, ...times(size, update)] });

export const ACTIVITIES = [
  [
    "deltas with a message each",
    push((size) => [snapshot(messages), ...times(size, (i) => delta(added(i)))]),
  ],
  [
    "a delta with many messages",
    push((size) => [snapshot(messages), delta(...times(size, added))]),
  ],
  [
    "deltas beside many messages",
    push((size) => [
      snapshot(many(size)),
      ...times(size, (i) => delta({ op: "add", path: `/k${i}`, value: i })),
    ]),
  ],
  [
    "deltas beside a text with messages",
    push((size) => [
      snapshot({ a2ui_json: JSON.stringify([create, ...times(size, update)]) }),
      ...times(size, (i) => delta({ op: "add", path: `/k${i}`, value: i })),
    ]),
  ],
  [
    "deltas beside an error",
    push((size) => [
      snapshot({ error: { items: times(size, update) } }),
      ...times(size, (i) => delta({ op: "add", path: `/k${i}`, value: i })),
    ]),
  ],
  [
    "deltas that change an early message",
    push((size) => [
      snapshot(many(size)),
      ...times(size, (i) =>
        delta({
          op: "replace",
          path: "/a2ui_operations/1/updateDataModel/nodes/n0/a",
          value: i + 1,
        }),
      ),
    ]),
  ],
  [
    "deltas that change many messages",
    push((size) => [
      snapshot(many(size)),
      delta(
        ...times(size, (i) => ({
          op: "replace",
          path: `/a2ui_operations/${i + 1}/updateDataModel/nodes/n${i}/a`,
          value: -1,
        })),
      ),
    ]),
  ],
  [
    "deltas that replace a message by an equal one",
    push((size) => [
      snapshot(many(size)),
      ...times(size, () => delta({ op: "replace", path: "/a2ui_operations/1", value: update(0) })),
    ]),
  ],
  [
    "deltas that are invalid",
    push((size) => [
      snapshot(many(size)),
      ...times(size, (i) => delta(added(i), { op: "remove", path: "/none" })),
    ]),
  ],
];

const part = '{"kind":"data","data":1}';

/** Frames of A2A and MCP. */
export const FRAMES = [
  [
    "parts in nested lists",
    push((size) => [
      `{"kind":"message","parts":${"[".repeat(90)}${each(size, ",", () => part)}${"]".repeat(90)}}`,
    ]),
  ],
  [
    "lists that are nested too deep",
    push((size) => [
      `{"kind":"message","parts":${"[".repeat(size)}${each(size, ",", () => part)}${"]".repeat(size)}}`,
    ]),
  ],
  [
    "parts in nested objects",
    push((size) => [
      `${'{"kind":"task","status":'.repeat(40)}{"parts":[${each(size, ",", () => part)}]}${"}".repeat(40)}`,
    ]),
  ],
  [
    "events with a part",
    push((size) => times(size, () => `{"kind":"message","parts":[${part}]}\n`)),
  ],
  [
    "blocks of a tool result",
    push((size) => [JSON.stringify({ content: times(size, () => ({ type: "text", text: "a" })) })]),
  ],
];

const onText = () => {};
const chunked = (text) => text.match(/.{1,16}/gs);

export const TEXTS = [
  ["lines of prose", push((size) => chunked("Here is it.\n".repeat(size)), { onText })],
  [
    "a bracket before white space",
    push((size) => chunked(`a [${" ".repeat(8 * size)}`), { onText }),
  ],
  ["brackets", push((size) => chunked(`a ${"[ ".repeat(4 * size)}`), { onText })],
  ["a long code fence", push((size) => chunked(`a\n\`\`\`${"a".repeat(8 * size)}`), { onText })],
  ["a line of backticks", push((size) => chunked(`a\n${"`".repeat(8 * size)}`), { onText })],
  ["white space", push((size) => chunked(" ".repeat(8 * size)), { onText })],
  ["beginnings of a tag", push((size) => chunked("a <a2u".repeat(size)), { onText })],
];

const byFour = (text) => text.match(/.{1,4}/gs);

/** Lines of an event stream whose end decides what they are. */
export const EVENT_LINES = [
  [
    "a type of spaces",
    push((size) => [`data: {}\n\nevent:${" ".repeat(8 * size)}\n${"data:x\n".repeat(size)}`], {
      onText,
    }),
  ],
  [
    "a long type",
    push((size) => byFour(`data: {}\n\nevent: a${"b".repeat(8 * size)}`), { onText }),
  ],
  [
    "spaces after a type",
    push((size) => byFour(`data: {}\n\nevent: text${" ".repeat(8 * size)}`), { onText }),
  ],
  ["a long id", push((size) => byFour(`id: ${"a".repeat(8 * size)}`), { onText })],
  ["a long comment", push((size) => byFour(`: ${"a b ".repeat(2 * size)}`), { onText })],
  [
    "spaces after the last event",
    push((size) => byFour(`data: [DONE]${" ".repeat(8 * size)}`), { onText }),
  ],
  [
    "lines of a text",
    push((size) => byFour(`event: text\n${"data: ab\n".repeat(size)}`), { onText }),
  ],
];

const catalog = defineCatalog({
  components: {
    Tabs: { props: { children: "children" }, allowedChildren: ["Tab"] },
    Tab: { props: {}, allowedParents: ["Tabs"] },
    Text: { props: { text: "string" } },
  },
});
const text = (id) => ({ id, component: "Text", text: "a" });

/** Returns the measurement of a check of messages. */
const check = (make) => (size) => {
  const messages = make(size);
  return () => void checkMessages(catalog, messages);
};
const components = (list) =>
  JSON.stringify({ updateComponents: { surfaceId: "s", components: list } });
const ids = (size) => times(size, (i) => `c${i}`);

export const CHECKS = [
  [
    "misplaced components",
    check((size) =>
      components([{ id: "root", component: "Tabs", children: ids(size) }, ...ids(size).map(text)]),
    ),
  ],
  [
    "components at the top",
    check((size) => components(ids(size).map((id) => ({ id: "root", component: "Tab", a: id })))),
  ],
  [
    "messages",
    check((size) =>
      ids(size)
        .map((id) => components([text(id)]))
        .join("\n"),
    ),
  ],
  [
    "lines of an event stream",
    check((size) => `data: {}\n\nevent:${" ".repeat(8 * size)}\n${"data:x\n".repeat(size)}`),
  ],
];

/** Returns the measurement of a recording of a reply with a secret. */
function recordReply(secretOf, textOf, finishReason = "stop") {
  return (size) => {
    const reply = { text: textOf(size), finishReason };
    const { llm, recording } = record(scripted([reply]), { secrets: [secretOf(size)] });
    const request = { system: "", prompt: "", task: "plan", maxOutputTokens: 1 };
    return async () => {
      await llm({ ...request, signal: new AbortController().signal });
      recording();
    };
  };
}

export const SECRETS = [
  [
    "a periodic secret",
    recordReply(
      (size) => "a".repeat(size),
      (size) => "a".repeat(10 * size),
    ),
  ],
  [
    "a periodic secret that does not occur",
    recordReply(
      (size) => `${"a".repeat(size)}b${"a".repeat(size)}`,
      (size) => "a".repeat(10 * size),
    ),
  ],
  [
    "a text that is cut off in a periodic secret",
    recordReply(
      (size) => `${"ab".repeat(size)}c`,
      (size) => `${"ab".repeat(size)}b`,
      "length",
    ),
  ],
  [
    "a log with a periodic password",
    (size) => {
      const surface = new Surface({ catalog: basicCatalog });
      const recorder = new Recorder();
      attach({ surfaces: surface }, { recorder });
      const value = { binding: { node: "f", key: "x" } };
      const field = { id: "root", component: "TextField", label: "p", variant: "obscured", value };
      surface.receive({ updateComponents: { surfaceId: "s", components: [field] } });
      const receive = (nodes) => surface.receive({ updateDataModel: { surfaceId: "s", nodes } });
      receive({ f: { x: "a".repeat(size) } });
      return () => {
        receive({ f: { y: "a".repeat(10 * size) } });
        return void recorder.entries;
      };
    },
  ],
];
