// Engines for graphs as sides. An engine is `{ prepare?, load, open?, counts, close?, questions, check?, found, repeat? }`:
// what it makes of the tables before the clock runs, a graph of that, what is asked instead of the
// graph, how many nodes and edges there are, what it answers to each question, whether that is an
// answer, and the answer as ids, pairs of ids or ways.
import { GaslSession, Graph } from "byname";
import { graphTables } from "../data/graph.mjs";

/** The form that answers are compared in. */
export const inOrder = {
  attribute: (ids) => ids.sort(),
  contains: (ids) => ids.sort(),
  edges: (ends) => ends.map((two) => [...two].sort().join()).sort(),
  paths: (ways) => ways.map((way) => way.join()).sort(),
  // Sums depend on the order of what is added.
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

/** Ours. */
export const byname = {
  repeat: 10,
  load: ({ nodes, edges }) => Graph.fromCsv({ nodes, edges, directed: false }),
  counts: ({ nodeCount, edgeCount }) => [nodeCount, edgeCount],
  close: (graph) => graph[Symbol.dispose](),
  async open(graph) {
    const session = new GaslSession({ graph });
    // `includes` of JavaScript and `in` of Python mind the case too.
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

/** The side that asks a question of a graph of that size. */
export function questionSide(engine, question, size) {
  const tables = graphTables(size);
  return {
    // Whoever answers within milliseconds is asked more than once, for no clock measures less well.
    repeat: engine.repeat ?? 1,
    waits: true,
    setup: () => graphOf(engine, size),
    run: (graph) => engine.questions[question](graph, tables),
    check: (_, result) => engine.check?.(result),
    answer: (graph, result) => inOrder[question](engine.found(graph, question, result)),
  };
}

/** The side that makes such a graph. */
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

// The last graph of each engine is kept: several questions are asked of it.
const held = new Map();

function dropGraphs() {
  for (const [engine, { loaded }] of held) engine.close?.(loaded);
  held.clear();
}

async function graphOf(engine, size) {
  const known = held.get(engine);
  if (known?.size === size) return known.graph;
  if (known) engine.close?.(known.loaded);
  const tables = graphTables(size);
  const loaded = engine.load((await engine.prepare?.(tables)) ?? tables);
  const graph = (await engine.open?.(loaded)) ?? loaded;
  held.set(engine, { size, graph, loaded });
  return graph;
}
