import type { Json } from "byname";
import { jsonStringAt } from "../editor/json-string.js";
import type { Completion, CompletionList } from "../editor/pane.js";
import type { DiagramNode, WorkflowDiagram, WritePort } from "./diagram.js";

export interface CompletionData {
  registry: { [type: string]: Json };
  /** Diagram of the last valid workflow. */
  diagram: WorkflowDiagram | null;
}

const nodeKeys = [
  "id",
  "type",
  "params",
  "purpose",
  "retry",
  "batch",
  "timeout_ms",
  "inputs",
  "outputs",
];
const topKeys = ["nodes", "edges", "inputs", "outputs", "mappings", "start_node"];

/** Returns completions for a string of a workflow: types, node ids, and available names. */
export function completionsAt(
  text: string,
  offset: number,
  { registry, diagram }: CompletionData,
): CompletionList | null {
  const quoted = jsonStringAt(text, offset);
  if (!quoted) return null;
  const { from, prefix, isKey, path, siblings } = quoted;
  const [part, index] = path;
  const name = path.at(-1);
  const list = (options: Completion[], back = prefix.length): CompletionList => ({
    from: offset - back,
    options,
  });
  const completions = (labels: readonly string[], detail: string) =>
    labels.map((label) => ({ label, detail }));
  const ids = diagram?.nodes.map(({ id, type }) => ({ label: id, detail: type })) ?? [];
  if (isKey) {
    if (path.length === 0) return list(completions(topKeys, "workflow"));
    if (part === "nodes" && path.length === 2) return list(completions(nodeKeys, "node"));
    if (part === "nodes" && path[2] === "params" && path.length === 3) {
      const type = typeof index === "number" ? diagram?.nodes[index]?.type : undefined;
      return list(completions(inputsOf(registry[type ?? ""]), "input"));
    }
    if (part === "edges") return list(completions(["from", "to", "action"], "edge"));
    if (part === "mappings" && path.length === 1) return list(ids);
    return null;
  }
  const template = /\$(\{?)([\w.[\]-]*)$/.exec(prefix);
  if (template) {
    const [, brace = "", begun = ""] = template;
    const names = availableNames(
      diagram,
      part === "nodes" && typeof index === "number" ? index : null,
    );
    const close = brace === "{" && text[offset] !== "}" ? "}" : "";
    return list(
      names.map((one) => ({ ...one, insert: one.label + close })),
      begun.length,
    );
  }
  if (part === "nodes" && name === "type" && path.length === 3) {
    return {
      from,
      options: Object.entries(registry).map(([label, type]) => ({
        label,
        detail: truncateWords(describeType(type)),
      })),
    };
  }
  if (name === "start_node" || (part === "edges" && (name === "from" || name === "to")))
    return list(ids);
  if (part === "edges" && name === "action") {
    const type = diagram?.nodes.find(({ id }) => id === siblings.get("from"))?.type ?? "";
    return list(completions(["default", ...keysOf(registry[type], "actions")], "action"));
  }
  return null;
}

/** Returns the names available to a node: the inputs, and outputs of its predecessors. */
function availableNames(diagram: WorkflowDiagram | null, index: number | null): Completion[] {
  if (!diagram) return [];
  const before = index === null ? new Set(diagram.nodes.keys()) : predecessorsOf(diagram, index);
  const writes = diagram.nodes.flatMap((box: DiagramNode, place): Completion[] =>
    before.has(place)
      ? [...box.writes.map((write) => templateName(box, write)), ...box.failureNames].map(
          (label) => ({ label, detail: `of ${box.id}` }),
        )
      : [],
  );
  const inputs = diagram.inputs.map((label) => ({ label, detail: "input" }));
  return [...new Map([...inputs, ...writes].map((one) => [one.label, one])).values()];
}

/** Returns the name of an output in a template, qualified by its node if several nodes write it. */
function templateName(
  { id }: DiagramNode,
  { mappedName, key, plainName, writers }: WritePort,
): string {
  return mappedName ?? (writers > 1 ? `${id}.${key}` : plainName);
}

function predecessorsOf({ edges }: WorkflowDiagram, index: number): Set<number> {
  const found = new Set<number>();
  const open = [index];
  for (let to = open.pop(); to !== undefined; to = open.pop()) {
    for (const link of edges) {
      if (link.to !== to || found.has(link.from)) continue;
      found.add(link.from);
      open.push(link.from);
    }
  }
  return found;
}

function inputsOf(type: Json | undefined): string[] {
  return keysOf(type, "inputs");
}

function keysOf(type: Json | undefined, what: string): string[] {
  const list = (type as { [name: string]: Json } | undefined)?.[what];
  if (!Array.isArray(list)) return [];
  return list.map((one) =>
    typeof one === "string" ? one : String((one as { key?: Json } | null)?.key),
  );
}

function describeType(type: Json): string {
  return String((type as { description?: Json } | null)?.description ?? "");
}

function truncateWords(words: string): string {
  return words.length > 40 ? `${words.slice(0, 40)}…` : words;
}
