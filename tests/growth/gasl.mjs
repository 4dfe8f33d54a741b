// Constructs of GASL: texts of commands, and statements over graphs and rows.
import { GaslSession, Graph } from "byname";
import { each, times } from "./measure.mjs";

const graphOf = (size, columns = 3) =>
  Graph.fromCsv({
    nodes: `id,kind,${each(columns, ",", (i) => `f${i}`)}\n${each(size, "\n", (i) => `n${i},k${i % 7},${each(columns, ",", (c) => `v${(i * 7 + c) % 97}`)}`)}\n`,
    edges: `source,target,type,w\n${each(size, "\n", (i) => `n${i},n${(i * 13 + 1) % size},T${i % 3},${i % 11}`)}\n`,
  });

const caps = { max_results: 1_000_000 };
const planOf = (commands) => ({ plan_id: "p", why: "w", commands });

/** Returns the measurement of the last of several commands over a graph of `nodes(size)` nodes. */
function run(commands, nodes = (size) => size, columns) {
  return async (size) => {
    const graph = graphOf(nodes(size), columns);
    const session = new GaslSession({ graph, caps, ceilings: caps });
    const all = commands(size);
    const last = all.pop();
    if (all.length > 0) await session.run(planOf(all));
    return () => session.run(planOf([last].flat()));
  };
}

/** Returns the measurement of a text that is only checked. */
const check = (make) => (size) => {
  const text = make(size);
  return () => GaslSession.check(text);
};

/** Returns the measurement of a long command over four nodes. */
const long = (...commands) =>
  run(
    (size) => commands.map((command) => command(size)),
    () => 4,
  );

const rows = () => "FIND nodes AS rows";

/** Returns the measurement of a reply with items that are cited by `cited`. */
const citations = (cited) => async (size) => {
  const reply = {
    items: times(size, (i) => ({ name: `v${i}` })),
    provenance: times(size, (i) => ({ item: cited(i), input_id: "n1" })),
  };
  const graph = Graph.fromNodeLink({ nodes: [{ id: "n1" }], links: [] });
  const session = new GaslSession({ graph, model: "m", llm: () => ({ json: reply }) });
  await session.execute("FIND nodes AS rows");
  return async () => void (await session.execute('PROCESS rows USING "x" AS o'));
};

/** Returns the measurement of a reply whose values are each checked with a long `enum`. */
const listed = async (size) => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "n1" }], links: [] });
  const reply = { items: times(size, (i) => `v${i}`) };
  const session = new GaslSession({
    graph,
    model: "m",
    citations: "warn",
    llm: () => ({ json: reply }),
  });
  await session.execute("FIND nodes AS rows");
  const schema = JSON.stringify({
    type: "object",
    properties: { items: { items: { enum: reply.items } } },
  });
  return async () => {
    const { status } = await session.execute(`PROCESS rows USING "x" RETURNING ${schema} AS o`);
    if (status !== "success") throw new Error(`expected success, found ${status}`);
  };
};
const find = (size, between, part) => `FIND nodes WHERE ${each(size, between, part)} AS x`;

