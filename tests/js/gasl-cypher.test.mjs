// Adapter for openCypher databases: its statements, and that no statement contains a value.

import assert from "node:assert/strict";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { GaslSession, init } from "byname";
import { cypherAdapter } from "byname/gasl";

await init();

/** Default of `max_results`: one row more is requested, to detect truncation. */
const CAP = 1_000_000;

/** Runs a command with an adapter that records its statements and returns these rows. */
async function runStatements(command, { rows = [], ...options } = {}) {
  const recorded = [];
  const run = async (statement) => {
    recorded.push(statement);
    return rows.map((row) => ({ row }));
  };
  const session = new GaslSession({ graph: cypherAdapter({ run, ...options }) });
  const record = await session.execute(command);
  return { recorded, record, session };
}

test("finds nodes: values are parameters, the label is a field", async () => {
  const command =
    "FIND nodes WHERE entity_type = PERSON AND NOT name CONTAINS 'Ada' LIMIT 5 AS people";
  const rows = [{ id: "ada", name: "A" }];
  const { recorded, record, session } = await runStatements(command, {
    rows,
    labelField: "entity_type",
  });
  assert.deepEqual(recorded, [
    {
      text:
        "MATCH (n) WHERE (coalesce(labels(n)[0] = $p0, false) AND NOT coalesce(coalesce(" +
        "toLower(toString(n.`name`)) CONTAINS toLower(toString($p1)), false), false)) " +
        "RETURN n {.*, id: n.`id`, `entity_type`: labels(n)[0]} AS row LIMIT toInteger($p2)",
      params: { p0: "PERSON", p1: "Ada", p2: 6 },
    },
  ]);
  assert.equal(record.status, "success");
  assert.deepEqual(session.variable("people"), rows);
});

