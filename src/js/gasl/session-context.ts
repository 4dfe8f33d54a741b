import { assertString, throwMisuse } from "../arguments.js";
import { Session as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import type { LlmCallback } from "../llm/types.js";
import type { Diagnostic, Json } from "../types.js";
import { Graph, handleOfGraph } from "./graph.js";
import type { StateStorage } from "./state-storage.js";
import type {
  DegreeQuery,
  FindQuery,
  GraphAdapter,
  PathQuery,
  ShortestPathQuery,
} from "./types.js";

/** Dependencies of a session, which its forks share. */
export interface SessionContext {
  graph: Graph | GraphAdapter;
  llm: LlmCallback | undefined;
  storage: StateStorage | undefined;
  now: () => string | Promise<string>;
}

/** Creates a session of the core over its graph. */
export function createHandle(
  { graph }: SessionContext,
  options: { [name: string]: Json },
  now: string,
): Handle {
  const text = JSON.stringify(options);
  return withGaslErrors(() =>
    graph instanceof Graph
      ? Handle.over(handleOfGraph(graph), text, now)
      : Handle.remote(text, now),
  );
}

/** Returns the time of the host's clock; a promise if the clock is in another thread. */
export function currentTime({ now }: SessionContext): string | Promise<string> {
  const time = now();
  return time instanceof Promise ? time.then(assertTime) : assertTime(time);
}

/** Returns a time of a clock. Throws if it is not a string. */
export function assertTime(time: unknown): string {
  assertString(time, "the result of `now`");
  return time as string;
}

export function assertGraph(graph: unknown): void {
  if (graph instanceof Graph) return;
  if (typeof (graph as GraphAdapter | null | undefined)?.findNodes !== "function") {
    throwMisuse("expected `graph` to be a Graph or an adapter with `findNodes`");
  }
}

/**
 * Runs a query with the method of an adapter for its kind. Returns `{unsupported}` if the adapter
 * lacks an optional method.
 */
export function runQuery(
  adapter: GraphAdapter,
  what: Json | undefined,
  query: unknown,
  within: AbortSignal,
): Json | Promise<Json> {
  switch (what) {
    case "nodes":
      return adapter.findNodes(query as FindQuery, within);
    case "edges":
      return adapter.findEdges(query as FindQuery, within);
    case "paths":
      return adapter.findPaths(query as PathQuery, within);
    case "shortest":
      return adapter.findShortestPaths?.(query as ShortestPathQuery, within) ?? UNSUPPORTED;
    default:
      return adapter.measureDegree?.(query as DegreeQuery, within) ?? UNSUPPORTED;
  }
}

const UNSUPPORTED = { unsupported: null };

/** Waits until the event loop has handled other events, such as an abort. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Converts errors of the core, which are JSON text of diagnostics. */
export function withGaslErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    throw new GaslError(JSON.parse(reason) as Diagnostic[]);
  }
}
