// Small workflows for tests, and what is often done with them.

import assert from "node:assert/strict";
import { compileFlow } from "byname";

/** Compiles a workflow whose nodes say themselves what they read and write: `["a", "x y", "z?"]`. */
export function flowOf(nodes, more = {}, options = {}) {
  const compiled = compileFlow(workflowOf(nodes, more), {}, options);
  assert.ok(compiled.ok, JSON.stringify(compiled.diagnostics));
  return compiled.flow;
}

/** A node: its id, what it reads, what it writes (`?` behind what is optional), and the rest of it. */
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
  const made = { nodes: nodes.map(node), ...others };
  if (edges) {
    made.edges = edges.map((edge) => {
      const [from, to, action] = edge.split(" ");
      return action === undefined ? { from, to } : { from, to, action };
    });
  }
  return made;
}

/** Every declared output gets `id key`. */
export function answerOf(id, ...keys) {
  return { outputs: Object.fromEntries(keys.map((key) => [key, `${id} ${key}`])) };
}

export const codesOf = ({ diagnostics }) => diagnostics.map(({ code }) => code);

export const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const never = () => new Promise(() => {});
