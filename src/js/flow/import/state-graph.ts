import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { NodeIds } from "./node-ids.js";

const START_NAMES = ["__start__", "START"];
const END_NAMES = ["__end__", "END"];

/** Edge between the names of nodes, with its action. */
interface NamedEdge {
  from: string;
  to: string;
  action?: string;
}

/** Returns whether a document is a state graph, as LangGraph describes one. */
export function isStateGraph(document: JsonObject): boolean {
  const { nodes, edges } = document;
  if (!Array.isArray(edges) || "links" in document || "connections" in document) return false;
  const hasEnds = edges.every((edge) => namesOf(edge) !== undefined);
  return hasEnds && (isJsonObject(nodes) || Array.isArray(nodes));
}

/** Converts a state graph. Each node reads and writes the complete `state`. */
export function fromStateGraph(document: JsonObject, report: ImportReport): Workflow {
  const ids = new NodeIds();
  const names = nodeNames(document).filter(
    (name) => ![...START_NAMES, ...END_NAMES].includes(name),
  );
  const edges = (document["edges"] as Json[]).flatMap((edge) => {
    const names = namesOf(edge);
    return names === undefined ? [] : [names];
  });
  const nodes = names.map((name): WorkflowNode => {
    const actions = edges.flatMap(({ from, action }) => (from === name && action ? [action] : []));
    return {
      id: ids.idOf(name),
      type: name,
      inputs: ["state"],
      outputs: ["state"],
      ...(actions.length > 0 && { actions: [...new Set(actions)] }),
    };
  });
  for (const key of ["reducers", "channels", "checkpointer", "interrupt_before", "interrupt_after"])
    if (key in document)
      report.omit(
        `/${key}`,
        `\`${key}\``,
        "merge states and wait for people in the callbacks of nodes",
      );
  const starts = edges.filter(({ from }) => START_NAMES.includes(from)).map(({ to }) => to);
  const entry = document["entry_point"];
  const first = typeof entry === "string" ? entry : starts.length === 1 ? starts[0] : undefined;
  return {
    inputs: { state: { type: "object", default: {} } },
    nodes,
    edges: edges
      .filter(({ from, to }) => ids.find(from) !== undefined && ids.find(to) !== undefined)
      .map(({ from, to, action }) => ({
        from: ids.idOf(from),
        to: ids.idOf(to),
        ...(action !== undefined && { action }),
      })),
    ...(first !== undefined && ids.find(first) !== undefined && { start_node: ids.idOf(first) }),
    outputs: { state: {} },
  };
}

function nodeNames({ nodes }: JsonObject): string[] {
  if (isJsonObject(nodes)) return Object.keys(nodes);
  return (nodes as Json[]).flatMap((node) => {
    if (typeof node === "string") return [node];
    const name = isJsonObject(node) ? (node["id"] ?? node["name"]) : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

/** Returns the names and the action of an edge, or undefined if it has none. */
function namesOf(edge: Json): NamedEdge | undefined {
  if (Array.isArray(edge) && typeof edge[0] === "string" && typeof edge[1] === "string")
    return { from: edge[0], to: edge[1] };
  if (!isJsonObject(edge)) return undefined;
  const { source, target, conditional, data } = edge;
  if (typeof source !== "string" || typeof target !== "string") return undefined;
  // The value that a router returns is the action; without one it is the name of the target.
  const action = typeof data === "string" ? data : conditional === true ? target : undefined;
  return { from: source, to: target, ...(action !== undefined && { action }) };
}