export const COMMANDS = [
  ["citations by name", citations((i) => `v${i}`)],
  ["citations by index", citations((i) => i)],
  ["citations of unknown items", citations((i) => `w${i}`)],
  ["values of an enum", listed],
  ["conditions", long((size) => find(size, " OR ", (i) => `kind = v${i}`))],
  [
    "conditions of edges",
    long(
      (size) => `FIND edges WHERE ${each(size, " AND ", () => "source.kind != target.kind")} AS x`,
    ),
  ],
  [
    "conditions of paths",
    long((size) => `FIND paths WHERE ${each(size, " AND ", (i) => `start.id = n${i}`)} AS x`),
  ],
  ["unknown fields", long((size) => find(size, " OR ", (i) => `unknown${i} = 1`))],
  [
    "unknown fields of many columns",
    run(
      (size) => [find(size / 10, " OR ", (i) => `unknown${i} = 1`)],
      () => 2,
      40,
    ),
  ],
  [
    "IN lists",
    long((size) => `FIND nodes WHERE kind IN [${each(size, ", ", (i) => `k${i}`)}] AS x`),
  ],
  ["NOT", long((size) => `FIND nodes WHERE ${"NOT ".repeat(size)}kind = k1 AS x`)],
  [
    "nested parentheses",
    check((size) => `FIND nodes WHERE ${"(".repeat(size)}a = 1${")".repeat(size)} AS x`),
  ],
  ["unclosed parentheses", check((size) => `FIND nodes WHERE ${"(".repeat(size)}a = 1`)],
  ["unclosed bindings", check((size) => `FIND nodes WHERE a = ${"${".repeat(size)}`)],
  [
    "bindings",
    long(rows, (size) => `FIND nodes WHERE kind = "${"${rows.0.id}".repeat(size)}" AS x`),
  ],
  ["unclosed quotes", check((size) => `FIND nodes WHERE ${each(size, " AND ", () => "a = 'b")}`)],
  [
    "FIELDS",
    long(rows, (size) => `SELECT rows FIELDS ${each(size, ", ", (i) => `kind:o${i}`)} AS x`),
  ],
  [
    "unknown FIELDS",
    long(rows, (size) => `SELECT rows FIELDS ${each(size, ", ", (i) => `unknown${i}`)} AS x`),
  ],
  [
    "names with typos",
    long(
      () => ["FIND nodes AS rows"],
      (size) => `ASSERT ${each(size, " AND ", (i) => `EXISTS rosw${i}`)}`,
    ),
  ],
  [
    "many lines",
    check((size) => each(size, "\n", (i) => `FIND nodes WHERE kind = k${i} AS x${i}`)),
  ],
  ["unknown commands", check((size) => each(size, "\n", (i) => `FNID nodes AS x${i}`))],
  ["words without a command", check((size) => each(size, " ", (i) => `word${i}`))],
  [
    "SQL",
    check(
      (size) =>
        `SELECT ${each(size, ", ", (i) => `a${i}`)} FROM nodes WHERE ${each(size, " AND ", (i) => `a${i} == 1`)}`,
    ),
  ],
  ["Cypher", check((size) => `MATCH ${each(size, ", ", (i) => `(n${i}:A)`)} RETURN n`)],
  ["Gremlin", check((size) => `g.V()${".out('a')".repeat(size)}`)],
  ["UNION", long(rows, (size) => `UNION ${each(size, " WITH ", () => "rows")} AS x`)],
  [
    "UNION of many names",
    run(
      (size) => [
        ...times(size / 8, (i) => `FIND nodes AS r${i}`),
        `UNION ${each(size / 8, ", ", (i) => `r${i}`)} AS x`,
      ],
      () => 2,
    ),
    2,
  ],
  [
    "commands of a plan",
    run(
      (size) => [times(size / 8, (i) => `FIND nodes LIMIT 1 AS x${i % 9}`)],
      () => 4,
    ),
  ],
  [
    "unknown names",
    run(
      (size) => [
        ...times(size / 8, (i) => `FIND nodes LIMIT 1 AS name${i}`),
        times(size / 8, (i) => `COUNT nmae${i} AS c`),
      ],
      () => 4,
    ),
  ],
  [
    "TRY blocks",
    run(
      (size) => [
        times(
          size / 8,
          () => "TRY\nFIND nodes LIMIT 1 AS x\nCATCH ANY\nFIND nodes LIMIT 1 AS y\nEND",
        ),
      ],
      () => 4,
    ),
  ],
];

export const STATEMENTS = [
  ["FIND nodes", run(() => ["FIND nodes WHERE f0 CONTAINS 9 AS x"])],
  ["FIND edges", run(() => ["FIND edges WHERE source.kind = k1 AS x"])],
  ["FIND paths", run(() => ["FIND paths WHERE start.kind = k1 AND length <= 2 AS x"])],
  [
    "FIND shortest paths",
    run(() => ["FIND shortest paths WHERE start.id = n1 AND end.id = n2 AS x"]),
  ],
  ["WALK", run(() => ["FIND nodes AS rows", "WALK FROM rows FOLLOW type = T1 AS x"])],
  ["SELECT", run(() => ["FIND nodes AS rows", "SELECT rows FIELDS kind, f0 WHERE f1 != v1 AS x"])],
  ["COUNT BY", run(() => ["FIND nodes AS rows", "COUNT rows BY id AS x"])],
  [
    "AGGREGATE",
    run(() => ["FIND nodes AS rows", "AGGREGATE rows BY kind WITH list OF f0, max OF f1 AS x"]),
  ],
  [
    "AGGREGATE of one group",
    run(() => ["FIND nodes AS rows", "AGGREGATE rows WITH list OF f0, distinct OF id AS x"]),
  ],
  ["RANK", run(() => ["FIND nodes AS rows", "RANK rows BY f0 AS x"])],
  ["DISTINCT", run(() => ["FIND nodes AS rows", "DISTINCT rows BY kind AS x"])],
  ["JOIN", run(() => ["FIND nodes AS rows", "JOIN rows WITH rows ON id AS x"])],
  [
    "LEFT JOIN",
    run(() => [
      "FIND nodes AS rows",
      "FIND nodes LIMIT 3 AS few",
      "LEFT JOIN rows WITH few ON id AS x",
    ]),
  ],
  ["UNION of rows", run(() => ["FIND nodes AS rows", "UNION rows WITH rows AS x"])],
  ["UPDATE", run(() => ["DECLARE found AS LIST", "FIND nodes AS rows", "UPDATE found WITH rows"])],
  [
    "UPDATE again",
    run(() => [
      "DECLARE found AS LIST",
      "FIND nodes AS rows",
      "UPDATE found WITH rows",
      "UPDATE found WITH rows",
    ]),
  ],
  ["IN of a variable", run(() => ["FIND nodes AS rows", "FIND nodes WHERE id IN ${rows.id} AS x"])],
  ["MEASURE degree", run(() => ["MEASURE degree AS x"])],
  ["MEASURE component", run(() => ["MEASURE component AS x"])],
  ["MEASURE pagerank", run(() => ["MEASURE pagerank AS x"])],
  ["MEASURE core", run(() => ["MEASURE core AS x"])],
  ["SHOW", run(() => ["FIND nodes AS rows", "SHOW rows"])],
  ["ASSERT LEN", run(() => ["FIND nodes AS rows", "ASSERT LEN ${rows} > 0"])],
];
