// Imports of n8n: items, error outputs, triggers, expressions and settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { importWorkflow } from "byname/flow";
import { placesOf, runImported } from "../flow/import.mjs";

await init();

/** Returns a workflow of nodes such as `Name: type` and connections such as `A.0 -> B.1`. */
function n8nOf(nodes, connections = [], more = {}) {
  const written = Object.entries(nodes).map(([name, settings]) => {
    const { type, ...others } = typeof settings === "string" ? { type: settings } : settings;
    const full = type.includes("/") ? type : `n8n-nodes-base.${type}`;
    return { name, type: full, parameters: {}, ...others };
  });
  const links = {};
  for (const connection of connections) {
    const [from, output, to, index] = connection.split(/\.| -> /);
    links[from] ??= { main: [] };
    const { main } = links[from];
    while (main.length <= Number(output)) main.push([]);
    main[output].push({ node: to, type: "main", index: Number(index) });
  }
  return { nodes: written, connections: links, ...more };
}

const withText = (text, more) => ({ type: "set", parameters: { text: `=${text}` }, ...more });
const paramsOf = ({ workflow }, id) => workflow.nodes.find((node) => node.id === id).params;
const failingHttp = { type: "httpRequest", onError: "continueErrorOutput" };

test("n8n: a node gets the items of each connection", async () => {
  const source = n8nOf({ T: "manualTrigger", A: "set", B: "set", M: "merge", C: "code" }, [
    ...["T.0 -> A.0", "T.0 -> B.0", "A.0 -> M.1", "B.0 -> M.0", "M.0 -> C.0"],
  ]);
  const { calls, diagnostics } = await runImported(source, ({ id }) => ({
    outputs: { json: { id } },
  }));
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(Object.fromEntries(calls), {
    T: {},
    A: { input: { id: "T" } },
    B: { input: { id: "T" } },
    M: { input_0: { id: "B" }, input_1: { id: "A" } },
    C: { input: { id: "M" } },
  });
  const loop = n8nOf({ A: "set", L: "splitInBatches", B: "set" }, [
    ...["A.0 -> L.0", "L.1 -> B.0", "B.0 -> L.0"],
  ]);
  const imported = importWorkflow(loop);
  assert.deepEqual(placesOf(imported), [["FLOW071", "/nodes/1"]]);
  assert.match(imported.diagnostics[0].help, /such as `"input": "\$\{A.json\}"`/);
  const taken = n8nOf({ A: "set", B: { type: "set", parameters: { input: 1 } } }, ["A.0 -> B.0"]);
  assert.match(importWorkflow(taken).diagnostics[0].message, /`B` has a parameter `input`/);
  // Both branches pass the items of one node.
  const both = importWorkflow(n8nOf({ I: "if", B: "set" }, ["I.0 -> B.0", "I.1 -> B.0"]));
  assert.deepEqual([paramsOf(both, "B"), both.diagnostics], [{ input: "${I.json}" }, []]);
});

test("n8n: the error output passes the failure", async () => {
  const nodes = {
    HTTP: failingHttp,
    Ok: "set",
    Alert: withText("{{ $json.error.message }}, {{ $('HTTP').item.json.error.message }}"),
  };
  const connections = ["HTTP.0 -> Ok.0", "HTTP.1 -> Alert.0"];
  const { calls, diagnostics } = await runImported(n8nOf(nodes, connections), () => {
    throw new Error("offline");
  });
  assert.deepEqual(diagnostics, []);
  assert.equal(calls[1][1].text, "offline, offline");
  assert.equal(calls[1][1].input.error.message, "offline");
  for (const text of ["{{ $json.error }}", "{{ $json.url }}"]) {
    const imported = importWorkflow(n8nOf({ ...nodes, Alert: withText(text) }, connections));
    assert.deepEqual(placesOf(imported), [["FLOW072", "/nodes/2/parameters/text"]]);
  }
});

test("n8n: an error output without a connection is reported", () => {
  const imported = importWorkflow(n8nOf({ HTTP: failingHttp, Ok: "set" }, ["HTTP.0 -> Ok.0"]));
  assert.deepEqual(placesOf(imported), [["FLOW071", "/nodes/0/onError"]]);
  assert.match(imported.diagnostics[0].message, /fails after a failure of `HTTP`/);
});

test("n8n: a node with a third output has several regular ones", () => {
  const nodes = { R: { type: "router", onError: "continueErrorOutput" }, A: "set", B: "set" };
  const imported = importWorkflow(n8nOf(nodes, ["R.0 -> A.0", "R.1 -> A.0", "R.2 -> B.0"]));
  assert.deepEqual(
    imported.workflow.edges.map(({ action }) => action),
    [undefined, "output_1", "output_2"],
  );
  assert.deepEqual(placesOf(imported), [["FLOW071", "/nodes/0/onError"]]);
});

