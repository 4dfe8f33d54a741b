import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attributesOf, type ElementKind, type GraphDocument } from "./document.js";

/** Returns what differs in a graph that was written and read again: one sentence for each attribute. */
export function lossesOf(before: GraphDocument, after: GraphDocument): string[] {
  const losses: string[] = [];
  if (before.directed !== after.directed) losses.push("the direction of the edges is lost");
  if (before.nodes.length !== after.nodes.length)
    losses.push(`the graph has ${before.nodes.length} nodes, and the result ${after.nodes.length}`);
  if (before.edges.length !== after.edges.length)
    losses.push(`the graph has ${before.edges.length} edges, and the result ${after.edges.length}`);
  const read = new Map(after.nodes.map((node) => [node["id"], node]));
  losses.push(
    ...attributeLosses("graph", [[before.graph ?? {}, after.graph]]),
    ...attributeLosses(
      "node",
      before.nodes.map((node) => [node, read.get(node["id"] as Json)]),
    ),
    ...attributeLosses(
      "edge",
      before.edges.map((edge, at) => [edge, after.edges[at]]),
    ),
  );
  return losses;
}

/** Compares elements with those that were read again. */
function attributeLosses(
  kind: ElementKind,
  pairs: readonly (readonly [JsonObject, JsonObject | undefined])[],
): string[] {
  const counts = new Map<string, number>();
  let ends = 0;
  for (const [element, read = {}] of pairs) {
    const names = new Set(
      [element, read].flatMap((one) => attributesOf(one, kind).map(([name]) => name)),
    );
    for (const name of names)
      if (!isEqual(element[name] ?? null, read[name] ?? null))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    if (["source", "target"].some((end) => element[end] !== read[end])) ends += 1;
  }
  const found = [...counts].map(
    ([name, count]) =>
      `\`${name}\` of ${count} ${kind === "graph" ? "graph" : `${kind}s`} differs in the result`,
  );
  return ends > 0 ? [`the ends of ${ends} edges differ in the result`, ...found] : found;
}

function isEqual(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isEqual(item, b[at] ?? null));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isEqual(a[key] ?? null, b[key] ?? null));
}
