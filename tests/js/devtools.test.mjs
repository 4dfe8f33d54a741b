// Log of byname/devtools without a document: messages, changes, actions, pause, secrets, files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compileFlow, GaslSession, Graph, init, Surface } from "byname";
import { attach, parseLog, Recorder, traceBindings } from "byname/devtools";
import { basicCatalog } from "byname/dom";
import { subflow } from "byname/flow";
import { messageStream, Surfaces } from "byname/messages";
import { Gate } from "../../pkg/devtools/gate.js";
import { pointerAt, printLines } from "../../pkg/devtools/json-place.js";

await init();

const bound = (node, key) => ({ binding: { node, key } });
const components = [
  { id: "root", component: "Column", children: ["name", "send"] },
  { id: "name", component: "TextField", label: "Name", value: bound("form", "name") },
  {
    id: "send",
    component: "Button",
    child: "label",
    action: { event: { name: "send", context: { who: bound("form", "name") } } },
  },
  { id: "label", component: "Text", text: "Send" },
];
const created = { createSurface: { surfaceId: "s", components } };
const dataOf = (nodes) => ({ updateDataModel: { surfaceId: "s", nodes } });
const now = () => "2026-01-01T00:00:00.000Z";

/** Attaches to targets with a recorder of its own. */
function record(targets, options = {}) {
  const recorder = new Recorder({ now, ...options });
  return { recorder, detach: attach(targets, { recorder }) };
}
const kinds = ({ entries }) => entries.map(({ kind }) => kind);
const ofKind = ({ entries }, kind) => entries.filter((entry) => entry.kind === kind);

test("records messages, their changes and diagnostics", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface });
  surface.receive(created);
  surface.receive(JSON.stringify(dataOf({ form: { name: "Ada" } })));
  surface.receive('{"updateDataModel": {"nodes": 1}}');
  assert.deepEqual(kinds(recorder), ["message", "changes", "message", "changes", "message"]);
  const [first, mounted, , changed, broken] = recorder.entries;
  assert.deepEqual(first.message, created);
  assert.equal(first.time, now());
  assert.equal(first.source, "surface");
  assert.equal(mounted.changes[0].component, "Column");
  assert.equal(changed.changes[0].value, "Ada");
  assert.equal(broken.ok, false);
  assert.equal(broken.diagnostics[0].location.pointer, "/updateDataModel/nodes");
});

test("records actions and input", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: { form: surface } });
  surface.receive(created);
  surface.receive(dataOf({ form: { name: "" } }));
  surface.input("root/name", "value", "Ada");
  const action = surface.trigger("root/send", "action");
  assert.equal(action.context.who, "Ada");
  const [input] = ofKind(recorder, "input");
  assert.deepEqual([input.key, input.prop, input.value], ["root/name", "value", "Ada"]);
  assert.deepEqual(ofKind(recorder, "action")[0].action.context, { who: "Ada" });
  assert.equal(recorder.entries.at(-1).source, "form");
});

test("records entries of the page without secrets, and measures its own time", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface }, { secrets: ["very-secret"] });
  surface.receive(created);
  assert.ok(recorder.recordingTime > 0);
  recorder.note("surface", "sent", { name: "send", key: "very-secret" });
  const [note] = ofKind(recorder, "note");
  assert.deepEqual(note.value, { name: "send", key: "[secret]" });
  assert.throws(() => recorder.note("surface", "sent", undefined), /undefined/);
  const parsed = parseLog(recorder.export());
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.log.entries.at(-1), note);
});

test("records streams, and its export gives an equal surface", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface });
  const stream = messageStream(surface);
  const text = JSON.stringify([created, dataOf({ form: { name: "Ada" }, other: [1, 2] })]);
  for (const chunk of text.match(/.{1,9}/gs)) stream.push(chunk);
  stream.end();
  assert.ok(ofKind(recorder, "message").length >= 2);
  const { messages } = JSON.parse(recorder.export());
  const copy = new Surface({ catalog: basicCatalog });
  for (const message of messages) assert.ok(copy.receive(message).ok);
  assert.deepEqual(copy.export(), surface.export());
  assert.deepEqual(copy.export()[1].updateDataModel.nodes.form, { name: "Ada" });
});

