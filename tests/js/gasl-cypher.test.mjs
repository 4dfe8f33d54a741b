// Adapter for openCypher databases: its statements, and that no statement contains a value.

import assert from "node:assert/strict";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { GaslSession, init } from "byname";
import { cypherAdapter } from "byname/gasl";

await init();

/** Default of `max_results`: one row more is requested, to detect truncation. */
const CAP = 1_000_000;

/** Answers the requests for fields and values, so that every field exists. */
const isInspection = ({ text }) => text.includes("RETURN DISTINCT");

/** Runs commands with an adapter that records its statements and returns these rows. */
async function runStatements(command, { rows = [], before = [], ...options } = {}) {
  const recorded = [];
  const run = async (statement) => {
    if (isInspection(statement)) return [{ row: "x" }];
    recorded.push(statement);
    return rows.map((row) => ({ row }));
  };
  const session = new GaslSession({ graph: cypherAdapter({ run, ...options }) });
  for (const one of before) await session.execute(one);
  recorded.length = 0;
  const record = await session.execute(command);
  return { recorded, record, session };
}

test("finds nodes: values are parameters, the label is in the pattern", async () => {
  const command =
    "FIND nodes WHERE entity_type = PERSON AND NOT name CONTAINS 'Ada' LIMIT 5 AS people";
  const rows = [{ id: "ada", name: "A" }];
  const { recorded, record, session } = await runStatements(command, {
    rows,
    labelField: "entity_type",
  });
  const isList = "CASE WHEN n.`name` = [] + n.`name` THEN";
  assert.deepEqual(recorded, [
    {
      text:
        "MATCH (n:`PERSON`) WHERE NOT coalesce((" +
        `toLower(toString(${isList} null ELSE n.\`name\` END)) CONTAINS $p0 OR ` +
        `any(item IN ${isList} n.\`name\` ELSE [] END WHERE toLower(toString(item)) = $p0)), false) ` +
        "RETURN n {.*, `id`: coalesce(n.`id`, elementId(n)), `entity_type`: labels(n)[0]} AS row LIMIT 6",
      params: { p0: "ada" },
    },
  ]);
  assert.equal(record.status, "success");
  assert.deepEqual(session.variable("people"), rows);
});

test("compares with all equal values, so that no conversion hides an index", async () => {
  for (const [where, params] of [
    ["born = 1815", { p0: [1815, "1815"] }],
    ['born = "1815"', { p0: ["1815", 1815] }],
    ['code = "007"', { p0: "007" }],
    ['active = "True"', { p0: ["True", true] }],
    ["born IN [1, 1, a]", { p0: [1, "1", "a"] }],
    ["born > 1800", { p0: 1800 }],
    ['born > "1800"', { p0: "1800", p1: 1800 }],
  ]) {
    const { recorded } = await runStatements(`FIND nodes WHERE ${where} LIMIT 1 AS x`);
    const values = (all) =>
      Object.values(all)
        .map((one) => JSON.stringify(one))
        .sort();
    assert.deepEqual(values(recorded[0].params), values(params), where);
    assert.ok(!recorded[0].text.includes("coalesce(n.`born`"), where);
  }
});

test("finds edges: ends and types", async () => {
  const command = "FIND edges WHERE type IN [WROTE, READ] AND source.age > 40 AS edges";
  const { recorded } = await runStatements(command, { idKey: "uid" });
  assert.deepEqual(recorded[0].params, { p0: 40 });
  assert.match(
    recorded[0].text,
    /^MATCH \(a\)-\[r:`WROTE`\|`READ`\]->\(b\) WHERE a\.`age` > \$p0 RETURN /,
  );
  assert.match(recorded[0].text, /`source`: coalesce\(a\.`uid`, elementId\(a\)\)/);
});

test("returns undirected edges in the orientation that satisfies the condition", async () => {
  const command = "FIND edges WHERE source.id = a AND target.name = b AS x";
  const { recorded } = await runStatements(command, { directed: false });
  const { text, params } = recorded[0];
  assert.match(
    text,
    /WHERE \(\(a\.`id` = \$p0 AND b\.`name` = \$p1\) OR \(b\.`id` = \$p2 AND a\.`name` = \$p3\)\) RETURN CASE WHEN /,
  );
  assert.deepEqual(params, { p0: "a", p1: "b", p2: "a", p3: "b" });
});

