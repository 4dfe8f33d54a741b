import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { actionOf, actionsOf, connectionsOf, errorOutputOf } from "./n8n-connections.js";
import type { N8nNode } from "./n8n-node.js";
import { reportNode, reportSettings } from "./n8n-settings.js";
import { convertExpressions, type Source } from "./n8n-texts.js";
import { startOf } from "./n8n-triggers.js";
import { NodeIds } from "./node-ids.js";

/** Returns whether a document is an export of n8n. */
export function isN8n({ nodes, connections }: JsonObject): boolean {
  return Array.isArray(nodes) && isJsonObject(connections);
}

/**
 * Converts an export of n8n. Each node has one output, `json`, and gets the outputs of the nodes
 * before it in the params `input`, or `input_0`, `input_1` and so on.
 */
export function fromN8n(document: JsonObject, report: ImportReport): Workflow {
  const nodes = namedNodes(document["nodes"] as Json[], report);
  const connections = connectionsOf(document["connections"] as JsonObject, nodes, report);
  for (const connection of connections) {
    nodes.get(connection.from)?.outgoing.push(connection);
    nodes.get(connection.to)?.incoming.push(connection);
  }
  const all = [...nodes.values()];
  for (const one of all) one.errorOutput = errorOutputOf(one.node, one.outgoing);
  reportSettings(document, report);
  const converted = all.map((one) => toNode(one, nodes, report));
  const edges = connections.flatMap(({ from, to, output }) => {
    const [source, target] = [nodes.get(from), nodes.get(to)];
    if (source === undefined || target === undefined) return [];
    const action = actionOf(source.node, output, source.errorOutput);
    return [{ from: source.id, to: target.id, ...(action !== undefined && { action }) }];
  });
  const start = startOf(all, report);
  // Without an edge the nodes would be a chain.
  if (start !== undefined && edges.length === 0 && all.length > 1)
    edges.push({ from: start, to: "__end__" });
  return {
    nodes: converted,
    ...(edges.length > 0 && { edges }),
    ...(start !== undefined && edges.length > 0 && { start_node: start }),
  };
}

/** Returns the nodes by name, without notes. */
function namedNodes(written: readonly Json[], report: ImportReport): Map<string, N8nNode> {
  const ids = new NodeIds();
  const nodes = new Map<string, N8nNode>();
  for (const [index, node] of [...written].entries()) {
    const pointer = `/nodes/${index}`;
    if (!isJsonObject(node) || nodes.has(textOf(node["name"]))) {
      const part = isJsonObject(node) ? `a second node ${textOf(node["name"])}` : "a node";
      report.omit(pointer, part, "write an object with a `name` of its own");
      continue;
    }
    const name = textOf(node["name"]);
    if (textOf(node["type"]).endsWith("stickyNote")) continue;
    const id = ids.idOf(name);
    const none = { incoming: [], outgoing: [], errorOutput: undefined };
    nodes.set(name, { id, name, pointer, node, ...none });
  }
  return nodes;
}

/** Returns the type of a node: that of n8n without its package, except for `langchain`. */
function typeOf(node: JsonObject): string {
  const type = textOf(node["type"]);
  return type.replace(/^(?:@n8n\/)?n8n-nodes-(?:base\.|(?=langchain\.))/, "");
}

function toNode(
  one: N8nNode,
  nodes: ReadonlyMap<string, N8nNode>,
  report: ImportReport,
): WorkflowNode {
  const { id, node, pointer, outgoing, errorOutput } = one;
  reportNode(one, report);
  const sources = sourcesOf(one, nodes);
  const [previous] = sources.size === 1 ? [...sources.values()] : [];
  const parameters = isJsonObject(node["parameters"]) ? node["parameters"] : {};
  const params = convertExpressions(parameters, `${pointer}/parameters`, {
    previous,
    find(name) {
      const found = nodes.get(name);
      if (found === undefined) return undefined;
      const failure = found.errorOutput !== undefined;
      return sources.get(name) ?? { id: found.id, regular: true, failure };
    },
    report,
  }) as { [key: string]: Json };
  addInputs(params, one, nodes, report);
  const actions = actionsOf(node, outgoing, errorOutput);
  const { notes, retryOnFail, maxTries, waitBetweenTries } = node;
  return {
    id,
    type: typeOf(node),
    ...(typeof notes === "string" && { purpose: notes }),
    params,
    inputs: Object.keys(params),
    outputs: ["json"],
    ...(actions.length > 0 && { actions }),
    ...(retryOnFail === true && {
      retry: {
        max_attempts: numberOr(maxTries, 3),
        backoff_ms: numberOr(waitBetweenTries, 1000),
      },
    }),
  };
}

/** Returns the nodes whose outputs lead to a node, by name. */
function sourcesOf(one: N8nNode, nodes: ReadonlyMap<string, N8nNode>): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { from, output } of one.incoming) {
    const found = nodes.get(from);
    if (found === undefined) continue;
    const source = sources.get(from) ?? { id: found.id, regular: false, failure: false };
    source[output === found.errorOutput ? "failure" : "regular"] = true;
    sources.set(from, source);
  }
  return sources;
}

/** Adds the items that each input of a node receives to its params. */
function addInputs(
  params: { [key: string]: Json },
  { name, pointer, incoming }: N8nNode,
  nodes: ReadonlyMap<string, N8nNode>,
  report: ImportReport,
): void {
  const isSingle = incoming.every(({ input }) => input === 0);
  /** JSON texts of the values of each input. */
  const byInput = new Map<number, Set<string>>();
  for (const { from, output, input } of incoming) {
    const source = nodes.get(from);
    if (source === undefined) continue;
    const isFailure = output === source.errorOutput;
    const value = isFailure ? { error: `\${${source.id}.error}` } : `\${${source.id}.json}`;
    byInput.set(input, (byInput.get(input) ?? new Set()).add(JSON.stringify(value)));
  }
  for (const [input, values] of byInput) {
    const key = isSingle ? "input" : `input_${input}`;
    const [value = "null"] = values;
    if (values.size > 1)
      report.warn(
        pointer,
        `several nodes are connected to input ${input} of \`${name}\`, so their items are not passed to it`,
        `write the items that it reads in \`params\`, such as \`"${key}": ${value}\``,
      );
    else if (Object.hasOwn(params, key))
      report.warn(
        pointer,
        `\`${name}\` has a parameter \`${key}\`, so its items are not passed to it`,
        `write \`"items": ${value}\` in \`params\``,
      );
    else params[key] = JSON.parse(value) as Json;
  }
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