test("the export is a log that byname/messages reads", () => {
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive(created);
  surface.receive(dataOf({ form: { name: "Ada" } }));
  const { recorder } = record({ surfaces: surface });
  surface.receive(dataOf({ form: { name: "Eve" } }));
  surface.trigger("root/send", "action");
  const copy = new Surface({ catalog: basicCatalog });
  const stream = messageStream(copy);
  assert.ok(stream.push(recorder.export()).ok);
  stream.end();
  assert.deepEqual(copy.tree(), surface.tree());
  assert.equal(copy.tree().children[0].props.value, "Eve");
});

test("records the surfaces of an agent, also of plain A2UI", () => {
  const surfaces = new Surfaces({ catalog: basicCatalog, a2ui: true });
  const { recorder } = record({ surfaces });
  const text = { id: "root", component: "Text", text: { path: "/title" } };
  surfaces.receive({ version: "v0.9", createSurface: { surfaceId: "a", catalogId: "x" } });
  surfaces.receive({ version: "v0.9", updateComponents: { surfaceId: "a", components: [text] } });
  surfaces.receive({
    version: "v0.9",
    updateDataModel: { surfaceId: "a", path: "/title", value: "Hello" },
  });
  const messages = ofKind(recorder, "message");
  assert.equal(messages.length, 3);
  assert.deepEqual(messages[1].message.updateComponents.components, [text]);
  assert.ok(messages.every(({ source }) => source === "a"));
  const sets = ofKind(recorder, "changes").flatMap(({ changes }) => changes);
  assert.ok(sets.some(({ value }) => value === "Hello"));
  assert.deepEqual(
    JSON.parse(recorder.export("a")).messages,
    messages.map(({ message }) => message),
  );
});

test("traces where values come from", () => {
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive(created);
  surface.receive(dataOf({ form: { name: "*title" }, title: "Ada" }));
  const { recorder } = record({ surfaces: surface });
  const trace = traceBindings(recorder.surfaces.get("surface")).get("root/name");
  const { prop, node, ref, value } = trace.bound[0];
  assert.deepEqual([prop, node, ref, value], ["value", "form", "title", "Ada"]);
});

test("a surface that is attached twice is recorded once", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder, detach } = record({ surfaces: [surface, surface] });
  surface.receive(created);
  assert.deepEqual(kinds(recorder), ["message", "changes"]);
  detach();
  assert.ok(!Object.hasOwn(surface, "receive"));
});

test("detaching restores every method", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const names = () => [...Object.keys(surface), ...Object.keys(surface.store)];
  const before = names();
  const { receive } = surface;
  const { recorder, detach } = record({ surfaces: surface });
  assert.notEqual(surface.receive, receive);
  detach();
  detach();
  assert.equal(surface.receive, receive);
  assert.deepEqual(names(), before);
  assert.ok(!Object.hasOwn(surface, "receive") && !Object.hasOwn(surface.store, "stream"));
  surface.receive(created);
  assert.deepEqual(recorder.entries, []);
});

test("messages wait while paused, one runs per step, the rest on resume", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder, detach } = record({ surfaces: surface });
  recorder.pause();
  surface.receive(created);
  const message = dataOf({ form: { name: "one" } });
  surface.receive(message);
  message.updateDataModel.nodes.form.name = "changed later";
  surface.store.apply({ form: { name: "two" } });
  assert.deepEqual(recorder.waiting, ["createSurface s", "updateDataModel s", "nodes"]);
  assert.equal(surface.tree(), null);
  assert.equal(recorder.step(), true);
  assert.equal(surface.tree().component, "Column");
  assert.equal(recorder.step(), true);
  assert.deepEqual(surface.store.get("form"), { name: "one" });
  recorder.resume();
  assert.deepEqual(surface.store.get("form"), { name: "two" });
  assert.equal(recorder.step(), false);
  recorder.pause();
  surface.receive(dataOf({ form: { name: "three" } }));
  detach();
  assert.deepEqual(surface.store.get("form"), { name: "three" });
});