test("finds paths: from the fixed end, with limits, directions and every part", async () => {
  const command =
    "FIND paths WHERE start.kind = A AND edge.w >= 2 AND node.kind != B AND length <= 4 AS p";
  const rows = [{ nodes: ["a", "b"], edges: ["e"], length: 1 }];
  const { recorded } = await runStatements(command, { rows });
  const [{ text }] = recorded;
  assert.match(
    text,
    /^MATCH \(a\) WHERE a\.`kind` = \$p3 MATCH p = \(a\)-\[\*1\.\.4\]->\(b\) WHERE a <> b AND /,
  );
  assert.match(text, /all\(e IN relationships\(p\) WHERE e\.`w` >= \$p0\)/);
  assert.match(
    text,
    /all\(n IN nodes\(p\)\[1\.\.size\(nodes\(p\)\) - 1\] WHERE \(n\.`kind` IS NULL OR NOT n\.`kind` = \$p1\)\)/,
  );
  assert.match(text, new RegExp(`LIMIT ${CAP + 1}$`));
});

test("compares two fields without parameters", async () => {
  const where = "source.region = target.region AND source != target AND a CONTAINS `b`";
  const { recorded } = await runStatements(`FIND edges WHERE ${where} AS x`);
  assert.match(
    recorded[0].text,
    /WHERE \(a\.`region` = b\.`region` AND coalesce\(a\.`id`, elementId\(a\)\) <> coalesce\(b\.`id`, elementId\(b\)\) AND toLower\(toString\(r\.`a`\)\) CONTAINS toLower\(toString\(r\.`b`\)\)\) RETURN/,
  );
  assert.deepEqual(recorded[0].params, {});
});

test("compares fields of the parts of a path", async () => {
  const textOf = async (where) => {
    const { recorded } = await runStatements(`FIND paths WHERE ${where} AS x`);
    return recorded[0].text;
  };
  assert.match(await textOf("start.region != end.region"), /AND a\.`region` <> b\.`region` RETURN/);
  assert.match(
    await textOf("edge.since < start.born"),
    /AND all\(e IN relationships\(p\) WHERE CASE WHEN e\.`since` IN \[true, false\] OR e\.`since` = \[\] \+ e\.`since` THEN false ELSE e\.`since` < a\.`born` END\) RETURN/,
  );
  assert.match(
    await textOf("edge.since = node.year OR edge.a = edge.b"),
    /\(all\(e IN relationships\(p\) WHERE all\(n2 IN nodes\(p\)\[1\.\.size\(nodes\(p\)\) - 1\] WHERE e\.`since` = n2\.`year`\)\) OR all\(e IN relationships\(p\) WHERE e\.`a` = e\.`b`\)\)/,
  );
  assert.match(await textOf("length = start.size"), /AND length\(p\) = a\.`size` RETURN/);
  assert.match(
    await textOf("NOT edge.type = a AND NOT (start.a > 1 OR end.a > 2)"),
    /all\(e IN relationships\(p\) WHERE \(type\(e\) IS NULL OR NOT type\(e\) = \$p0\)\) AND \(NOT coalesce\(a\.`a` > \$p1, false\) AND NOT coalesce\(b\.`a` > \$p2, false\)\)/,
  );
});

