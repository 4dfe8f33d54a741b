// Graph engines as sides. An engine is `{ prepare?, load, open?, counts, close?, questions, check?,
// found, repeat? }`. It prepares the tables before the measurement, loads a graph, opens a session,
// and counts nodes and edges. It answers queries, checks a result, and returns the result as ids,
// pairs of ids or paths.
import { GaslSession, Graph } from "byname";
import { graphTables } from "../data/graph.mjs";

/** Normal form in which results are compared. */
export const normalized = {
  attribute: (ids) => ids.sort(),
  contains: (ids) => ids.sort(),
  edges: (ends) => ends.map((two) => [...two].sort().join()).sort(),
  paths: (ways) => ways.map((way) => way.join()).sort(),
  // Sums depend on the order of addition.
  groups: (means) => means.map(([type, mean]) => `${type} ${Number(mean).toFixed(6)}`).sort(),
};

const commands = {
  attribute: () => 'FIND nodes WHERE entity_type = "PERSON" AS found',
  contains: () => 'FIND nodes WHERE description CONTAINS "vaccine" AS found',
  edges: () => 'FIND edges WHERE type = "KIND_3" AND weight > 50 AS found',
  paths: ({ from, to }) =>
    `FIND paths WHERE start.id IN [${from}] AND end.id IN [${to}] AND length <= 3 AS found`,
  groups: () => "AGGREGATE every BY type WITH avg OF weight AS found",
};

const fields = {
  attribute: ({ id }) => id,
  contains: ({ id }) => id,
  edges: ({ source, target }) => [source, target],
  paths: ({ nodes }) => nodes,
  groups: ({ type, avg }) => [type, avg],
};

/** The byname engine. */
export const byname = {
  repeat: 10,
  load: ({ nodes, edges }) => Graph.fromCsv({ nodes, edges, directed: false }),
  counts: ({ nodeCount, edgeCount }) => [nodeCount, edgeCount],
  close: (graph) => graph[Symbol.dispose](),
  async open(graph) {
    const session = new GaslSession({ graph });
    // JavaScript `includes` and Python `in` are case-sensitive too.
    await session.execute("SET adapter.caps.case_sensitive = true");
    await session.execute("FIND edges AS every");
    return session;
  },
  questions: Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [
      name,
      (session, tables) => session.execute(command(tables)),
    ]),
  ),
  check({ status, error }) {
    if (status !== "success") throw new Error(`${status}: ${error}`);
  },
  found: (session, question) => session.variable("found").map(fields[question]),
};

/** Returns a side that queries a graph of a size. */
export function questionSide(engine, question, size) {
  const tables = graphTables(size);
  return {
    // Fast engines repeat the query, because a clock cannot measure it precisely.
    repeat: engine.repeat ?? 1,
    waits: true,
    setup: () => graphOf(engine, size),
    run: (graph) => engine.questions[question](graph, tables),
    check: (_, result) => engine.check?.(result),
    answer: (graph, result) => normalized[question](engine.found(graph, question, result)),
  };
}

/** Returns a side that loads a graph of a size. */
export function loadSide(engine, size) {
  const tables = graphTables(size);
  let prepared;
  return {
    async setup() {
      dropGraphs();
      prepared ??= (await engine.prepare?.(tables)) ?? tables;
      return { graph: null };
    },
    run(state) {
      state.graph = engine.load(prepared);
    },
    answer: ({ graph }) => engine.counts(graph),
    teardown: ({ graph }) => engine.close?.(graph),
  };
}

// Last graph of each engine, shared by several queries.
const graphCache = new Map();

function dropGraphs() {
  for (const [engine, { loaded }] of graphCache) engine.close?.(loaded);
  graphCache.clear();
}

async function graphOf(engine, size) {
  const cached = graphCache.get(engine);
  if (cached?.size === size) return cached.graph;
  if (cached) engine.close?.(cached.loaded);
  const tables = graphTables(size);
  const loaded = engine.load((await engine.prepare?.(tables)) ?? tables);
  const graph = (await engine.open?.(loaded)) ?? loaded;
  graphCache.set(engine, { size, graph, loaded });
  return graph;
}