test("a paused stream applies its chunks in order", () => {
  const surface = new Surface({ catalog: basicCatalog });
  surface.receive(created);
  const { recorder } = record({ surfaces: surface });
  recorder.pause();
  const stream = messageStream(surface);
  const text = JSON.stringify(dataOf({ form: { name: "Ada" }, more: { a: 1 } }));
  for (const chunk of text.match(/.{1,16}/gs)) stream.push(chunk);
  stream.end();
  assert.equal(surface.store.get("form"), undefined);
  recorder.resume();
  assert.deepEqual(surface.store.export(), { form: { name: "Ada" }, more: { a: 1 } });
});

test("an abort ends the wait of a gate", async () => {
  const gate = new Gate();
  gate.pause();
  const stop = new AbortController();
  const waiting = gate.waitForTurn("call", stop.signal);
  assert.deepEqual(gate.waiting, ["call"]);
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
  assert.deepEqual(gate.waiting, []);
});

test("secrets never enter the log or its export", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface }, { secrets: ["page-key-77"] });
  const field = { id: "name", component: "TextField", label: "PIN", variant: "obscured" };
  const list = components.map((one) =>
    one.id === "name" ? { ...field, value: bound("form", "name") } : one,
  );
  // The data arrive before the field that hides them.
  surface.receive(dataOf({ form: { name: "old-pass-1" }, config: { apiKey: "k1k1k1" } }));
  surface.receive({ createSurface: { surfaceId: "s", components: list } });
  surface.receive(dataOf({ form: { name: "new-pass-2" } }));
  surface.input("root/name", "value", "typed-pass-3");
  surface.receive(dataOf({ note: "You typed typed-pass-3; key sk-proj-abcdefghijklmnop1234" }));
  surface.receive(dataOf({ key: "page-key-77" }));
  surface.receive('{"updateDataModel": {"nodes": {"x": "typed-pass-3"');
  const action = surface.trigger("root/send", "action");
  assert.equal(action.context.who, "typed-pass-3");
  const all = JSON.stringify(recorder.entries) + recorder.export();
  for (const secret of ["old-pass", "new-pass", "typed-pass", "k1k1k1", "sk-proj", "page-key"])
    assert.ok(!all.includes(secret), secret);
  assert.ok(all.includes("You typed [secret]; key [secret]"));
  // The page itself is unchanged.
  assert.deepEqual(surface.store.get("form"), { name: "typed-pass-3" });
});

test("drops old entries, and the export still gives an equal surface", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface }, { limit: 10 });
  surface.receive(created);
  for (let at = 0; at < 40; at += 1)
    surface.receive(dataOf({ [`n${at}`]: at, form: { name: at } }));
  assert.ok(recorder.entries.length <= 11);
  const { messages, dropped } = JSON.parse(recorder.export());
  assert.ok(dropped > 60);
  const copy = new Surface({ catalog: basicCatalog });
  for (const message of messages) copy.receive(message);
  assert.deepEqual(copy.export(), surface.export());
});

test("an exported log can be read again; other versions and texts are rejected", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const { recorder } = record({ surfaces: surface });
  surface.receive(created);
  surface.receive("{");
  const text = recorder.export();
  const { ok, log } = parseLog(text);
  assert.ok(ok);
  assert.deepEqual(
    log.entries.map(({ kind, message }) => [kind, message]),
    recorder.entries.map(({ kind, message }) => [kind, message]),
  );
  const errorOf = (value) =>
    parseLog(typeof value === "string" ? value : JSON.stringify(value)).error;
  const file = JSON.parse(text);
  assert.match(errorOf({ ...file, version: 2 }), /expected a log of version 1, found 2: update/);
  assert.match(errorOf({ ...file, version: 0 }), /found 0: export the log again/);
  assert.match(
    errorOf({ ...file, entries: JSON.stringify([{ kind: "message" }, 1]) }),
    /found 2 invalid/,
  );
  assert.match(errorOf("words"), /expected a log as JSON/);
  assert.match(errorOf({ a: 1 }), /a list of messages, found an object without messages: open/);
  assert.match(errorOf("[]"), /a list of messages, found an empty list: open/);
  assert.match(errorOf("7"), /a list of messages, found a number: open/);
  assert.match(errorOf([created, { a: 1 }]), /found an item 1 that is not a message: open/);
  assert.equal(
    parseLog(JSON.stringify([created])).log.entries[0].message.createSurface.surfaceId,
    "s",
  );
});

