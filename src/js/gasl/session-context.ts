import { assertString, throwMisuse } from "../arguments.js";
import { Session as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import type { LlmCallback } from "../llm/types.js";
import type { Diagnostic, Json } from "../types.js";
import { Graph, handleOfGraph } from "./graph.js";
import type { StateStorage } from "./state-storage.js";
import type { FindQuery, GraphAdapter, PathQuery } from "./types.js";

/** What a session is made of besides its handle; a fork shares it. */
export interface SessionContext {
  graph: Graph | GraphAdapter;
  llm: LlmCallback | undefined;
  stored: StateStorage | undefined;
  now: () => string;
}

/** A session of the core over its graph. */
export function createHandle(context: SessionContext, options: { [name: string]: Json }): Handle {
  const text = JSON.stringify(options);
  const { graph } = context;
  const now = currentTime(context);
  return withGaslErrors(() =>
    graph instanceof Graph
      ? Handle.over(handleOfGraph(graph), text, now)
      : Handle.remote(text, now),
  );
}

/** What the clock of the host says. */
export function currentTime({ now }: SessionContext): string {
  const time: unknown = now();
  assertString(time, "the result of `now`");
  return time as string;
}

/** Throws for what no session can ask. */
export function assertGraph(graph: unknown): void {
  if (graph instanceof Graph) return;
  if (typeof (graph as GraphAdapter | null | undefined)?.findNodes !== "function") {
    throwMisuse("expected `graph` to be a Graph or an adapter with `findNodes`");
  }
}

/** Asks an adapter for what a search is for. */
export function runQuery(
  adapter: GraphAdapter,
  what: Json | undefined,
  query: FindQuery,
  within: AbortSignal,
) {
  if (what === "nodes") return adapter.findNodes(query, within);
  if (what === "edges") return adapter.findEdges(query, within);
  return adapter.findPaths(query as PathQuery, within);
}

/** What the core throws is JSON text of diagnostics. */
export function withGaslErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    throw new GaslError(JSON.parse(reason) as Diagnostic[]);
  }
}
