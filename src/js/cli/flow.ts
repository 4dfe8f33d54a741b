import { compileFlow, type Flow } from "../flow/flow.js";
import { buildContext } from "../flow/mappings.js";
import type { NodeCallback, Registry } from "../flow/types.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import type { Command, Options, Outcome } from "./command.js";
import { importModule, readJson, readText } from "./files.js";
import { formatDiagnostics, printable } from "./report.js";
import { UsageError } from "./usage-error.js";

const options = { registry: { type: "string" } } as const;
const optionHelp = { registry: "JSON file or module with the node types" };

async function registryOf({ registry: path }: Options): Promise<Registry> {
  if (typeof path !== "string") return {};
  const value = path.endsWith(".json") ? readJson(path) : await importModule(path, "registry");
  if (!isJsonObject(value as Json))
    throw new UsageError(`expected an object of node types in \`${path}\``);
  return value as Registry;
}

function failureOutcome(
  text: string,
  path: string | undefined,
  diagnostics: readonly Diagnostic[],
): Outcome {
  return {
    text: formatDiagnostics(diagnostics, { name: path ?? "-", text }),
    json: { ok: false, diagnostics: diagnostics as unknown as Json },
    failed: true,
  };
}

/** Compiles the workflow of a file and passes it to a task. */
async function withFlow(
  path: string | undefined,
  given: Options,
  task: (flow: Flow, found: string, diagnostics: Diagnostic[]) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const text = readText(path);
  const compiled = compileFlow(text, await registryOf(given));
  if (!compiled.ok) {
    const failed = failureOutcome(text, path, compiled.diagnostics);
    const isUntyped = compiled.diagnostics.some(({ code }) => code === "FLOW004");
    const hint = "byname: pass the node types with `--registry FILE`";
    return isUntyped && given["registry"] === undefined ? { ...failed, notes: hint } : failed;
  }
  const found = formatDiagnostics(compiled.diagnostics, { name: path ?? "-", text });
  return task(compiled.flow, found, compiled.diagnostics);
}

export const flowCheck: Command = {
  name: "flow check",
  usage: "[FILE]",
  summary: "checks a workflow",
  options,
  optionHelp,
  run: ([path], given) =>
    withFlow(path, given, (_flow, found, diagnostics) => ({
      text: [found, `${path ?? "-"}: no errors`].filter((line) => line !== "").join("\n"),
      json: { ok: true, diagnostics: diagnostics as unknown as Json },
    })),
};

export const flowContext: Command = {
  name: "flow context",
  usage: "[FILE]",
  summary: "prints the context for the planner of a workflow",
  options,
  optionHelp,
  async run([path], given) {
    const text = readText(path);
    const context = buildContext(text, await registryOf(given));
    const failed = context.diagnostics.some(({ severity }) => severity === "error");
    if (failed) return failureOutcome(text, path, context.diagnostics);
    return { text: context.markdown, json: context as unknown as Json };
  },
};

export const flowMermaid: Command = {
  name: "flow mermaid",
  usage: "[FILE]",
  summary: "prints a workflow as a Mermaid flowchart",
  options,
  optionHelp,
  run: ([path], given) =>
    withFlow(path, given, (flow) => {
      const text = flow.toMermaid();
      return { text, json: text };
    }),
};

export const flowRun: Command = {
  name: "flow run",
  usage: "[FILE]",
  summary: "runs a workflow with the functions of a module",
  options: { ...options, nodes: { type: "string" }, inputs: { type: "string" } },
  optionHelp: {
    ...optionHelp,
    nodes: "module that exports a function for each node type; required",
    inputs: "JSON text of the inputs",
  },
  async run([path], given) {
    const modulePath = given["nodes"];
    if (typeof modulePath !== "string")
      throw new UsageError("expected the option `--nodes MODULE`");
    const nodes = (await importModule(modulePath, "nodes")) as { [type: string]: NodeCallback };
    const inputs = inputsOf(given["inputs"]);
    return withFlow(path, given, async (flow, found) => {
      const result = await flow.run({ nodes, inputs });
      const problems = formatDiagnostics(result.diagnostics, { name: path ?? "-" });
      const waiting = result.waiting.map(
        ({ node, payload }) => `${node} waits for an answer: ${JSON.stringify(payload)}`,
      );
      const outputs = JSON.stringify(result.outputs, null, 2);
      const lines = [found, problems, result.status, ...waiting.map(printable), outputs];
      return {
        text: lines.filter((line) => line !== "").join("\n"),
        json: result as unknown as Json,
        failed: result.status !== "completed",
      };
    });
  },
};

function inputsOf(text: string | boolean | undefined): { [name: string]: Json } {
  if (typeof text !== "string") return {};
  try {
    const inputs = JSON.parse(text) as Json;
    if (isJsonObject(inputs)) return inputs;
  } catch {
    // Reported below.
  }
  throw new UsageError('expected `--inputs` to be JSON such as {"name": "value"}');
}
