import { assertOptions, assertString, describeType, throwMisuse } from "../arguments.js";
import { Session as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { requireJsonText } from "../json-text.js";
import type { LlmCallback } from "../llm/types.js";
import { type Effect, withTimeout } from "../task-driver.js";
import type { Diagnostic, Json } from "../types.js";
import { Graph, handleOfGraph } from "./graph.js";
import type { StateStorage } from "./state-storage.js";
import type {
  DegreeQuery,
  DeriveQuery,
  FindQuery,
  GraphAdapter,
  NeighborQuery,
  PathQuery,
  ShortestPathQuery,
  ValuesQuery,
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
  const { capabilities = [] } = graph instanceof Graph ? {} : graph;
  const text = JSON.stringify({ ...options, capabilities });
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
function runQuery(
  adapter: GraphAdapter,
  what: Json | undefined,
  query: unknown,
  within: AbortSignal,
): Json | Promise<Json> | AsyncIterable<Json[]> {
  switch (what) {
    case "nodes":
      return adapter.findNodes(query as FindQuery, within);
    case "edges":
      return adapter.findEdges(query as FindQuery, within);
    case "paths":
      return adapter.findPaths(query as PathQuery, within);
    case "shortest":
      return adapter.findShortestPaths?.(query as ShortestPathQuery, within) ?? UNSUPPORTED;
    case "schema":
      return (adapter.schema?.(within) ?? null) as Promise<Json> | null;
    case "values":
      return adapter.listValues?.(query as ValuesQuery, within) ?? [];
    case "neighbors":
      return adapter.findNeighbors?.(query as NeighborQuery, within) ?? UNSUPPORTED;
    case "derive":
      return adapter.deriveRows?.(query as DeriveQuery, within) ?? UNSUPPORTED;
    default:
      return adapter.measureDegree?.(query as DegreeQuery, within) ?? UNSUPPORTED;
  }
}

/** Performs a query of the core. Returns the rows as JSON text. */
export function queryText(
  { graph }: SessionContext,
  effect: Effect,
  signal: AbortSignal,
): Promise<string> {
  const query = effect["query"] as unknown as FindQuery;
  return withTimeout(signal, query.caps["timeout_ms"], async (within) =>
    rowsText(
      await runQuery(graph as GraphAdapter, effect["what"], query, within),
      within,
      neededRows(query),
    ),
  );
}

/** Returns the number of rows after which a result is truncated: one more shows that there are more. */
function neededRows({ limit, caps }: FindQuery): number {
  const limits = [limit, caps["max_results"]].filter((one) => typeof one === "number");
  return Math.min(...limits) + 1;
}

export interface RowOptions {
  offset?: number;
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Reads rows of a variable; those of a database in the order of their ids. Rejects for an unknown
 * variable and for a value without rows.
 */
export async function readRows(
  graph: Graph | GraphAdapter,
  name: string,
  read: (what: string) => Json | undefined,
  options: RowOptions,
  lifetime: AbortSignal,
): Promise<Json[]> {
  assertString(name, "a name");
  assertOptions(options, ["offset", "limit", "signal"], "the options of `rows`");
  const { offset = 0, limit = Number.POSITIVE_INFINITY, signal = lifetime } = options;
  const query = read("remote");
  if (query === undefined) {
    const value = read("variable");
    if (value === undefined)
      throwMisuse(`unknown variable \`${name}\`: check the name, and the status of its step`);
    if (!Array.isArray(value))
      throwMisuse(
        `expected \`${name}\` to have rows, found ${describeType(value)}: read it with \`variable()\``,
      );
    return value.slice(offset, offset + limit);
  }
  const page = { ...(query as object), what: "page", offset, limit };
  const rows = await runQuery(graph as GraphAdapter, "derive", page, signal);
  // A server may ignore the limit.
  return (JSON.parse(await rowsText(rows, signal, limit)) as Json[]).slice(0, limit);
}

/**
 * Returns rows as JSON text; pages are serialised one by one, so that only their text is kept. Pages
 * after the needed rows are not requested.
 */
async function rowsText(
  rows: Json | AsyncIterable<Json[]>,
  signal: AbortSignal,
  needed = Number.POSITIVE_INFINITY,
): Promise<string> {
  const isPaged = typeof Object(rows)[Symbol.asyncIterator] === "function";
  if (!isPaged) return JSON.stringify(rows) ?? "null";
  let text = "";
  let count = 0;
  for await (const page of rows as AsyncIterable<Json[]>) {
    // Leaving the loop ends the pages.
    signal.throwIfAborted();
    const part = JSON.stringify(page).slice(1, -1);
    if (text.length + part.length > MAX_TEXT) throw new Error(TOO_LONG);
    if (part !== "") text += text === "" ? part : `,${part}`;
    count += page.length;
    if (count >= needed) break;
  }
  return `[${text}]`;
}

/** Maximum number of UTF-16 code units of a result: less than the longest string of V8. */
const MAX_TEXT = 500_000_000;
const TOO_LONG =
  "the rows exceed the maximum length of a text: narrow the condition, or lower `adapter.caps.max_results`";

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

/** Returns a value as plain JSON, without `undefined`. Throws if it is not JSON. */
export function toJson(value: unknown): Json {
  return JSON.parse(requireJsonText(value, true)) as Json;
}
