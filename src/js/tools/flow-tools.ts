import { assertFunction, assertMap } from "../arguments.js";
import { compileFlow } from "../flow/flow.js";
import { buildContext } from "../flow/mappings.js";
import type { FlowRunOptions, Registry, Workflow } from "../flow/types.js";
import type { JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { defineTool, maxCharactersOf } from "./define-tool.js";
import { diagnosticsPart, failureResult, withDiagnostics } from "./result.js";
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
  const context = { registry, nodes, maxCharacters };
  const tools = [flowContext, checkFlow, runFlow];
  return tools.map((tool) => defineTool(tool(context), maxCharacters));
}

type FlowToolContext = Required<FlowToolsOptions>;

const WORKFLOW = {
  type: "object",
  description:
    'workflow such as {"nodes": [{"id": "a", "type": "…", "params": {}}], "edges": [{"from": "a", "to": "b"}], "inputs": {}, "outputs": {}}',
};

const flowContext = ({ registry, maxCharacters }: FlowToolContext) => ({
  name: "flow_context",
  description:
    "Returns the node types with their inputs, outputs and params; with a workflow also the names under which its outputs are read. Call it first.",
  properties: { workflow: WORKFLOW },
  run({ workflow }: JsonObject): JsonObject {
    const types = workflow === undefined ? { types: registry as unknown as Json } : {};
    if (workflow === undefined) return { ok: true, ...types };
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

const runFlow = ({ registry, nodes }: FlowToolContext) => ({
  name: "run_flow",
  description: "Compiles and runs a workflow and returns its outputs.",
  properties: {
    workflow: WORKFLOW,
    inputs: { type: "object", description: "values of the inputs by name" },
  },
  required: ["workflow"],
  async run(args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
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
      const problems = [...compiled.diagnostics, ...diagnostics];
      const parts = { status, outputs: outputs as Json, ...diagnosticsPart(problems) };
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