test("prints lines with pointers, and finds the pointer of an offset", () => {
  const value = { a: [1, { "b/c": "x" }], d: {} };
  const lines = printLines(value);
  assert.equal(lines.map(({ text }) => text).join("\n"), JSON.stringify(value, null, 2));
  assert.equal(lines.find(({ text }) => text.includes('"x"')).pointer, "/a/1/b~1c");
  const text = JSON.stringify(value);
  assert.equal(pointerAt(text, text.indexOf('"x"')), "/a/1/b~1c");
  assert.equal(pointerAt(text, text.indexOf("1")), "/a/0");
  assert.equal(pointerAt(text, text.indexOf("{}")), "/d");
});

test("records the steps of a session with their rows", async () => {
  const nodes = "id,kind\na,PERSON\nb,PERSON\nc,PLACE\n";
  const graph = Graph.fromCsv({ nodes, edges: "source,target\na,b\n" });
  const session = new GaslSession({ graph });
  const { recorder, detach } = record({ sessions: { moon: session } });
  const seen = [];
  const plan = { plan_id: "p", why: "", commands: ["FIND nodes AS people"] };
  await session.run(plan, { onStep: ({ status }) => seen.push(status) });
  assert.deepEqual(kinds(recorder), ["begin", "plan", "step", "end"]);
  const [, , step, end] = recorder.entries;
  assert.deepEqual(
    step.rows.map(({ id }) => id),
    ["a", "b", "c"],
  );
  assert.equal(step.rowCount, 3);
  assert.equal(end.status, "completed");
  assert.deepEqual(seen, ["success"]);
  await session.execute("FIND nodes with nothing =");
  assert.equal(recorder.entries.at(-1).diagnostics[0].severity, "error");
  detach();
  await session.run(plan);
  assert.equal(ofKind(recorder, "begin").length, 2);
});

test("records the events of a workflow; calls of nodes wait while paused", async () => {
  const workflow = {
    inputs: { key: { secret: true } },
    nodes: [{ id: "a", type: "echo", params: { text: "${key}" } }],
  };
  const registry = { echo: { params: ["text"], outputs: [{ key: "out" }] } };
  const { flow, diagnostics } = compileFlow(workflow, registry);
  assert.ok(flow, JSON.stringify(diagnostics));
  const { recorder } = record({ flows: flow });
  recorder.pause();
  let calls = 0;
  const echo = ({ params }) => {
    calls += 1;
    return { outputs: { out: params.text } };
  };
  const running = flow.run({ nodes: { echo }, inputs: { key: "very-secret-value" } });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(calls, 0);
  assert.deepEqual(recorder.waiting, ["node a"]);
  recorder.step();
  assert.equal((await running).status, "completed");
  assert.deepEqual(kinds(recorder), ["begin", "event", "event", "end"]);
  assert.equal(recorder.entries[0].title, "run with key");
  assert.ok(!JSON.stringify(recorder.entries).includes("very-secret-value"));
});

