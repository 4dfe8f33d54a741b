import { assertFunction, assertMap } from "../arguments.js";
import { compileFlow } from "../flow/flow.js";
import { buildContext } from "../flow/mappings.js";
import type { FlowRunOptions, Registry, Workflow } from "../flow/types.js";
import type { JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { defineTool, maxCharactersOf } from "./define-tool.js";
import { pageRows, pageValue, RANGE_PROPERTIES, rangeOf } from "./page.js";
import { argumentFailure, diagnosticsPart, failureResult, withDiagnostics } from "./result.js";
import type { Tool, ToolsOptions } from "./types.js";

/** Options of `flowTools`. */
export interface FlowToolsOptions extends ToolsOptions {
  /** Node types that the model may use. */
  registry: Registry;
  /** Implementation of each node type. */
  nodes: FlowRunOptions["nodes"];
}

/** Returns the tools with which a model writes a workflow: context, check, run. */
export function flowTools(options: FlowToolsOptions): Tool[] {
  const maxCharacters = maxCharactersOf(options, ["registry", "nodes"], "flowTools");
  const { registry, nodes } = options;
  assertMap(registry, "`registry`");
  assertMap(nodes, "`nodes`");
  for (const [type, callback] of Object.entries(nodes)) assertFunction(callback, `\`${type}\``);
  const context = { registry, nodes, maxCharacters, lastOutputs: undefined };
  const tools = [flowContext, checkFlow, runFlow, readOutput];
  return tools.map((tool) => defineTool(tool(context), maxCharacters));
}

interface FlowToolContext extends Required<FlowToolsOptions> {
  /** Outputs of the last run. */
  lastOutputs: JsonObject | undefined;
}

const WORKFLOW = {
  type: "object",
  description:
    'workflow such as {"nodes": [{"id": "a", "type": "…", "params": {}}], "edges": [{"from": "a", "to": "b"}], "inputs": {}, "outputs": {}}',
};

const flowContext = ({ registry, maxCharacters }: FlowToolContext) => ({
  name: "flow_context",
  description:
    "Returns the node types with their inputs, outputs and params; with a workflow also the names under which its outputs are read. Call it first.",
  properties: {
    workflow: WORKFLOW,
    types: {
      type: "array",
      items: { type: "string", enum: Object.keys(registry) },
      description: "names of node types; all by default",
    },
    ...RANGE_PROPERTIES,
  },
  run(args: JsonObject): JsonObject {
    const { workflow, types } = args as { workflow?: Json; types?: string[] };
    if (workflow === undefined) {
      const rows = Object.entries(registry)
        .filter(([type]) => types === undefined || types.includes(type))
        .map(([type, definition]) => ({ type, ...definition }) as unknown as Json);
      const call = (offset: number): string =>
        `call flow_context with ${JSON.stringify({ ...args, offset })}`;
      return { ok: true, ...pageRows(rows, rangeOf(args), maxCharacters, call) };
    }
    // JSON text has a backslash for each line break and each quote.
    const budget = { characters: Math.floor(maxCharacters / 2) };
    const built = buildContext(workflow as unknown as Workflow, registry, { budget });
    return withDiagnostics(built.diagnostics, { context: built.markdown });
  },
});

const checkFlow = ({ registry }: FlowToolContext) => ({
  name: "check_flow",
  description: "Compiles a workflow without running it and returns its errors with their fixes.",
  properties: { workflow: WORKFLOW },
  required: ["workflow"],
  run({ workflow }: JsonObject): JsonObject {
    const compiled = compileFlow(workflow as unknown as Workflow, registry);
    if (!compiled.ok) return withDiagnostics(compiled.diagnostics, {});
    const { flow, diagnostics } = compiled;
    try {
      return withDiagnostics(diagnostics, { fingerprint: flow.fingerprint });
    } finally {
      flow[Symbol.dispose]();
    }
  },
});

const runFlow = (context: FlowToolContext) => ({
  name: "run_flow",
  description: "Compiles and runs a workflow and returns its outputs.",
  properties: {
    workflow: WORKFLOW,
    inputs: { type: "object", description: "values of the inputs by name" },
  },
  required: ["workflow"],
  async run(args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
    const { registry, nodes } = context;
    const { workflow, inputs = {} } = args;
    const compiled = compileFlow(workflow as unknown as Workflow, registry);
    if (!compiled.ok) return withDiagnostics(compiled.diagnostics, {});
    const { flow } = compiled;
    try {
      const result = await flow.run({
        nodes,
        inputs: inputs as JsonObject,
        ...(signal && { signal }),
      });
      const { status, outputs, diagnostics, waiting } = result;
      const problems = [...compiled.diagnostics, ...diagnostics].map(withToolHelp);
      context.lastOutputs = outputs as JsonObject;
      const parts = { status, ...outputsPart(context), ...diagnosticsPart(problems) };
      if (status === "completed") return { ok: true, ...parts };
      if (status === "cancelled")
        return { ...failureResult("cancelled", "the workflow was cancelled"), ...parts };
      if (status === "paused") {
        const failed = failureResult("paused", "the workflow waits for the host");
        return { ...failed, ...parts, waiting: (waiting ?? null) as unknown as Json };
      }
      const help = "apply the help of each diagnostic and run the workflow again";
      return { ...failureResult("diagnostics", "the workflow failed", { help }), ...parts };
    } finally {
      flow[Symbol.dispose]();
    }
  },
});

/** Returns a diagnostic whose help fits the tools, which cannot resume a run. */
function withToolHelp(diagnostic: Diagnostic): Diagnostic {
  const help = diagnostic.help?.replace(
    "fix the cause, then resume the run with its trace",
    "correct the params or the inputs, then call run_flow again",
  );
  return help === undefined ? diagnostic : { ...diagnostic, help };
}

/** Returns the outputs of the last run. Those that do not fit are named with the call that reads them. */
function outputsPart({ lastOutputs = {}, maxCharacters }: FlowToolContext): JsonObject {
  const entries = Object.entries(lastOutputs);
  // Diagnostics need the other half.
  const share = Math.floor(maxCharacters / 2 / Math.max(1, entries.length));
  const isLong = ([, value]: [string, Json]): boolean => JSON.stringify(value).length > share;
  const long = entries.filter(isLong).map(([name]) => name);
  const outputs = Object.fromEntries(entries.filter((entry) => !isLong(entry)));
  if (long.length === 0) return { outputs };
  const calls = long.slice(0, MAX_CALLS).map((name) => callReadOutput(name)(0));
  return { outputs, rest: `${long.length} outputs are left out; ${calls.join(", ")}` };
}

/** Maximum number of outputs that are left out and named. */
const MAX_CALLS = 5;

function callReadOutput(name: string): (offset: number) => string {
  return (offset) => `call read_output with {"name":${JSON.stringify(name)},"offset":${offset}}`;
}

const readOutput = (context: FlowToolContext) => ({
  name: "read_output",
  description:
    "Returns an output of the last run: rows of a list, or a value; a part at a time if it is long.",
  properties: {
    name: { type: "string", description: "the output" },
    ...RANGE_PROPERTIES,
  },
  required: ["name"],
  run(args: JsonObject): JsonObject {
    const { lastOutputs, maxCharacters } = context;
    const name = args["name"] as string;
    if (lastOutputs === undefined)
      return failureResult("arguments", "no workflow has run", { help: "call run_flow first" });
    const value = Object.hasOwn(lastOutputs, name) ? lastOutputs[name] : undefined;
    if (value === undefined) {
      const known = Object.keys(lastOutputs)
        .slice(0, 30)
        .map((one) => `\`${one}\``);
      const help = `use one of ${known.join(", ")}`;
      return argumentFailure([{ field: "/name", message: `unknown output \`${name}\``, help }]);
    }
    const range = rangeOf(args);
    const call = callReadOutput(name);
    if (Array.isArray(value)) return { ok: true, ...pageRows(value, range, maxCharacters, call) };
    return { ok: true, ...pageValue(value, range.offset, maxCharacters, call) };
  },
});
