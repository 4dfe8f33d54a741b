// Runs the ```flow blocks of docs/flow.md: a workflow in JSON, then `run` and `context` actions.
import assert from "node:assert/strict";
import { actionsOf, checkDiagnostics, expectation, json } from "./blocks.mjs";

/**
 * Compiles one block; `info` names its registry among `registries`, which are the ```json registry NAME
 * blocks of the page. Diagnostics are expected on the line that their span starts in.
 */
export async function runFlowBlock(block, registries, { buildContext, compileFlow }) {
  const registry = registries[block.info];
  assert.ok(registry, `unknown registry \`${block.info}\``);
  const [workflow, ...actions] = actionsOf(block);
  const text = workflow.text;
  const compiled = compileFlow(text, registry);
  checkLines(workflow, compiled.diagnostics);
  if (compiled.ok) checkMappings(workflow, compiled.flow.toJSON());
  for (const action of actions) {
    try {
      if (action.text === "context") checkContext(action, buildContext(text, registry));
      else await checkRun(action, JSON.parse(text), registry, compiled);
    } catch (error) {
      error.message = `line ${action.line}: ${action.text}\n${error.message}`;
      throw error;
    }
  }
}

/** Compares the diagnostics of each line of the workflow with its expectations; those without a location are in the last line. */
function checkLines({ line: first, lines, text }, diagnostics) {
  const lineOf = ({ location }) =>
    location?.kind === "text"
      ? text.slice(0, location.start).split("\n").length - 1
      : lines.length - 1;
  for (const [index, { text: shown, expected }] of lines.entries()) {
    try {
      const own = diagnostics.filter((diagnostic) => lineOf(diagnostic) === index);
      checkDiagnostics(expected, own, assert);
    } catch (error) {
      error.message = `line ${first + index}: ${shown}\n${error.message}`;
      throw error;
    }
  }
}

/** Compares `# stored: {key: name}` and `# reads: {input: name}` with the mappings of the node in that line. */
function checkMappings({ line: first, lines }, { nodes }) {
  for (const [index, { text, expected }] of lines.entries()) {
    const id = /"id": "([^"]+)"/.exec(text)?.[1];
    const node = nodes.find((one) => one.id === id);
    for (const [name, part] of [
      ["stored", "output_mappings"],
      ["reads", "input_mappings"],
    ]) {
      const written = expectation(expected, name);
      if (written === undefined) continue;
      assert.deepEqual(node?.[part] ?? {}, json(written), `line ${first + index}: ${text}`);
    }
  }
}

function checkContext({ expected }, context) {
  assert.equal(context.markdown, json(expectation(expected, "value")));
  checkDiagnostics(expected, context.diagnostics, assert);
}

/**
 * `run {"script": {id: outputs}, "inputs": …}`: an output that the script does not name is the text
 * `id.key`; `{"$throw": text}` makes the node fail.
 */
async function checkRun({ text, expected }, workflow, registry, compiled) {
  assert.ok(compiled.ok, "the workflow does not compile");
  const [, argument = "{}"] =
    /^run\s*([\s\S]*)$/.exec(text) ?? assert.fail("expected `run` or `context`");
  const { script = {}, ...options } = JSON.parse(argument || "{}");
  const calls = [];
  const call = ({ id, type, inputs }) => {
    calls.push([id, inputs]);
    const { $throw: message, action, ...own } = script[id] ?? {};
    if (message !== undefined) throw new Error(message);
    const node = workflow.nodes.find((one) => one.id === id);
    const keys = (node.outputs ?? registry[type].outputs ?? []).map((one) => one.key ?? one);
    const outputs = Object.fromEntries(keys.map((key) => [key, `${id}.${key}`]));
    return { outputs: { ...outputs, ...own }, ...(action !== undefined && { action }) };
  };
  const nodes = Object.fromEntries(Object.keys(registry).map((type) => [type, call]));
  const result = await compiled.flow.run({ nodes, ...options });
  checkDiagnostics(expected, result.diagnostics, assert);
  assert.equal(result.status, expectation(expected, "status") ?? "completed");
  const outputs = expectation(expected, "outputs");
  if (outputs !== undefined) assert.deepEqual(result.outputs, json(outputs));
  const order = expectation(expected, "calls");
  if (order !== undefined) assert.deepEqual(calls, json(order));
}