/** Waits until the condition holds, at most ten seconds. */
async function until(isMet) {
  const start = performance.now();
  while (!isMet()) {
    assert.ok(performance.now() - start < 10_000, `expected ${isMet}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test("the steps of a session wait while paused, one runs per step", async () => {
  const graph = Graph.fromCsv({ nodes: "id\na\nb\n", edges: "source,target\na,b\n" });
  const session = new GaslSession({ graph });
  const { recorder, detach } = record({ sessions: session });
  const steps = () => ofKind(recorder, "step").map(({ record }) => record.step);
  const next = async (title) => {
    await until(() => recorder.waiting.length > 0);
    assert.deepEqual(recorder.waiting, [title]);
    recorder.step();
  };
  recorder.pause();
  const commands = ["FIND nodes AS x", "COUNT x AS n", "FIND edges AS y"];
  const running = session.run({ plan_id: "p", why: "", commands });
  await next("p");
  await next("first step");
  await next("after step 1");
  await until(() => recorder.waiting.length > 0);
  assert.deepEqual(steps(), [1, 2]);
  assert.deepEqual(recorder.waiting, ["after step 2"]);
  recorder.resume();
  assert.equal((await running).status, "completed");
  assert.deepEqual(steps(), [1, 2, 3]);

  const controller = new AbortController();
  recorder.pause();
  const cancelled = session.run({ plan_id: "q", why: "", commands }, { signal: controller.signal });
  await next("q");
  await next("first step");
  await until(() => recorder.waiting.length > 0);
  controller.abort();
  assert.equal((await cancelled).status, "cancelled");
  assert.deepEqual(recorder.waiting, []);

  const detached = session.run({ plan_id: "r", why: "", commands });
  await until(() => recorder.waiting.length > 0);
  detach();
  recorder.pause();
  assert.equal((await detached).status, "completed");
});

test("a request to the model waits while paused", async () => {
  const graph = Graph.fromCsv({ nodes: "id\na\n", edges: "source,target\n" });
  let asked = 0;
  const llm = () => {
    asked += 1;
    return asked === 1
      ? '{"plan_id": "p", "why": "", "commands": ["FIND nodes AS x"]}'
      : "COMPLETE: one";
  };
  const session = new GaslSession({ graph, llm });
  const { recorder } = record({ sessions: session });
  recorder.pause();
  const running = session.solve("How many?");
  const titles = [];
  let isOver = false;
  running.finally(() => {
    isOver = true;
  });
  for (;;) {
    await until(() => isOver || recorder.waiting.length > 0);
    if (isOver) break;
    titles.push(`${recorder.waiting[0]} ${asked}`);
    recorder.step();
  }
  assert.equal((await running).status, "complete");
  assert.equal(titles[1], "request to the model 0");
  assert.ok(titles.includes("first step of the plan 1"), titles.join(", "));
  assert.ok(titles.includes("after step 1 1"), titles.join(", "));
});

test("nodes inside of nodes wait while paused, and no timeout begins before", async () => {
  const registry = { echo: { params: [], outputs: [{ key: "out" }] }, inner: { outputs: [] } };
  const compile = (workflow) => {
    const { flow, diagnostics } = compileFlow(workflow, registry);
    assert.ok(flow, JSON.stringify(diagnostics));
    return flow;
  };
  const child = compile({ nodes: [{ id: "b", type: "echo" }] });
  const parent = compile({
    nodes: [
      { id: "a", type: "echo", timeout_ms: 200 },
      { id: "in", type: "inner" },
    ],
    edges: [{ from: "a", to: "in" }],
  });
  const { recorder } = record({ flows: parent });
  recorder.pause();
  const echo = () => ({ outputs: { out: 1 } });
  const nodes = { echo, inner: subflow(child, { nodes: { echo } }) };
  const running = parent.run({ nodes });
  await until(() => recorder.waiting.length > 0);
  // Longer than the timeout of the node.
  await new Promise((resolve) => setTimeout(resolve, 400));
  for (const title of ["node a", "node in", "node in/b"]) {
    await until(() => recorder.waiting.length > 0);
    assert.deepEqual(recorder.waiting, [title]);
    recorder.step();
  }
  assert.equal((await running).status, "completed");
  const controller = new AbortController();
  const cancelled = parent.run({ nodes, signal: controller.signal });
  await until(() => recorder.waiting.length > 0);
  controller.abort();
  assert.equal((await cancelled).status, "cancelled");
  assert.deepEqual(recorder.waiting, []);
});

test("rejects invalid targets and options before anything is wrapped", () => {
  const surface = new Surface();
  const recorder = new Recorder();
  const { receive } = surface;
  const misuse = { name: "BynameError", code: "argument" };
  assert.throws(() => attach({}, { recorder }), misuse);
  assert.throws(() => attach({ surface }, { recorder }), misuse);
  assert.throws(() => attach({ surfaces: [surface, {}] }, { recorder }), misuse);
  assert.throws(() => attach({ surfaces: surface }), /missing `recorder`/);
  assert.throws(() => attach({ surfaces: surface }, { recorder: {} }), misuse);
  assert.equal(surface.receive, receive);
});
