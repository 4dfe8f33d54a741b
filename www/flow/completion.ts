import type { Json } from "byname";
import { quotedAt } from "../editor/json-string.js";
import type { Suggestion, Suggestions } from "../editor/pane.js";
import type { Box, Shape, Write } from "./diagram.js";

export interface Known {
  registry: { [type: string]: Json };
  /** The workflow as it last made sense. */
  shape: Shape | null;
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

/** What may stand in a string of a workflow: types, ids, and the keys that are there when a node runs. */
export function suggest(text: string, at: number, { registry, shape }: Known): Suggestions | null {
  const quoted = quotedAt(text, at);
  if (!quoted) return null;
  const { from, words, isKey, path, beside } = quoted;
  const [part, index] = path;
  const name = path.at(-1);
  const found = (options: Suggestion[], back = words.length): Suggestions => ({
    from: at - back,
    options,
  });
  const labelled = (labels: readonly string[], detail: string) =>
    labels.map((label) => ({ label, detail }));
  const ids = shape?.boxes.map(({ id, type }) => ({ label: id, detail: type })) ?? [];
  if (isKey) {
    if (path.length === 0) return found(labelled(topKeys, "workflow"));
    if (part === "nodes" && path.length === 2) return found(labelled(nodeKeys, "node"));
    if (part === "nodes" && path[2] === "params" && path.length === 3) {
      const type = typeof index === "number" ? shape?.boxes[index]?.type : undefined;
      return found(labelled(inputsOf(registry[type ?? ""]), "input"));
    }
    if (part === "edges") return found(labelled(["from", "to", "action"], "edge"));
    if (part === "mappings" && path.length === 1) return found(ids);
    return null;
  }
  const template = /\$(\{?)([\w.[\]-]*)$/.exec(words);
  if (template) {
    const [, brace = "", begun = ""] = template;
    const seen = visible(shape, part === "nodes" && typeof index === "number" ? index : null);
    const close = brace === "{" && text[at] !== "}" ? "}" : "";
    return found(
      seen.map((one) => ({ ...one, words: one.label + close })),
      begun.length,
    );
  }
  if (part === "nodes" && name === "type" && path.length === 3) {
    return {
      from,
      options: Object.entries(registry).map(([label, type]) => ({
        label,
        detail: cut(describe(type)),
      })),
    };
  }
  if (name === "start_node" || (part === "edges" && (name === "from" || name === "to")))
    return found(ids);
  if (part === "edges" && name === "action") {
    const type = shape?.boxes.find(({ id }) => id === beside.get("from"))?.type ?? "";
    return found(labelled(["default", ...listOf(registry[type], "actions")], "action"));
  }
  return null;
}

/** The keys that are there when a node runs: the inputs, and what is written before it. */
function visible(shape: Shape | null, index: number | null): Suggestion[] {
  if (!shape) return [];
  const before = index === null ? new Set(shape.boxes.keys()) : reaching(shape, index);
  const writes = shape.boxes.flatMap((box: Box, place): Suggestion[] =>
    before.has(place)
      ? box.writes.map((write) => ({ label: nameOf(box, write), detail: `of ${box.id}` }))
      : [],
  );
  const inputs = shape.inputs.map((label) => ({ label, detail: "input" }));
  return [...new Map([...inputs, ...writes].map((one) => [one.label, one])).values()];
}

/** What a template calls a key; where it is not mapped yet and not the only one, by its node. */
function nameOf({ id }: Box, { name, key, plain, writers }: Write): string {
  return name ?? (writers > 1 ? `${id}.${key}` : plain);
}

/** The nodes that a node can be reached from. */
function reaching({ links }: Shape, index: number): Set<number> {
  const found = new Set<number>();
  const open = [index];
  for (let to = open.pop(); to !== undefined; to = open.pop()) {
    for (const link of links) {
      if (link.to !== to || found.has(link.from)) continue;
      found.add(link.from);
      open.push(link.from);
    }
  }
  return found;
}

function inputsOf(type: Json | undefined): string[] {
  return listOf(type, "inputs");
}

function listOf(type: Json | undefined, what: string): string[] {
  const list = (type as { [name: string]: Json } | undefined)?.[what];
  if (!Array.isArray(list)) return [];
  return list.map((one) =>
    typeof one === "string" ? one : String((one as { key?: Json } | null)?.key),
  );
}

function describe(type: Json): string {
  return String((type as { description?: Json } | null)?.description ?? "");
}

function cut(words: string): string {
  return words.length > 40 ? `${words.slice(0, 40)}…` : words;
}