test("searches shortest paths in the form of each database", async () => {
  const command = "FIND shortest paths WHERE start.id = a AND end.id = b AS x";
  const textOf = async (dialect, text = command) => {
    const { recorded, record } = await runStatements(text, { dialect });
    return recorded[0]?.text ?? record.errors[0].message;
  };
  assert.match(await textOf("neo4j"), /MATCH p = shortestPath\(\(a\)-\[\*\]->\(b\)\) RETURN/);
  assert.match(
    await textOf("falkordb"),
    /WITH a, b, shortestPath\(\(a\)-\[\*\]->\(b\)\) AS p WHERE p IS NOT NULL RETURN/,
  );
  const filtered = `${command.slice(0, -5)} AND edge.w > 1 AS x`;
  assert.match(await textOf("neo4j", filtered), /WHERE all\(e IN relationships\(p\)/);
  // A condition that the database would test after the search is searched over fetched nodes and edges.
  const weighted = "FIND shortest paths WHERE start.id = a AND end.id = b WEIGHT w AS x";
  const undirected = await runStatements(command, { dialect: "falkordb", directed: false });
  for (const text of [
    await textOf("arcadedb", filtered),
    await textOf("neo4j", weighted),
    await textOf("age"),
    undirected.recorded[0].text,
  ])
    assert.equal(text, "MATCH (a)-[r]->(b) RETURN count(r) AS row");
});

test("fetches at most 100,000 edges for a search with weights", async () => {
  const run = async ({ text }) => {
    if (isInspection({ text })) return [{ row: "w" }];
    return [{ row: text.includes(":`ROAD`") ? 99_000 : 500_000 }];
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  const search = (condition) =>
    session.execute(`FIND shortest paths WHERE start.id = a${condition} WEIGHT w AS x`);
  const all = await search("");
  assert.deepEqual([all.status, all.errors[0].code], ["error", "GASL094"]);
  assert.match(all.errors[0].message, /500000 edges are too many .* at most 100000 are fetched/);
  const roads = await search(" AND edge.type = ROAD");
  assert.match(roads.errors[0].message, /500000 nodes are too many/);
});

test("finds nodes by the id of the database, which nodes without an id have", async () => {
  const { recorded } = await runStatements('FIND nodes WHERE id = "4:a0-b1:7" AS x');
  assert.match(
    recorded[0].text,
    /WHERE \(n\.`id` = \$p0 OR \(n\.`id` IS NULL AND elementId\(n\) = \$p1\)\)/,
  );
});

test("rejects an unknown dialect", () => {
  assert.throws(
    () => cypherAdapter({ run: async () => [], dialect: "sql" }),
    /expected `dialect` to be one of neo4j, arcadedb, falkordb, grafeo, age/,
  );
});

test("a map is not mistaken for a field", async () => {
  const state = { variables: { m: { _meta: { type: "DICT" }, a: { field: "b" } } } };
  const run = async (statement) =>
    isInspection(statement) ? [] : assert.fail("no request is expected");
  const session = new GaslSession({ graph: cypherAdapter({ run }), state });
  const record = await session.execute("FIND nodes WHERE a = ${m.a} AS x");
  assert.deepEqual([record.status, record.errors[0].code], ["schema_mismatch", "GASL035"]);
});

test("WALK requests the nodes next to the starts, each once", async () => {
  const rows = [{ id: "ada" }];
  const { recorded, session } = await runStatements("WALK FROM x FOLLOW KNOWS DIRECTION in AS y", {
    rows,
    before: ["FIND nodes AS x"],
    nodeLabel: "Entity",
  });
  // An empty walk is followed by questions about its reason.
  assert.deepEqual(recorded.slice(0, 1), [
    {
      text:
        "UNWIND $p0 AS start MATCH (a:`Entity`)<-[r:`KNOWS`]-(b:`Entity`) WHERE a.`id` = start " +
        `WITH DISTINCT b RETURN b {.*, \`id\`: coalesce(b.\`id\`, elementId(b))} AS row LIMIT ${CAP + 1}`,
      params: { p0: ["ada"] },
    },
  ]);
  assert.deepEqual(session.variable("y"), []);
});

test("a missing value is null, and a negation is two-valued", async () => {
  const { recorded } = await runStatements(
    "FIND nodes WHERE a IS NULL OR b NOT IN [1] OR EXISTS c AS x",
  );
  assert.match(
    recorded[0].text,
    /\(n\.`a` IS NULL OR \(n\.`b` IS NULL OR NOT n\.`b` IN \$p0\) OR n\.`c` IS NOT NULL\)/,
  );
});

test("quotes names of any characters", async () => {
  for (const name of ["a) DETACH DELETE n //", "é'", "1x", "a b"]) {
    const { recorded } = await runStatements(`FIND nodes WHERE \`${name}\` = z AS x`);
    assert.ok(recorded[0].text.includes(`WHERE n.\`${name}\` = $p0 `), name);
  }
  const { recorded } = await runStatements("FIND nodes WHERE kind = 'A`) DELETE n //' AS x", {
    labelField: "kind",
  });
  assert.match(recorded[0].text, /^MATCH \(n:`A``\) DELETE n \/\/`\) RETURN/);
});

test("rejects a name with an escape that Neo4j would read as a backtick", async () => {
  for (const name of ["a\\u0060 DELETE n //", "\\U0060"]) {
    const session = new GaslSession({ graph: cypherAdapter({ run: async () => [] }) });
    const command = `FIND nodes WHERE \`${name.replaceAll("\\", "\\\\")}\` = 1 AS x`;
    const { status, errors } = await session.execute(command);
    assert.equal(status, "error", name);
    assert.match(errors[0].message, /expected a name of the database/);
  }
});

test("a name does not end the dollar quotes around a statement for AGE", async () => {
  const end = "x $cypher$) AS (row agtype) --";
  const commands = [
    `FIND edges WHERE type = "${end}" AS x`,
    `FIND nodes WHERE \`${end}\` = 1 AS x`,
  ];
  for (const command of commands) {
    const { recorded, record } = await runStatements(command, { dialect: "age" });
    assert.deepEqual(recorded, []);
    assert.match(record.errors[0].message, /cannot read names with a dollar sign/);
    assert.equal((await runStatements(command)).record.status === "error", false);
  }
  const value = `FIND nodes WHERE name = "${end}" AS x`;
  assert.equal((await runStatements(value, { dialect: "age" })).recorded.length, 1);
});

test("keeps special characters of a value in the value", async () => {
  const hostile = "x' OR 1=1 RETURN n //";
  const { recorded } = await runStatements(`FIND nodes WHERE name = "${hostile}" AS x`);
  assert.ok(!recorded[0].text.includes("OR 1=1"));
  assert.deepEqual(recorded[0].params, { p0: hostile });
});

test("converts the driver's two-part integers to numbers, and keeps dates", async () => {
  class Integer {
    constructor(low, high) {
      this.low = low;
      this.high = high;
    }
  }
  class LocalDate {
    year = new Integer(1833, 0);
    toString() {
      return `${toNumber(this.year)}-06-05`;
    }
  }
  const toNumber = ({ low }) => low;
  const died = new Date("1852-11-27T00:00:00.000Z");
  const range = { low: 1, high: 5 };
  const [born, deep] = [new Integer(1815, 0), [new Integer(-1, -1)]];
  const vector = new Float32Array([1, 0.5]);
  // A plain object of another realm has another class.
  const other = runInNewContext("({ x: 1 })");
  const row = { id: "ada", born, deep, died, range, met: new LocalDate(), vector, other };
  const rows = [{ row }];
  const run = async (statement) => (isInspection(statement) ? [] : rows);
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  await session.execute("FIND nodes AS x");
  assert.deepEqual(session.variable("x"), [
    {
      ...{ id: "ada", born: 1815, deep: [-1], died: died.toJSON(), range },
      ...{ met: "1833-06-05", vector: [1, 0.5], other: { x: 1 } },
    },
  ]);
  assert.equal((await session.execute("SELECT x WHERE born > 1800 AS y")).status, "success");
});

test("converts dates of a driver to texts, and vectors to lists", async () => {
  class DateTime {
    year = 1815;
    toString() {
      return "1815-12-10T00:00:00Z";
    }
  }
  const rows = [{ row: { id: "ada", born: new DateTime(), vector: new Float32Array([1, 2]) } }];
  const run = async (statement) => (isInspection(statement) ? [] : rows);
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  await session.execute("FIND nodes AS x");
  assert.deepEqual(session.variable("x"), [
    { id: "ada", born: "1815-12-10T00:00:00Z", vector: [1, 2] },
  ]);
});

test("reports the result of a `run` that returns no rows", async () => {
  for (const [answer, description] of [
    [{ records: [] }, "an Object"],
    [undefined, "undefined"],
    [[{ keys: ["row"] }], "an Array"],
  ]) {
    const session = new GaslSession({ graph: cypherAdapter({ run: async () => answer }) });
    const { status, errors } = await session.execute("FIND nodes AS x");
    assert.equal(status, "error");
    assert.ok(
      errors[0].message.includes(
        `expected \`run\` to return a list of objects with \`row\`, found ${description}`,
      ),
    );
  }
});
