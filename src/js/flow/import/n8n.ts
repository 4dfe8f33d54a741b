import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { NodeIds } from "./node-ids.js";

/** Settings of a node that are read, or that only concern the editor. */
const KNOWN_KEYS = [
  ...["name", "type", "parameters", "id", "typeVersion", "position", "notes", "notesInFlow"],
  ...["disabled", "retryOnFail", "maxTries", "waitBetweenTries", "onError", "continueOnFail"],
  ...["credentials", "webhookId", "color"],
];

/** Expression that refers to one output: of the previous node, or of a node by its name. */
const OUTPUT_REFERENCE =
  /^(?:\$json|\$node\["([^"]+)"\]\.json|\$\(["']([^"']+)["']\)\.(?:item|first\(\)|last\(\))\.json)((?:\.[\w$]+|\["[^"]+"\]|\[\d+\])*)$/;

interface Connection {
  from: string;
  to: string;
  output: number;
}

/** Returns whether a document is an export of n8n. */
export function isN8n({ nodes, connections }: JsonObject): boolean {
  return Array.isArray(nodes) && isJsonObject(connections);
}

/** Converts an export of n8n. Each node has one output, `json`. */
export function fromN8n(document: JsonObject, report: ImportReport): Workflow {
  const ids = new NodeIds();
  const all = (document["nodes"] as Json[]).map((node) => (isJsonObject(node) ? node : {}));
  const isNote = (node: JsonObject): boolean => textOf(node["type"]).endsWith("stickyNote");
  for (const node of all) if (!isNote(node)) ids.idOf(textOf(node["name"]));
  const connections = connectionsOf(document["connections"] as JsonObject, report);
  const nodes = all.flatMap((node, index) =>
    isNote(node) ? [] : [toNode(node, `/nodes/${index}`, { ids, connections, report })],
  );
  const edges = connections.flatMap(({ from, to, output }) => {
    const [source, target] = [ids.find(from), ids.find(to)];
    if (source === undefined || target === undefined) return [];
    const action = actionOf(
      all.find(({ name }) => name === from),
      output,
    );
    return [{ from: source, to: target, ...(action !== undefined && { action }) }];
  });
  return { nodes, ...(edges.length > 0 && { edges }) };
}

interface Context {
  ids: NodeIds;
  connections: readonly Connection[];
  report: ImportReport;
}

