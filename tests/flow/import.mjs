// Imports, compiles and runs workflows of other programs.

import assert from "node:assert/strict";
import { compileFlow } from "byname";
import { importWorkflow } from "byname/flow";

/** Imports and compiles a workflow. Returns it with the calls of a run. */
export async function runImported(source, answers, { registry = {}, ...options } = {}) {
  const imported = importWorkflow(source);
  assert.ok(imported.workflow, JSON.stringify(imported.diagnostics));
  const compiled = compileFlow(imported.workflow, registry);
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  assert.deepEqual(errors, []);
  const calls = [];
  const types = new Set(imported.workflow.nodes.map(({ type }) => type));
  const nodes = Object.fromEntries(
    [...types].map((type) => [
      type,
      (call) => {
        calls.push([call.id, call.params]);
        return answers(call);
      },
    ]),
  );
  const result = await compiled.flow.run({ nodes, ...options });
  return { ...imported, calls, ids: calls.map(([id]) => id), result };
}

/** Returns the codes and pointers of diagnostics. */
export const placesOf = ({ diagnostics }) =>
  diagnostics.map(({ code, location }) => [code, location.pointer]);
