import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { NodeIds } from "./node-ids.js";
import { handleOf, nodePartsOf, reportEdges } from "./state-graph-nodes.js";

const START = "__start__";
const END = "__end__";
const KNOWN_KEYS = ["nodes", "edges", "entry_point", "name", "description", "viewport"];

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
  const pointers = nodePointers(document, report);
  const names = [...pointers.keys()].filter((name) => ![START, END].includes(endOf(name)));
  for (const name of names) ids.idOf(name);
  reportSettings(document, pointers, report);
  reportEdges(document["edges"] as Json[], report);
  const edges = namedEdges(document["edges"] as Json[], names, report);
  const entry = document["entry_point"];
  if (typeof entry === "string") {
    if (names.includes(entry)) edges.unshift({ from: START, to: entry });
    else report.warn("/entry_point", `unknown node \`${entry}\``, "write the id of a node");
  }
  // The edges from the start are conditional: a node chooses between them.
  const hasRouter = edges.some(({ from, action }) => from === START && action !== undefined);
  if (hasRouter) names.unshift(START);
  const starts = hasRouter
    ? [START]
    : [...new Set(edges.flatMap(({ from, to }) => (from === START && to !== END ? [to] : [])))];
  if (starts.length === 0)
    report.warn(
      "/edges",
      `no edge begins at \`${START}\`; the run starts at the nodes without incoming edges`,
      "write the first node in `start_node`",
    );
  else reportUnreachable(starts, edges, pointers, names, report);
  const inner = edges.filter(({ from }) => hasRouter || from !== START);
  const followed = withFixedEdges(inner, report);
  reportBranches(starts, followed, report);
  const actionsByNode = actionsOf(followed);
  const nodes = names.map((name): WorkflowNode => {
    const actions = actionsByNode.get(name);
    const pointer = pointers.get(name);
    const written = pointer === undefined ? undefined : nodeAt(document, name, pointer);
    const { type = name, params } = nodePartsOf(written, name, pointer ?? "", report);
    return {
      id: ids.idOf(name),
      type,
      ...(params !== undefined && { params }),
      inputs: ["state"],
      outputs: name === START ? [] : ["state"],
      ...(actions !== undefined && { actions: [...actions] }),
    };
  });
  const written = followed.map(({ from, to, action }) => ({
    from: ids.idOf(from),
    to: to === END ? END : ids.idOf(to),
    ...(action !== undefined && { action }),
  }));
  // Without an edge the nodes would be a chain.
  if (written.length === 0)
    written.push(...starts.map((name) => ({ from: ids.idOf(name), to: END })));
  const [first] = starts;
  return {
    inputs: { state: { type: "object", default: {} } },
    nodes,
    edges: written,
    ...(first !== undefined && {
      start_node: starts.length === 1 ? ids.idOf(first) : starts.map((name) => ids.idOf(name)),
    }),
    outputs: { state: {} },
  };
}

/** Returns the names of the nodes with their pointers. */
function nodePointers({ nodes }: JsonObject, report: ImportReport): Map<string, string> {
  if (isJsonObject(nodes))
    return new Map(Object.keys(nodes).map((name) => [name, `/nodes/${escapePointer(name)}`]));
  const pointers = new Map<string, string>();
  for (const [index, node] of [...(nodes as Json[])].entries()) {
    const name = isJsonObject(node) ? (node["id"] ?? node["name"]) : node;
    if (typeof name === "string") pointers.set(name, `/nodes/${index}`);
    else report.omit(`/nodes/${index}`, "a node without a name", "write its `id`");
  }
  return pointers;
}

/** Returns the node at a pointer, or undefined if there is none. */
function nodeAt(document: JsonObject, name: string, pointer: string): Json | undefined {
  const nodes = document["nodes"] as JsonObject | Json[];
  return Array.isArray(nodes) ? nodes[Number(pointer.slice("/nodes/".length))] : nodes[name];
}

/** Reports the settings of the graph and of its nodes that are not imported. */
function reportSettings(
  document: JsonObject,
  pointers: ReadonlyMap<string, string>,
  report: ImportReport,
): void {
  for (const key of Object.keys(document))
    if (!KNOWN_KEYS.includes(key))
      report.omit(
        `/${key}`,
        `\`${key}\``,
        "merge states and wait for people in the callbacks of nodes",
      );
  for (const [name, pointer] of pointers) {
    const node = nodeAt(document, name, pointer);
    if (!isJsonObject(node)) continue;
    const metadata = isJsonObject(node["metadata"]) ? node["metadata"] : {};
    const interrupt = metadata["__interrupt"];
    if (interrupt !== undefined)
      report.omit(
        `${pointer}/metadata/__interrupt`,
        `the interrupt (${textOf(interrupt)}) of \`${name}\``,
        `return \`suspend(payload)\` in the callback of \`${name}\` to wait for a person`,
      );
    for (const [part, at] of [
      [node, pointer],
      [metadata, `${pointer}/metadata`],
    ] as const)
      if (part["defer"] !== undefined && part["defer"] !== false)
        report.omit(
          `${at}/defer`,
          `\`defer\` of \`${name}\``,
          `add an edge to \`${name}\` from each node that it waits for`,
        );
  }
}

