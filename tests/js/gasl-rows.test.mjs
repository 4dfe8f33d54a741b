// Commands over rows of a graph, which are not materialised: they return the same as over equal
// rows of the state.
import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { seeded } from "../../benches/data/seeded.mjs";

await init();

const VALUES = [
  ...["PERSON", "PLACE", "person", "", "7", "7.0", "-0", "true", "é"],
  ...[0, -0, 7, 7.5, -3, true, false, null],
  ...[["a"], [], [1, "a"], { city: "Bern" }, { city: null, x: { y: 1 } }, {}],
];

function randomGraph(below) {
  const some = (names) => {
    const row = {};
    for (const name of names) if (below(3) > 0) row[name] = VALUES[below(VALUES.length)];
    return row;
  };
  // Each field occurs once, so that rows may have it.
  const all = (names) => Object.fromEntries(names.map((name) => [name, "PERSON"]));
  const fields = ["kind", "score", "place", "place.city", "a.b"];
  const nodes = Array.from({ length: 40 }, (_, at) => ({
    id: `n${at}`,
    ...(at === 0 ? { ...all(fields), place: { city: "x" } } : some(fields)),
  }));
  const edges = Array.from({ length: 80 }, (_, at) => ({
    id: `e${at}`,
    source: `n${below(40)}`,
    target: `n${below(40)}`,
    ...(at === 0 ? all(["type", "weight"]) : some(["type", "weight"])),
  }));
  return Graph.fromNodeLink({ nodes, edges });
}

const NODE_FIELDS = ["id", "kind", "score", "place", "`place.city`", "place.city", "`a.b`"];
const EDGE_FIELDS = ["id", "source", "target", "type", "weight"];

/** Commands over rows, which replace `$`. */
function commandsOf(fields, below) {
  const field = () => fields[below(fields.length)];
  const values = ['"PERSON"', "7", "-3", "true", '"7"', "null"];
  const test = () =>
    [
      `${field()} = ${values[below(5)]}`,
      `${field()} > 1`,
      `${field()} CONTAINS "p"`,
      `EXISTS ${field()}`,
      `${field()} IS NULL`,
      `NOT ${field()} IN ["PERSON", 7]`,
    ][below(6)];
  const [one, two] = [field(), field()];
  return [
    `COUNT $ BY ${one} AS x`,
    `AGGREGATE $ BY ${one} WITH ${["sum", "avg", "min", "max", "count"][below(5)]} OF ${two} AS x`,
    `RANK $ BY ${one} ${["ASC", "DESC"][below(2)]} AS x`,
    `RANK $ BY ${one} LIMIT 5 AS x`,
    `SELECT $ WHERE ${test()} AND ${test()} AS x`,
    `SELECT $ FIELDS ${one}:f, ${two}:g WHERE ${test()} OR ${test()} AS x`,
    `JOIN $ WITH $ ON ${one}=${two} AS x`,
  ];
}

/** Commands over rows that other commands have computed. */
const ON = {
  SELECT: ["COUNT x BY f AS y", "RANK x BY g AS y", "SELECT x FIELDS g:h WHERE EXISTS f AS y"],
  JOIN: ["COUNT x BY kind AS y", "SELECT x FIELDS id, score:s AS y", "RANK x BY score AS y"],
};

/** Returns rows with `other_` in place of the name of a variable in the columns of a join. */
function withoutName(rows, variable) {
  if (!Array.isArray(rows)) return rows;
  const rename = (field) => field.replace(new RegExp(`^(?:${variable}_)+`), "other_");
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [rename(field), value])),
  );
}

/** Returns the result of a command: its status, its figures and its rows. */
async function resultOf(session, command, name, variable) {
  const { status, metrics, errors } = await session.execute(command);
  const { provenance_summary, ...figures } = metrics;
  const codes = errors?.map(({ code }) => code);
  return {
    status,
    figures,
    codes,
    found: status === "error" ? null : withoutName(session.variable(name), variable),
  };
}