test("finds edges: ends and types", async () => {
  const command = "FIND edges WHERE type IN [WROTE, READ] AND source.age > 40 AS edges";
  const { recorded } = await runStatements(command, { idKey: "uid" });
  assert.deepEqual(recorded[0].params, { p0: ["WROTE", "READ"], p1: 40, p2: CAP + 1 });
  assert.match(
    recorded[0].text,
    /^MATCH \(a\)-\[r\]->\(b\) WHERE \(coalesce\(type\(r\) IN \$p0, false\)/,
  );
  assert.match(recorded[0].text, /coalesce\(a\.`age` > \$p1, false\)/);
  assert.match(recorded[0].text, /source: a\.`uid`, target: b\.`uid`/);
});

test("finds paths: limits, directions and every part", async () => {
  const command =
    "FIND paths WHERE start.kind = A AND edge.w >= 2 AND node.kind != B AND length <= 4 AS p";
  const { recorded } = await runStatements(command);
  const [{ text, params }] = recorded;
  assert.match(text, /^MATCH p = \(a\)-\[\*1\.\.4\]->\(b\) WHERE a <> b AND /);
  assert.match(text, /all\(e IN relationships\(p\) WHERE \(?coalesce\(e\.`w` >= \$p1, false\)/);
  assert.match(
    text,
    /all\(n IN nodes\(p\)\[1\.\.-1\] WHERE \(?coalesce\(n\.`kind` <> \$p2, true\)/,
  );
  assert.deepEqual(Object.values(params), ["A", 2, "B", 4, CAP + 1]);
});

test("compares two fields without parameters", async () => {
  const where = "source.region = target.region AND source != target AND a CONTAINS `b`";
  const { recorded } = await runStatements(`FIND edges WHERE ${where} AS x`);
  assert.match(
    recorded[0].text,
    /WHERE \(coalesce\(a\.`region` = b\.`region`, false\) AND coalesce\(a\.`id` <> b\.`id`, false\) AND coalesce\(toLower\(toString\(r\.`a`\)\) CONTAINS toLower\(toString\(r\.`b`\)\), false\)\) RETURN/,
  );
  assert.deepEqual(recorded[0].params, { p0: CAP + 1 });
});

test("compares fields of the parts of a path", async () => {
  const textOf = async (where) => {
    const { recorded } = await runStatements(`FIND paths WHERE ${where} AS x`);
    return recorded[0].text;
  };
  assert.match(
    await textOf("start.region != end.region"),
    /AND \(coalesce\(a\.`region` <> b\.`region`, false\)\) RETURN/,
  );
  assert.match(
    await textOf("edge.since < start.born"),
    /AND \(all\(e IN relationships\(p\) WHERE coalesce\(e\.`since` < a\.`born`, false\)\)\) RETURN/,
  );
  assert.match(
    await textOf("edge.since = node.year OR edge.a = edge.b"),
    /\(all\(e IN relationships\(p\) WHERE all\(n2 IN nodes\(p\)\[1\.\.-1\] WHERE coalesce\(e\.`since` = n2\.`year`, false\)\)\) OR all\(e IN relationships\(p\) WHERE coalesce\(e\.`a` = e\.`b`, false\)\)\)/,
  );
  assert.match(
    await textOf("length = start.size"),
    /AND \(coalesce\(length\(p\) = a\.`size`, false\)\) RETURN/,
  );
});

test("a map is not mistaken for a field", async () => {
  const state = { variables: { m: { _meta: { type: "DICT" }, a: { field: "b" } } } };
  const run = async () => assert.fail("no request is expected");
  const session = new GaslSession({ graph: cypherAdapter({ run }), state });
  const record = await session.execute("FIND nodes WHERE a = ${m.a} AS x");
  assert.deepEqual([record.status, record.errors[0].code], ["schema_mismatch", "GASL035"]);
});

test("follows a condition in a direction", async () => {
  const rows = [{ id: "ada", source: "ada", target: "ada" }];
  const { session, recorded } = await runStatements("FIND nodes AS x", { rows });
  await session.execute("WALK FROM x FOLLOW since > 1999 DIRECTION in AS y");
  assert.match(
    recorded[1].text,
    /WHERE \(coalesce\(b\.`id` IN \$p0, false\) AND coalesce\(r\.`since` > \$p1, false\)\)/,
  );
});

test("a missing value is null, and a negation is two-valued", async () => {
  const { recorded } = await runStatements(
    "FIND nodes WHERE a IS NULL OR b NOT IN [1] OR EXISTS c AS x",
  );
  assert.match(
    recorded[0].text,
    /\(n\.`a` IS NULL OR NOT coalesce\(n\.`b` IN \$p0, false\) OR n\.`c` IS NOT NULL\)/,
  );
});

test("rejects an invalid name before any request", async () => {
  for (const name of ["a`b", "a) DETACH DELETE n //", "é'", "1x"]) {
    const { recorded, record } = await runStatements(
      `FIND nodes WHERE \`${name.replaceAll("`", "'")}\` = 1 AS x`,
    );
    assert.equal(record.status, "error", name);
    assert.equal(record.errors[0].code, "GASL044");
    assert.deepEqual(recorded, []);
  }
});

test("keeps special characters of a value in the value", async () => {
  const hostile = "x' OR 1=1 RETURN n //";
  const { recorded } = await runStatements(`FIND nodes WHERE name = "${hostile}" AS x`);
  assert.ok(!recorded[0].text.includes("OR 1=1"));
  assert.deepEqual(recorded[0].params, { p0: hostile, p1: CAP + 1 });
});

test("WALK requests edges and then nodes", async () => {
  const statements = [];
  const run = async ({ text, params }) => {
    statements.push([text.slice(0, 12), Object.values(params)[0]]);
    const edges = text.startsWith("MATCH (a)");
    return edges
      ? [{ row: { id: "e", source: "a", target: "b", type: "KNOWS" } }]
      : [{ row: { id: "b", name: "B" } }];
  };
  const state = {
    variables: { s: { _meta: { type: "LIST", description: null }, items: [{ id: "a" }] } },
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }), state });
  const record = await session.execute("WALK FROM s FOLLOW KNOWS AS near");
  assert.equal(record.status, "success");
  assert.deepEqual(session.variable("near"), [{ id: "b", name: "B" }]);
  assert.deepEqual(statements, [
    ["MATCH (a)-[r", ["a"]],
    ["MATCH (n) WH", ["b"]],
  ]);
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
  const session = new GaslSession({ graph: cypherAdapter({ run: async () => rows }) });
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
  const session = new GaslSession({ graph: cypherAdapter({ run: async () => rows }) });
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
