// Builders of small workflows for tests.

import assert from "node:assert/strict";
import { compileFlow } from "byname";

/** Compiles a workflow of nodes such as `["a", "x y", "z?"]`; see `workflowOf`. */
export function flowOf(nodes, more = {}, options = {}) {
  const compiled = compileFlow(workflowOf(nodes, more), {}, options);
  assert.ok(compiled.ok, JSON.stringify(compiled.diagnostics));
  return compiled.flow;
}

/** Returns a workflow; a node is its id, input keys, output keys (`?` after optional ones), and other parts. */
export function workflowOf(nodes, more = {}) {
  const words = (text = "") => text.split(" ").filter((word) => word !== "");
  const node = ([id, inputs, outputs, rest = {}]) => ({
    id,
    type: "work",
    inputs: words(inputs).map((key) => ({ key })),
    outputs: words(outputs).map((word) =>
      word.endsWith("?") ? { key: word.slice(0, -1), optional: true } : { key: word },
    ),
    ...rest,
  });
  const { edges, ...others } = more;
  const workflow = { nodes: nodes.map(node), ...others };
  if (edges) {
    workflow.edges = edges.map((edge) => {
      const [from, to, action] = edge.split(" ");
      return action === undefined ? { from, to } : { from, to, action };
    });
  }
  return workflow;
}

/** Returns a result with the value `id key` for each output. */
export function answerOf(id, ...keys) {
  return { outputs: Object.fromEntries(keys.map((key) => [key, `${id} ${key}`])) };
}

export const codesOf = ({ diagnostics }) => diagnostics.map(({ code }) => code);

export const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const never = () => new Promise(() => {});