function toNode(node: JsonObject, pointer: string, context: Context): WorkflowNode {
  const { report, connections, ids } = context;
  const name = textOf(node["name"]);
  for (const key of Object.keys(node)) {
    if (!KNOWN_KEYS.includes(key))
      report.omit(`${pointer}/${key}`, `\`${key}\``, "add it to `params` if the callback needs it");
  }
  if (node["credentials"] !== undefined)
    report.omit(
      `${pointer}/credentials`,
      "`credentials`",
      "pass secrets as inputs of the workflow",
    );
  if (continuesAfterError(node) && errorOutputOf(node) === undefined)
    report.omit(
      `${pointer}/${node["onError"] === undefined ? "continueOnFail" : "onError"}`,
      "continuing after a failure",
      'add an edge with `"action": "error"` to the node that handles the failure',
    );
  if (node["disabled"] === true)
    report.omit(`${pointer}/disabled`, "`disabled`", "remove the node and connect its neighbours");
  const previous = [
    ...new Set(connections.filter(({ to }) => to === name).map(({ from }) => from)),
  ];
  const parameters = isJsonObject(node["parameters"]) ? node["parameters"] : {};
  const params = convertExpressions(parameters, `${pointer}/parameters`, previous, context) as {
    [key: string]: Json;
  };
  const outputs = new Set(
    connections.filter(({ from }) => from === name).map(({ output }) => output),
  );
  const actions = [...outputs].flatMap((output) => actionOf(node, output) ?? []);
  const type = textOf(node["type"]).replace(/^(?:@n8n\/)?n8n-nodes-(?:base|langchain)\./, "");
  return {
    id: ids.idOf(name),
    type,
    ...(typeof node["notes"] === "string" && { purpose: node["notes"] }),
    params,
    inputs: Object.keys(params),
    outputs: ["json"],
    ...(actions.length > 0 && { actions: [...new Set(actions), "default"] }),
    ...(node["retryOnFail"] === true && {
      retry: {
        max_attempts: numberOr(node["maxTries"], 3),
        backoff_ms: numberOr(node["waitBetweenTries"], 1000),
      },
    }),
  };
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Returns whether a node does not end the workflow when it fails. */
function continuesAfterError({ onError, continueOnFail }: JsonObject): boolean {
  return onError === undefined ? continueOnFail === true : onError !== "stopWorkflow";
}

/** Types with a number of regular outputs that is not one, or not known. */
const SEVERAL_OUTPUTS =
  /\.(?:switch|splitInBatches|compareDatasets|textClassifier|sentimentAnalysis)$/;

/** Returns the output for failures, which follows the regular ones; undefined if it is not known. */
function errorOutputOf(node: JsonObject): number | undefined {
  const type = textOf(node["type"]);
  if (node["onError"] !== "continueErrorOutput" || SEVERAL_OUTPUTS.test(type)) return undefined;
  return type.endsWith(".if") ? 2 : 1;
}

/** Returns the action of an output: an `if` node has two, others number their outputs. */
function actionOf(node: JsonObject | undefined, output: number): string | undefined {
  if (node !== undefined && output === errorOutputOf(node)) return "error";
  const type = textOf(node?.["type"]);
  if (type.endsWith(".if")) return output === 0 ? "true" : "false";
  if (type.endsWith(".switch")) return `output_${output}`;
  return output === 0 ? undefined : `output_${output}`;
}

/** Returns the connections between the names of nodes. Those of models and tools are left out. */
function connectionsOf(connections: JsonObject, report: ImportReport): Connection[] {
  return Object.entries(connections).flatMap(([from, kinds]) =>
    Object.entries(isJsonObject(kinds) ? kinds : {}).flatMap(([kind, outputs]) => {
      const pointer = `/connections/${from}/${kind}`;
      if (kind !== "main") {
        report.omit(
          pointer,
          `the connection \`${kind}\``,
          "pass the model or tool in the callback",
        );
        return [];
      }
      return (Array.isArray(outputs) ? outputs : []).flatMap((targets, output) =>
        (Array.isArray(targets) ? targets : []).flatMap((target) =>
          isJsonObject(target) ? [{ from, to: textOf(target["node"]), output }] : [],
        ),
      );
    }),
  );
}

/** Converts the expressions in a value. */
function convertExpressions(
  value: Json,
  pointer: string,
  previous: readonly string[],
  context: Context,
): Json {
  if (typeof value === "string") return convertText(value, pointer, previous, context);
  if (Array.isArray(value))
    return value.map((item, at) => convertExpressions(item, `${pointer}/${at}`, previous, context));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      convertExpressions(item, `${pointer}/${key}`, previous, context),
    ]),
  );
}

/** Converts a text; one that begins with `=` contains expressions in `{{ }}`. */
function convertText(
  text: string,
  pointer: string,
  previous: readonly string[],
  { ids, report }: Context,
): string {
  // In templates a dollar sign begins a reference.
  if (!text.startsWith("=")) return text.replaceAll("$", "$$$$");
  let literalStart = 1;
  let result = "";
  for (const match of text.matchAll(/\{\{(.*?)\}\}/gs)) {
    result += text.slice(literalStart, match.index).replaceAll("$", "$$$$");
    literalStart = match.index + match[0].length;
    const expression = (match[1] as string).trim();
    const reference = OUTPUT_REFERENCE.exec(expression);
    const name =
      reference?.[1] ?? reference?.[2] ?? (previous.length === 1 ? previous[0] : undefined);
    const id = reference && name !== undefined ? ids.find(name) : undefined;
    if (id === undefined) {
      report.keepText(pointer, match[0]);
      result += match[0].replaceAll("$", "$$$$");
    } else {
      const path = (reference?.[3] ?? "").replaceAll(/\["([^"]+)"\]/g, "['$1']");
      result += `\${${id}.json${path}}`;
    }
  }
  return result + text.slice(literalStart).replaceAll("$", "$$$$");
}
