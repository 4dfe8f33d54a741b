// Counted work of importing workflows: at most n log n in the size of each construct.
import "../growth/count-javascript.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { testGrowth } = await import("../growth/measure.mjs");
const { IMPORTS } = await import("../growth/import.mjs");
const { importWorkflow } = await import("byname/flow");
testGrowth("import", IMPORTS);

/** Texts whose regular expressions would search from each position to the end. */
const UNCLOSED = {
  "an expression of n8n": (size) => ({
    nodes: [{ name: "a", type: "t", parameters: { a: `={{${"{{".repeat(size)}` } }],
    connections: {},
  }),
  "a name of n8n": (size) => ({
    nodes: [{ name: `a${"_".repeat(size)}b`, type: "t", parameters: {} }],
    connections: {},
  }),
  "a class of ComfyUI": (size) => ({ 1: { class_type: `a${"_".repeat(size)}b`, inputs: {} } }),
};
for (const [name, make] of Object.entries(UNCLOSED))
  test(`import: ${name} of 400,000 characters takes milliseconds, not a minute`, () => {
    const before = process.cpuUsage();
    assert.notEqual(importWorkflow(make(400_000)).workflow, null);
    const milliseconds = process.cpuUsage(before).user / 1000;
    assert.ok(milliseconds < 500, `${milliseconds} ms`);
  });

test("import: a long template stays text, without an error of the regular expression", () => {
  const long = "a".repeat(9e6);
  for (const text of [`\${${long}`, `\${${long}}`]) {
    const document = { nodes: [{ id: "a", type: "t", params: { p: text } }], edges: [] };
    const { workflow, diagnostics } = importWorkflow({ ...document, outputs: { o: long } });
    assert.equal(workflow.nodes[0].params.p, `$${text}`);
    assert.equal(workflow.outputs.o, long);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["FLOW072"],
    );
  }
  const parameters = { a: `={{ $json.${long} }}` };
  const { diagnostics } = importWorkflow({
    nodes: [{ name: "a", type: "t", parameters }],
    connections: {},
  });
  assert.equal(diagnostics[0].code, "FLOW072");
});
