// Suite of workflows: a model connects nodes with equal output keys, and the outputs of a run are compared.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { failureText, propose } from "../attempts.mjs";
import { nodes as implementations } from "../workflows/nodes.mjs";
import { system, workflowGrammar } from "../workflows/texts.mjs";

const readJson = (name) =>
  JSON.parse(readFileSync(new URL(`../workflows/${name}.json`, import.meta.url), "utf8"));
const registry = readJson("registry");

export const workflowSuite = {
  name: "workflows",
  tasks: readJson("tasks"),
  textOf: ({ request }) => request,
  groupOf: () => "workflows",
  recorded: recordedReplies,

  async prepare({ byname, importPart }, tasks, { repairs }) {
    const { repairPrompt } = await importPart("catalog.js");
    return { tasks, run: (task, llm) => compose(byname, task, llm, { repairs, repairPrompt }) };
  },
};

async function compose({ buildContext, compileFlow }, task, llm, options) {
  const { id, request: text, nodes, inputs = {}, outputs } = task;
  const selected = { nodes: Object.entries(nodes).map(([node, type]) => ({ id: node, type })) };
  const context = buildContext(selected, registry);
  const prompt = `The nodes:\n${context.markdown}\n\n${text}`;
  const grammar = workflowGrammar(nodes, namesOf(context, nodes, inputs), registry);
  const read = (reply) => {
    const compiled = compileFlow(jsonOf(reply), registry, { context });
    const diagnostics = compiled.diagnostics.filter(isRejection);
    return { diagnostics, value: compiled.ok ? compiled.flow : undefined };
  };
  const {
    value: flow,
    diagnostics,
    ...counts
  } = await propose(llm, { id, system, prompt, grammar }, { read, ...options });
  const expected = JSON.stringify(outputs);
  if (flow === undefined)
    return { isRight: false, ...counts, expected, reason: failureText({ ...counts, diagnostics }) };
  const result = await flow.run({ nodes: implementations, inputs }).catch(failedRun);
  flow[Symbol.dispose]();
  const isRight = result.status === "completed" && isDeepStrictEqual(result.outputs, outputs);
  return {
    isRight,
    ...counts,
    expected,
    reason: `${result.status} ${JSON.stringify(result.outputs)}`,
  };
}

/** Returns the names that a workflow may read: storage names, `id.output`, and inputs of the workflow. */
function namesOf(context, nodes, inputs) {
  const stored = context.nodes.flatMap(({ outputs }) => outputs);
  const qualified = Object.entries(nodes).flatMap(([id, type]) =>
    registry[type].outputs.map((key) => `${id}.${key}`),
  );
  return [...new Set([...stored, ...qualified, ...Object.keys(inputs)])];
}

/** Returns the JSON of a reply, without text and fences around it. */
function jsonOf(reply) {
  return /\{[\s\S]*\}/.exec(reply)?.[0] ?? reply;
}

/** Returns whether a diagnostic makes a workflow invalid: an error, or a warning about an unknown name or key. */
function isRejection({ code, severity }) {
  return severity === "error" || (severity === "warning" && ["FLOW002", "FLOW012"].includes(code));
}

/** Returns the result of a run that rejected, because a node threw. */
function failedRun(error) {
  return { status: "failed", outputs: error.message };
}

/** Returns a callback with the recorded replies of a task: a wrong one if the task has it, then the right one. */
function recordedReplies({ workflow, slip }) {
  const right = JSON.stringify(workflow);
  const replies = [...(slip ? [right.replaceAll(...slip)] : []), right];
  return () => {
    const reply = replies.shift();
    if (reply === undefined) throw new Error("the recorded replies are used up");
    return reply;
  };
}