test("rows of a graph give the same results as equal values", async () => {
  const statuses = new Map();
  for (let seed = 1; seed <= 60; seed++) {
    const below = seeded(seed);
    const session = new GaslSession({ graph: randomGraph(below) });
    const isNodes = below(2) === 0;
    await session.execute(`FIND ${isNodes ? "nodes" : "edges"} AS v`);
    await session.execute("DECLARE kept AS LIST");
    await session.execute("UPDATE kept WITH v");
    assert.deepEqual(session.variable("v"), session.variable("kept"));
    for (const command of commandsOf(isNodes ? NODE_FIELDS : EDGE_FIELDS, below)) {
      const kind = command.split(" ")[0];
      const outcomes = [];
      for (const rows of ["v", "kept"]) {
        const results = [await resultOf(session, command.replaceAll("$", rows), "x", rows)];
        if (results[0].status === "success" && /FIELDS|JOIN/.test(command)) {
          for (const next of ON[kind]) {
            const { found, status } = await resultOf(session, next, "y", rows);
            results.push([status, found]);
          }
        }
        outcomes.push(results);
      }
      assert.deepEqual(outcomes[0], outcomes[1], `seed ${seed}: ${command}`);
      const [{ status }] = outcomes[0];
      statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
    }
  }
  for (const kind of ["COUNT", "AGGREGATE", "RANK", "SELECT", "JOIN"]) {
    assert.ok(statuses.get(`${kind} success`) > 25, `${kind}: ${JSON.stringify([...statuses])}`);
  }
});

test("rows that a loop computes are read without a scan of thousands of others", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a", source_id: "s" }, { id: "b" }] });
  for (const command of ["SELECT x FIELDS id AS x", "COUNT x BY id AS x", "RANK x BY id AS x"]) {
    const session = new GaslSession({ graph });
    await session.execute("FIND nodes AS x");
    for (let round = 0; round < 6_000; round++) await session.execute(command);
    const ids = session.variable("x").map(({ id }) => id);
    assert.deepEqual(ids.sort(), ["a", "b"]);
    await session.execute("DECLARE kept AS LIST");
    await session.execute("UPDATE kept WITH x");
    const { sources } = session.evidence("kept").find(({ key }) => key === "a");
    assert.deepEqual(
      sources.map((source) => source.source_id),
      ["s"],
      command,
    );
    session[Symbol.dispose]();
  }
});

test("lazily computed rows have the fields of all rows, in order of occurrence", async () => {
  const graph = Graph.fromNodeLink({
    nodes: [
      { id: "a", type: "P", n: 1 },
      { id: "b", type: "P", old: 7 },
      { id: "c", type: "Q", age: 3 },
    ],
  });
  const session = new GaslSession({ graph });
  for (const command of [
    "FIND nodes WHERE type = P AS v",
    "SELECT v FIELDS age, old, n, id AS w",
    "JOIN v WITH v ON id AS j",
  ]) {
    assert.equal((await session.execute(command)).status, "success");
  }
  const helpFor = async (command) => (await session.execute(command)).errors[0].help;
  assert.match(await helpFor("COUNT w BY age AS x"), /`n`, `id`, `old`/);
  assert.match(
    await helpFor("RANK j BY age AS x"),
    /`id`, `type`, `n`, `v_id`, `v_type`, `v_n`, `old`/,
  );
  assert.equal((await session.execute("COUNT w BY old AS x")).status, "success");
});

test("each join of a join takes the same time", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }, { id: "b" }] });
  const session = new GaslSession({ graph });
  await session.execute("FIND nodes AS v");
  // Copying both rows for each joined row would take exponential memory.
  for (let round = 0; round < 300; round++) {
    await session.execute("JOIN v WITH v ON id AS v");
    // A join of its own result has twice as many columns.
    await session.execute("SELECT v FIELDS id AS v");
  }
  assert.deepEqual(session.variable("v"), [{ id: "a" }, { id: "b" }]);
});

test("groups and joins a few rows of a large graph like many", async () => {
  const nodes = Array.from({ length: 200 }, (_, at) => ({ id: `n${at}`, tag: `tag ${at >> 1}` }));
  const session = new GaslSession({ graph: Graph.fromNodeLink({ nodes }) });
  for (const command of [
    'FIND nodes WHERE id IN ["n197", "n198", "n199"] AS few',
    "COUNT few BY tag AS tags",
    "COUNT few BY id AS ids",
    "JOIN few WITH few ON tag AS both",
  ]) {
    assert.equal((await session.execute(command)).status, "success");
  }
  assert.deepEqual(session.variable("tags"), [
    { tag: "tag 98", count: 1 },
    { tag: "tag 99", count: 2 },
  ]);
  assert.deepEqual(
    session.variable("ids").map(({ id }) => id),
    ["n197", "n198", "n199"],
  );
  assert.equal(session.variable("both").length, 5);
});
