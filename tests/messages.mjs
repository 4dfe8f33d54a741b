// Messages of a surface, and helpers that push a text in chunks.
import { messageStream } from "byname/messages";

export const messages = [
  { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } },
  {
    version: "v0.9",
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["title", "rows"] },
        { id: "title", component: "Text", text: { binding: { key: "title" } } },
        { id: "rows", component: "List", children: { binding: { key: "rows" }, template: "row" } },
        { id: "row", component: "Text", text: { binding: { key: "na[me" } }, hint: 'a "]}" b\\' },
      ],
    },
  },
  {
    version: "v0.9",
    updateDataModel: {
      surfaceId: "s",
      nodes: {
        root: { title: "Zoë 🎈 \n}{", rows: ["*a", "*b"] },
        a: { "na[me": "Ann" },
        b: { "na[me": "Bob" },
      },
    },
  },
  { version: "v0.9", updateDataModel: { surfaceId: "s", nodes: { b: { "na[me": "Bea" } } } },
];

/** Each message as a text. */
export const lines = messages.map((message) => JSON.stringify(message));

/** All messages as one text, in the formats of models and servers. */
export const forms = {
  lines: lines.join("\n"),
  "no lines": lines.join(""),
  "a list": JSON.stringify(messages),
  "a list, written wide": JSON.stringify(messages, null, 2),
  "wide, one after another": messages
    .map((message) => JSON.stringify(message, null, 2))
    .join("\n\n"),
};

/** An additional message. */
export const components = {
  updateComponents: { surfaceId: "s", components: [{ id: "root", component: "Divider" }] },
};

export function pushed(surface, pieces) {
  const stream = messageStream(surface);
  const results = [...pieces.map((piece) => stream.push(piece)), stream.end()];
  return { ok: results.every(({ ok }) => ok), diagnostics: results.flatMap((r) => r.diagnostics) };
}

export function cut(text, size) {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
