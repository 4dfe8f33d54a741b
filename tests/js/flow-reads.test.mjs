// Inputs of a node at run time: params, items and the values in the store.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";
import { answerOf, flowOf, workflowOf } from "../flow/make.mjs";

await init();

test("an input that a param supplies appears as both", async () => {
  const flow = flowOf([
    ["a", "", "x"],
    ["b", "x", "", { params: { x: "not $x" } }],
  ]);
  let context;
  const work = ({ id, params, inputs }) => {
    if (id === "b") context = { params, inputs };
    return answerOf(id, ...(id === "a" ? ["x"] : []));
  };
  await flow.run({ nodes: { work } });
  assert.deepEqual(context, { params: { x: "not a x" }, inputs: { x: "not a x" } });
});

test("a param overrides the batch item of the same name", async () => {
  const batch = { items: ["a", "b"], as: "text" };
  const nodes = [
    ["t", "text", "y", { params: { text: "S: $text" }, batch }],
    ["u", "", "z", { params: { item: "fixed" }, batch: { items: ["a", "b"] } }],
  ];
  const calls = [];
  const work = ({ id, params, inputs }) => {
    calls.push([id, params, inputs]);
    return { outputs: id === "t" ? { y: 1 } : { z: 1 } };
  };
  await flowOf(nodes).run({ nodes: { work } });
  assert.deepEqual(calls, [
    ["t", { text: "S: a" }, { text: "S: a" }],
    ["t", { text: "S: b" }, { text: "S: b" }],
    ["u", { item: "fixed" }, { item: "fixed" }],
    ["u", { item: "fixed" }, { item: "fixed" }],
  ]);
});

test("reports how to write a generated name that is used without the context", () => {
  const nodes = [
    ["a", "", "x"],
    ["b", "", "x"],
    ["c", "y", ""],
  ];
  const errors = (more) => compileFlow(workflowOf(nodes, more), {}).diagnostics;
  const [output] = errors({ outputs: { a_x: {} } }).filter(({ code }) => code === "TPL001");
  assert.match(output.help, /^write `\$\{a\.x\}`.*`context`/);
  const mappings = { c: { input_mappings: { y: "a_x" } } };
  const [mapped] = errors({ outputs: { a_x: "one" }, mappings }).filter(
    ({ code }) => code === "FLOW006",
  );
  assert.match(mapped.help, /`context`/);
});

test("a read after a branch that ended early has the value of one flat store", async () => {
  const nodes = [["n1", "", "x"], ["n2"], ["n3"], ["n6", "", "x"], ["n7", "x"]];
  const edges = ["n1 n2", "n1 n3", "n3 n6", "n2 n7", "n6 n7"];
  const inputs = { given: {} };
  for (const concurrency of [1, 4]) {
    for (const stops of [undefined, "n3"]) {
      const calls = [];
      const work = ({ id, inputs: { x } }) => {
        if (id === "n7") calls.push(x);
        const answer = answerOf(id, ...(id === "n1" || id === "n6" ? ["x"] : []));
        return { ...answer, ...(id === stops && { action: "stop" }) };
      };
      const result = await flowOf(nodes, { edges, inputs }).run({ nodes: { work }, concurrency });
      assert.equal(result.status, "completed");
      assert.deepEqual(calls, [stops ? "n1 x" : "n6 x"]);
    }
  }
});
