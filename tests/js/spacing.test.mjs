// White space and escapes of a message: they do not change the notifications, the stored data or
// the diagnostics.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const row = (at) => ({
  name: `Zoë "${at}"`,
  note: "one\ntwo 日本",
  score: at / 4,
  list: [at, -1, 2.5],
});
const ids = Array.from({ length: 40 }, (_, at) => `row_${at}`);
const rows = Object.fromEntries(ids.map((id, at) => [id, row(at)]));
const messages = [
  { root: { items: "*items" }, items: ids.map((id) => `*${id}`), ...rows },
  { row_3: { ...row(3), score: 9 } },
  { row_4: { ...row(4), note: "one\ntwo" }, row_5: row(5), row_6: { ...row(6), name: "\\" } },
  { row_7: row(8) },
  { row_8: { name: "other keys" } },
];

const onOneLine = (value) =>
  JSON.stringify(value, null, 1).replace(/([{[]|,)?\n\s*/g, (_, mark) =>
    mark === "," ? ", " : (mark ?? ""),
  );
const inAscii = (text) =>
  text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const formats = {
  "as json.dumps writes it": (value) => inAscii(onOneLine(value)),
  "on one line": onOneLine,
  "pretty-printed": (value) => `${JSON.stringify(value, null, 2)}\n`,
  "with tabs": (value) => JSON.stringify(value, null, "\t"),
  "in ASCII": (value) => inAscii(JSON.stringify(value)),
  "with changing indentation": (value, nth) => JSON.stringify(value, null, nth % 3),
};

function outcomeOf(write) {
  const store = new HamStore();
  const surface = new Surface({ store });
  const bound = ["name", "note", "score"].map((key) => [key, { binding: { key } }]);
  const components = [
    { id: "root", component: "List", children: { binding: { key: "items" }, template: "row" } },
    { id: "row", component: "Row", ...Object.fromEntries(bound) },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  const notifications = [];
  surface.subscribe((changes) => notifications.push(JSON.parse(JSON.stringify(changes))));
  const results = messages.map((message, nth) => {
    const text = write(message, nth);
    assert.deepEqual(JSON.parse(text), message);
    const { ok, changed, diagnostics } = store.apply(text);
    return { ok, changed, codes: diagnostics.map(({ code }) => code) };
  });
  return {
    results,
    notifications,
    nodes: store.export(),
    tree: JSON.parse(JSON.stringify(surface.tree())),
  };
}

const compact = outcomeOf((value) => JSON.stringify(value));

test("all messages are accepted and change the data", () => {
  assert.deepEqual(
    compact.results.map(({ ok }) => ok),
    messages.map(() => true),
  );
  assert.equal(compact.notifications.length, messages.length);
  assert.deepEqual(compact.nodes.row_6, { ...row(6), name: "\\" });
});

for (const [way, write] of Object.entries(formats))
  test(`a message gives the same result ${way}`, () => assert.deepEqual(outcomeOf(write), compact));