test("n8n: one trigger starts the run, and the others are reported", async () => {
  const nodes = {
    ...{ Failed: "errorTrigger", Mail: "set", Hook: "webhook", A: "set" },
    ...{ Daily: "scheduleTrigger", B: "set" },
  };
  const connections = ["Failed.0 -> Mail.0", "Hook.0 -> A.0", "Daily.0 -> B.0"];
  const imported = await runImported(n8nOf(nodes, connections), () => ({ outputs: { json: {} } }));
  assert.deepEqual(imported.ids, ["Hook", "A"]);
  assert.deepEqual(placesOf(imported), [
    ["FLOW071", "/nodes/0"],
    ["FLOW071", "/nodes/4"],
  ]);
  assert.match(imported.diagnostics[0].help, /"action": "error"/);
  assert.match(imported.diagnostics[1].message, /the run starts at `Hook`; the trigger `Daily`/);
  assert.match(imported.diagnostics[1].help, /"start_node": "Daily"/);
  // Nodes without a connection do not run.
  const alone = n8nOf({ A: "set", T: "manualTrigger" });
  const one = await runImported(alone, () => ({ outputs: { json: {} } }));
  assert.deepEqual([one.ids, one.diagnostics], [["T"], []]);
  assert.deepEqual(placesOf(importWorkflow(n8nOf({ A: "set", B: "set" }))), [
    ["FLOW071", "/connections"],
  ]);
});

test("n8n: properties of JavaScript values are not converted", () => {
  for (const path of ["tags.length", 'name["length"]', "a.length.x", "a.constructor"]) {
    const nodes = { A: "set", B: withText(`{{ $json.${path} }}`) };
    const imported = importWorkflow(n8nOf(nodes, ["A.0 -> B.0"]));
    assert.deepEqual(placesOf(imported), [["FLOW072", "/nodes/1/parameters/text"]], path);
  }
  const nodes = { A: "set", B: withText('{{ $json.lengths[0]["it\'s"]["a b"] }}') };
  const imported = importWorkflow(n8nOf(nodes, ["A.0 -> B.0"]));
  assert.equal(paramsOf(imported, "B").text, "${A.json.lengths[0][\"it's\"]['a b'] ?? null}");
});

test("n8n: entries that are no nodes and connections without nodes are reported", () => {
  const source = n8nOf({ A: "set" }, ["A.0 -> X.0"]);
  source.nodes.push(null, 5, { ...source.nodes[0] });
  source.nodes.length += 1;
  const imported = importWorkflow(source);
  assert.deepEqual(placesOf(imported), [
    ...[1, 2, 3, 4].map((index) => ["FLOW071", `/nodes/${index}`]),
    ["FLOW071", "/connections/A/main"],
  ]);
  assert.equal(imported.workflow.nodes.length, 1);
});

test("n8n: a decision without an action is reported", async () => {
  const nodes = { I: "if", A: "set", S: "switch", B: "set" };
  const connections = ["I.0 -> A.0", "A.0 -> S.0", "S.0 -> B.0"];
  const { workflow, result } = await runImported(n8nOf(nodes, connections), () => ({
    outputs: { json: {} },
  }));
  assert.deepEqual(
    workflow.nodes.map(({ actions }) => actions),
    [["true", "false"], undefined, ["output_0"], undefined],
  );
  assert.deepEqual(
    result.diagnostics.map(({ code }) => code),
    ["FLOW045"],
  );
});

test("n8n: settings of the workflow that change its runs are reported", () => {
  const settings = { executionOrder: "v1", errorWorkflow: "5", executionTimeout: 60 };
  const pinData = { A: [{ json: {} }] };
  assert.deepEqual(placesOf(importWorkflow(n8nOf({ A: "set" }, [], { settings, pinData }))), [
    ["FLOW071", "/settings/errorWorkflow"],
    ["FLOW071", "/settings/executionTimeout"],
    ["FLOW071", "/pinData"],
  ]);
  const none = { settings: { executionTimeout: -1 }, pinData: {} };
  assert.deepEqual(importWorkflow(n8nOf({ A: "set" }, [], none)).diagnostics, []);
});

test("n8n: types of the LangChain package keep its name", () => {
  const nodes = { A: "code", B: "@n8n/n8n-nodes-langchain.code", C: "@n8n/n8n-nodes-langchain.x" };
  assert.deepEqual(
    importWorkflow(n8nOf(nodes, ["A.0 -> B.0"])).workflow.nodes.map(({ type }) => type),
    ["code", "langchain.code", "langchain.x"],
  );
});

test("n8n: a missing field of an item is empty, and others keep their types", async () => {
  const parameters = {
    to: "={{ $json.email }}",
    cc: "={{ $json.cc }}",
    deep: "={{ $('Hook').item.json.a.b[0] }}",
    text: "=Dear {{ $json.name }}!",
    count: "={{ $json.count }}",
    list: "={{ $json.list[1] }}",
    all: "={{ $json }}",
  };
  const source = n8nOf({ Hook: "webhook", Mail: { type: "send", parameters } }, [
    "Hook.0 -> Mail.0",
  ]);
  const json = { email: "a@example.org", count: 2, list: [1, { x: false }] };
  const { calls, diagnostics, result } = await runImported(source, () => ({ outputs: { json } }));
  assert.deepEqual([diagnostics, result.status], [[], "completed"]);
  assert.deepEqual(calls[1][1], {
    ...{ to: "a@example.org", cc: null, deep: null, text: "Dear !", count: 2, list: { x: false } },
    ...{ all: json, input: json },
  });
});

test("n8n: keys with a dollar sign are read", async () => {
  const text = `{{ $json.$x }} {{ $json.a$b.$c[0].d }} {{ $json["$e.$f.g"].h }} {{ $json.$ }}`;
  const source = n8nOf({ Hook: "webhook", Set: withText(text) }, ["Hook.0 -> Set.0"]);
  const json = { $x: 1, a$b: { $c: [{ d: 2 }] }, "$e.$f.g": { h: 3 }, $: 4 };
  const { calls, diagnostics } = await runImported(source, () => ({ outputs: { json } }));
  assert.deepEqual([diagnostics, calls[1][1].text], [[], "1 2 3 4"]);
});