/** Returns the edges between known nodes, the start and the end. */
function namedEdges(edges: Json[], names: readonly string[], report: ImportReport): NamedEdge[] {
  const known = new Set(names);
  const renamed = new Set<string>();
  const all = edges.map(namesOf);
  const sources = new Set(
    all.flatMap((edge, index) => (edge && hasHandle(edges[index]) ? [edge.from] : [])),
  );
  return all.flatMap((named, index) => {
    if (named === undefined) return [];
    // An edge of another handle is not followed after the action of this one.
    const isOther = named.action === undefined && sources.has(named.from);
    const edge = isOther ? { ...named, action: "default" } : named;
    const { from, to } = edge;
    if (!(from === START || known.has(from)) || !(to === END || known.has(to))) {
      const message = `the edge from \`${from}\` to \`${to}\` is left out: one of them is not a node`;
      report.warn(`/edges/${index}`, message, "add the node, or write the id of another one");
      return [];
    }
    // An edge with the action `error` is followed after a failure.
    if (edge.action !== "error") return [edge];
    const action = "label_error";
    if (!renamed.has(edge.from))
      report.warn(
        `/edges/${index}`,
        `\`error\` is the action for failures; the label of \`${edge.from}\` is renamed to \`${action}\``,
        `return the action \`${action}\` in the callback of \`${edge.from}\``,
      );
    renamed.add(edge.from);
    return [{ ...edge, action }];
  });
}

/** Reports the nodes that no edge leads to: LangGraph reaches them with `Command`. */
function reportUnreachable(
  starts: readonly string[],
  edges: readonly NamedEdge[],
  pointers: ReadonlyMap<string, string>,
  names: readonly string[],
  report: ImportReport,
): void {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = new Set(starts);
  for (const name of reached) for (const to of targets.get(name) ?? []) reached.add(to);
  for (const name of names)
    if (!reached.has(name))
      report.warn(
        pointers.get(name) ?? "/nodes",
        `no edge leads to \`${name}\`, so it never runs; \`Command\` and \`Send\` are not imported`,
        `add an edge to \`${name}\`, with an action that the callback of its source returns`,
      );
}

/** Maximum number of edges that are added for combinations of fixed and conditional ones. */
const MAX_ADDED_EDGES = 10_000;

/** Returns the actions of each node that has conditional edges. */
function actionsOf(edges: readonly NamedEdge[]): Map<string, Set<string>> {
  const actions = new Map<string, Set<string>>();
  for (const { from, action } of edges)
    if (action !== undefined) actions.set(from, (actions.get(from) ?? new Set()).add(action));
  return actions;
}

/** Returns the edges so that a node with conditional edges follows its others with each action. */
function withFixedEdges(edges: readonly NamedEdge[], report: ImportReport): NamedEdge[] {
  const actions = actionsOf(edges);
  let added = 0;
  return edges.flatMap((edge) => {
    const choices = edge.action === undefined ? actions.get(edge.from) : undefined;
    if (choices === undefined) return [edge];
    added += choices.size;
    if (added <= MAX_ADDED_EDGES) return [...choices].map((action) => ({ ...edge, action }));
    const message = `the edge from \`${edge.from}\` to \`${edge.to}\` is followed without an action only`;
    report.warn("/edges", message, `add it for each action of \`${edge.from}\``);
    return [edge];
  });
}

/** Reports parallel branches, whose changes of the state LangGraph merges. */
function reportBranches(
  starts: readonly string[],
  edges: readonly NamedEdge[],
  report: ImportReport,
): void {
  const counts = new Map<string, number>();
  for (const { from, to, action } of edges) {
    const key = JSON.stringify([from, action ?? null]);
    if (to !== END) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (starts.length < 2 && ![...counts.values()].some((count) => count > 1)) return;
  const help = "write the keys that each node reads and writes in its `inputs` and `outputs`";
  report.warn("/edges", "the states of parallel branches are not merged", help);
}

/** Returns the names and the action of an edge, or undefined if it has none. */
function namesOf(edge: Json): NamedEdge | undefined {
  if (Array.isArray(edge) && typeof edge[0] === "string" && typeof edge[1] === "string")
    return { from: endOf(edge[0]), to: endOf(edge[1]) };
  if (!isJsonObject(edge)) return undefined;
  const { source, target, conditional, data, sourceHandle } = edge;
  if (typeof source !== "string" || typeof target !== "string") return undefined;
  const isLabel = ["string", "number", "boolean"].includes(typeof data);
  // The value that a router returns is the action; without one it is the name of the target.
  const written = isLabel ? String(data) : handleOf(sourceHandle);
  const action = written ?? (conditional === true ? target : undefined);
  return { from: endOf(source), to: endOf(target), ...(action !== undefined && { action }) };
}

function hasHandle(edge: Json | undefined): boolean {
  return isJsonObject(edge) && handleOf(edge["sourceHandle"]) !== undefined;
}

/** Returns the name of a node; the start and the end have two spellings each. */
function endOf(name: string): string {
  if (name === "START") return START;
  return name === "END" ? END : name;
}
