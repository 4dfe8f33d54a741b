import type { Json } from "byname";
import { asList, asRecord } from "../page/json.js";

/** Part of a workflow that handles a failed node: its `error` edge, or `on_error` of its batch. */
export type FailureHandler = "edge" | "batch";

/**
 * Returns the nodes whose failures do not fail a run, by path. `nested` are the workflows that
 * nodes run, by type.
 */
export function failureHandlers(
  workflow: Json,
  nested: ReadonlyMap<string, Json>,
  path = "",
): Map<string, FailureHandler> {
  const found = new Map<string, FailureHandler>();
  const { nodes, edges } = asRecord(workflow);
  const withEdge = new Set(
    asList(edges)
      .map(asRecord)
      .flatMap(({ from, action }) => (action === "error" ? [from] : [])),
  );
  for (const { id, type, batch } of asList(nodes).map(asRecord)) {
    const name = `${path}${String(id)}`;
    if (asRecord(batch)["on_error"] === "continue") found.set(name, "batch");
    else if (withEdge.has(id ?? null)) found.set(name, "edge");
    const child = nested.get(String(type));
    // A workflow that runs itself is rejected before.
    if (child === undefined || path.split("/").length > maxDepth) continue;
    for (const [inner, handler] of failureHandlers(child, nested, `${name}/`))
      found.set(inner, handler);
  }
  return found;
}

/** Maximum depth of workflows inside of nodes. */
const maxDepth = 8;
