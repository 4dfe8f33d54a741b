// Incremental input of a model: it takes linear time, because earlier parts are not read again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { FromA2ui, ToA2ui } from "byname/a2ui";
import { messageStream } from "byname/messages";

await init();

const text = (id) => ({ id, component: "Text", text: id });

test("components that arrive one by one make the same surface as all at once", () => {
  const ids = Array.from({ length: 60 }, (_, at) => `t${at}`);
  const root = { id: "root", component: "Column", children: ids };
  const all = [root, ...ids.map(text)];
  const surface = new Surface();
  surface.receive({ createSurface: { surfaceId: "s", components: all } });
  const tree = surface.tree();
  for (const order of [all, all.toReversed(), [...all, ...all]]) {
    const other = new Surface();
    const received = [];
    other.subscribe((changes) => received.push(...changes));
    for (const one of order) {
      other.receive({ updateComponents: { surfaceId: "s", components: [one] } });
    }
    assert.deepEqual(other.tree(), tree);
    assert.deepEqual(other.diagnostics(), []);
    const mounts = received.filter(({ kind }) => kind === "mount").length;
    assert.equal(mounts, order[0] === root ? 61 : 1);
  }
});

test("reports all missing children, the first twenty with a suggestion", () => {
  const children = Array.from({ length: 400 }, (_, at) => `missing${at}`);
  const surface = new Surface();
  const components = [{ id: "root", component: "Column", children }, text("mising")];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  const reported = surface.diagnostics();
  assert.equal(reported.length, 400);
  assert.ok(reported.every(({ help }) => /describe it/.test(help)));
  assert.equal(reported.filter(({ help }) => help.startsWith("did you mean `mising`?")).length, 20);
});

test("a message gives the same result in any number of chunks", () => {
  const long = Array.from({ length: 300 }, (_, at) => `"quoted ${at}" {[\\ and\n`).join("");
  const messages = [
    { createSurface: { surfaceId: "s", components: [{ ...text("root"), text: long }] } },
    { updateDataModel: { nodes: { root: { words: long } }, surfaceId: "s" } },
  ];
  const streamed = `Here: {not json "at" all\n${messages.map((one) => JSON.stringify(one, null, 1)).join("\n")}`;
  const states = [1, 7, 64, streamed.length].map((length) => {
    const surface = new Surface();
    const stream = messageStream(surface);
    const results = [];
    for (let at = 0; at < streamed.length; at += length) {
      results.push(stream.push(streamed.slice(at, at + length)));
    }
    results.push(stream.end());
    const diagnostics = results.flatMap((result) => result.diagnostics);
    return { tree: surface.tree(), nodes: surface.store.export(), diagnostics };
  });
  assert.equal(states[0].tree.props.text, long);
  assert.equal(states[0].nodes.root.words, long);
  for (const state of states.slice(1)) assert.deepEqual(state, states[0]);
});

test("translates nodes to A2UI and back, whatever their names", () => {
  const nodes = JSON.parse(
    '{"root": {"rows": ["*a", "*__proto__"]}, "a": {"n": 1}, "__proto__": {"n": 2}}',
  );
  const to = new ToA2ui();
  to.translate({ createSurface: { surfaceId: "s" } });
  to.translate({ updateDataModel: { surfaceId: "s", nodes: nodes } });
  to.translate({ updateDataModel: { surfaceId: "s", nodes: { c: { n: 3 } } } });
  to.translate({ updateDataModel: { surfaceId: "s", nodes: { "!c": null, a: { n: 4 } } } });
  assert.deepEqual(to.model.rows, [{ n: 4 }, { n: 2 }]);
  const { messages } = new FromA2ui().translate({
    updateDataModel: { surfaceId: "s", path: "/", value: to.model },
  });
  assert.equal(messages.length, 1);
});
