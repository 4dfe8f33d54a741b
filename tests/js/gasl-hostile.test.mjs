// Hosts, models and texts that misbehave: a status or a diagnostic, the session usable afterwards.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { ask, BynameError, GaslError, GaslSession, Graph, init } from "byname";
import { wasmMemory } from "../../pkg/wasm.js";

await init();

const graph = Graph.fromCsv({
  nodes: "id,kind,v\na,PERSON,1.1\nb,PERSON,1.10\nc,PLACE,2\nd,PLACE,2\n",
  edges: "source,target,type\na,c,LIVES\nb,c,LIVES\n",
});
const session = (options = {}) => new GaslSession({ graph, ...options });
const plan = (...commands) => ({ plan_id: "p", why: "", commands });
const never = () => new Promise(() => {});

/** The session still takes a plan. */
async function usable(of) {
  const { status } = await of.run(plan("FIND nodes AS x"));
  assert.equal(status, "completed");
}

test("arguments of another type are misuse", async () => {
  const one = session();
  const misuse = { name: "BynameError", code: "argument" };
  await assert.rejects(one.execute("FIND nodes AS x", { why: 5 }), misuse);
  await assert.rejects(one.execute("FIND nodes AS x", null), misuse);
  await assert.rejects(one.execute("FIND nodes AS x", { reason: "" }), misuse);
  await assert.rejects(one.run(plan("FIND nodes AS x"), { signal: {} }), misuse);
  await assert.rejects(one.run(plan("FIND nodes AS x"), { onStep: 5 }), misuse);
  await assert.rejects(one.solve("?", { signal: {} }), misuse);
  await assert.rejects(one.solve("?", { maxPlans: "x" }), misuse);
  await assert.rejects(one.solve("?", { timeout: -1 }), misuse);
  for (const options of [
    { seed: "abc" },
    { query: 5 },
    { retries: -1 },
    { caps: [] },
    { ceilings: "x" },
    { backend: {} },
  ]) {
    assert.throws(() => session(options), BynameError, JSON.stringify(options));
  }
  await usable(one);
});

test("a process waits for whoever never answers, until the time is over", () => {
  const url = import.meta.resolve("byname");
  const code = `
    import { GaslSession } from ${JSON.stringify(url)};
    const never = () => new Promise(() => {});
    const graph = { findNodes: never, findEdges: never, findPaths: never, getNode: never };
    const session = new GaslSession({ graph, llm: never, caps: { timeout_ms: 100 } });
    const { errors } = await session.execute("FIND nodes AS x");
    const { status } = await session.solve("?", { timeout: 100 });
    console.log(errors[0].message, status);`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  assert.match(stdout, /no answer within 100 ms/);
  assert.equal(status, 0);
});

test("a time beyond what a timer holds is no time at all", async () => {
  const llm = async () => ({ json: { items: [1] } });
  const one = session({ llm });
  await one.execute("SET adapter.caps.timeout_ms = 4294967295");
  await one.execute("FIND nodes AS x");
  const { status } = await one.execute('PROCESS x USING "count" AS y');
  assert.equal(status, "success");
});

test("an abort ends a wait for a backend and for a FINALLY", { timeout: 30_000 }, async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("enough")), 50);
  const { signal } = stop;
  const saving = session({ backend: { load: async () => null, save: never } });
  const saved = await saving.execute("DECLARE x AS LIST", { signal });
  assert.equal(saved.status, "success");
  const loading = session({ backend: { load: never, save: async () => ({ rev: "1" }) } });
  assert.equal((await loading.execute("FIND nodes AS x", { signal })).status, "error");
  const waiting = session({ llm: never });
  const process = (name) => `PROCESS x USING "go" AS ${name}`;
  const commands = ["FIND nodes AS x", "TRY", process("y"), "FINALLY", process("z"), "END"];
  const { status } = await waiting.run(plan(...commands), { signal });
  assert.equal(status, "cancelled");
  await usable(waiting);
});

test("a clock that fails on the way does not stop what runs", async () => {
  let calls = 0;
  const now = () => {
    calls += 1;
    if (calls > 2) throw new Error("no time");
    return "2026-01-01T00:00:00Z";
  };
  const one = session({ now });
  const { status, records } = await one.run(plan("FIND nodes AS x", "COUNT x AS n"));
  assert.equal(status, "completed");
  assert.equal(records[1].finished_at, "2026-01-01T00:00:00Z");
  await assert.rejects(one.execute("SHOW x"), /no time/);
});

test("what was aborted before it began does nothing", async () => {
  const signal = AbortSignal.abort();
  const one = session({ llm: () => "COMPLETE: x" });
  const { status, records } = await one.run(plan("DECLARE x AS LIST"), { signal });
  assert.deepEqual([status, records], ["cancelled", []]);
  const record = await one.execute("DECLARE x AS LIST", { signal });
  assert.deepEqual([record.status, record.errors[0].code], ["error", "GASL045"]);
  assert.equal((await one.solve("?", { signal })).status, "cancelled");
  assert.equal(one.variable("x"), undefined);
  await usable(one);
});

test("a FINALLY is run to its end, blocks in it too", async () => {
  const commands = [
    "FIND nodes AS n",
    "TRY",
    'CANCEL PLAN "p"',
    "FINALLY",
    "TRY",
    "SHOW n",
    "END",
    "COUNT n AS c",
    "END",
    "SHOW c",
  ];
  const { status, records } = await session().run(plan(...commands));
  assert.equal(status, "cancelled");
  assert.deepEqual(
    records.map(({ command }) => command.split(" ")[0]),
    ["FIND", "CANCEL", "SHOW", "COUNT"],
  );
});

test("batches that were done are kept for the same rows only", async () => {
  let fail = true;
  const shown = [];
  const llm = ({ prompt }) => {
    const ids = [...prompt.matchAll(/^\[(\w+)\] /gm)].map(([, id]) => id);
    shown.push(...ids);
    if (shown.length > 2 && fail) throw new Error("busy");
    return { json: { items: ids } };
  };
  const one = session({ llm, caps: { max_excerpt_items: 2 } });
  const rows = (...ids) => ({
    _meta: { type: "LIST", description: null },
    items: ids.map((id) => ({ id })),
  });
  const state = {
    variables: { first: rows("a", "b", "c", "d"), second: rows("a", "x", "c", "y") },
  };
  const two = session({ llm, state, caps: { max_excerpt_items: 2 } });
  assert.equal((await two.execute('PROCESS first USING "go" AS out')).status, "error");
  fail = false;
  await two.execute('PROCESS second USING "go" AS out');
  assert.deepEqual(two.variable("out"), ["a", "x", "c", "y"]);
  await usable(one);
});

test("diagnostics of a long text take no longer than the text does", () => {
  for (const piece of [
    "a == 1 AND ",
    "a = 1 && ",
    "\nCOMPLETE",
    "😀",
    "${",
    "\u0001",
    "\\q",
    "'",
  ]) {
    const text = `FIND nodes WHERE ${piece.repeat(60_000)}`;
    const start = process.cpuUsage();
    const { ok, diagnostics } = GaslSession.check(text);
    const { user } = process.cpuUsage(start);
    assert.equal(ok, false);
    assert.ok(diagnostics.length <= 101, `${diagnostics.length} diagnostics`);
    // Quadratic work would take minutes.
    assert.ok(user < 10_000_000, `${JSON.stringify(piece)}: ${user / 1000} ms`);
  }
});

/** Rows of a state, as a LIST. */
const listOf = (items) => ({ _meta: { type: "LIST", description: null }, items });

test("rows that are joined with their counts carry a hundred sources of each side", async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `n${at},c${at % 5},chunk-${at}`);
  const nodes = `id,city,source_id\n${lines.join("\n")}\n`;
  const of = Graph.fromCsv({ nodes, edges: "source,target\n" });
  const one = new GaslSession({ graph: of });
  const start = process.cpuUsage();
  await one.run(
    plan(
      "FIND nodes AS people",
      "COUNT people BY city AS per_city",
      "JOIN people WITH per_city ON city AS joined",
      "COUNT joined AS n",
    ),
  );
  assert.equal(one.variable("n"), 10_000);
  assert.deepEqual(one.variable("joined")[7], {
    id: "n7",
    city: "c2",
    source_id: "chunk-7",
    count: 2_000,
  });
  const record = one.state.history.find(({ command }) => command.startsWith("JOIN"));
  assert.deepEqual(record.provenance_summary, { items: 10_000, sources: 10_000 });
  const [first] = one.evidence("joined");
  assert.equal(first.sources.length, 101);
  assert.deepEqual(
    first.sources.slice(0, 2).map((source) => source.source_id),
    ["chunk-0", "chunk-0"],
  );
  const { user, system } = process.cpuUsage(start);
  // All sources of a city for each of its rows took minutes, and more memory than there is.
  assert.ok(user + system < 30_000_000, `${user + system} µs`);
  one[Symbol.dispose]();
  of[Symbol.dispose]();
});

test("rows of results that nobody has a name for any more are let go", async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `n${at},name ${at}`);
  const of = Graph.fromCsv({ nodes: `id,name\n${lines.join("\n")}\n`, edges: "source,target\n" });
  const one = new GaslSession({ graph: of });
  const round = async (at) => {
    await one.execute("FIND nodes AS x");
    await one.execute("SELECT x FIELDS id, name AS y");
    assert.equal(one.variable("y")[at].name, `name ${at}`);
  };
  for (let at = 0; at < 20; at += 1) await round(at);
  const before = wasmMemory().buffer.byteLength;
  for (let at = 20; at < 60; at += 1) await round(at);
  // Forty times these rows are 70 MB.
  const more = wasmMemory().buffer.byteLength - before;
  assert.ok(more < 25e6, `${more} bytes`);
  const { summary } = one.state.history.find(({ step }) => step === 2);
  assert.equal(summary.count, 10_000);
  assert.match(summary.excerpt, /^\[\{"id":"n0","name":"name 0"\}/);
  one[Symbol.dispose]();
  of[Symbol.dispose]();
});

test("a long list that IN finds nothing of is answered soon", async () => {
  const items = Array.from({ length: 4_000 }, (_, at) => ({ v: `another name ${at}` }));
  const lines = Array.from({ length: 900 }, (_, at) => `n${at},person number ${at}`);
  const of = Graph.fromCsv({ nodes: `id,name\n${lines.join("\n")}\n`, edges: "source,target\n" });
  const one = new GaslSession({ graph: of, state: { variables: { rows: listOf(items) } } });
  const start = process.cpuUsage();
  const { status } = await one.execute("FIND nodes WHERE name IN ${rows.v} AS x");
  const { user } = process.cpuUsage(start);
  assert.equal(status, "empty");
  assert.ok(user < 2_000_000, `${user / 1000} ms`);
});

test("both zeros are one, and null is in no list that does not hold it", async () => {
  const items = [
    { z: 0, t: "-0", tags: [["x"]] },
    { z: 5, t: "5", tags: ["x"] },
  ];
  const one = session({ state: { variables: { rows: listOf(items) } } });
  await one.execute("JOIN rows WITH rows ON z=t AS j");
  assert.deepEqual(
    one.variable("j").map(({ z }) => z),
    [0, 5],
  );
  await one.execute("SELECT rows WHERE tags CONTAINS null AS none");
  assert.deepEqual(one.variable("none"), []);
});

test("texts are grouped and joined as = compares them", async () => {
  const state = {
    variables: {
      rows: {
        _meta: { type: "LIST", description: null },
        items: [{ v: "1.1" }, { v: "1.10" }, { v: 1.1 }],
      },
    },
  };
  const one = session({ state });
  await one.execute("COUNT rows BY v AS n");
  assert.deepEqual(
    one.variable("n").map(({ count }) => count),
    [1, 1, 1],
  );
  await one.execute("JOIN rows WITH rows ON v AS j");
  // Each text joins itself and the number, the number all three.
  assert.equal(one.variable("j").length, 2 + 2 + 3);
});

test("what batches answered differently is not dropped silently", async () => {
  let total = 0;
  const llm = () => {
    total += 10;
    return { json: { total } };
  };
  const one = session({ llm, caps: { max_excerpt_items: 2 } });
  await one.execute("FIND nodes AS x");
  const schema = '{"type": "object", "properties": {"total": {"type": "number"}}}';
  const record = await one.execute(`PROCESS x USING "sum" RETURNING ${schema} AS y`);
  assert.equal(record.status, "partial");
  assert.equal(record.errors[0].code, "GASL040");
});

test("a SET that is clipped makes a search for paths partial", async () => {
  const one = session({ ceilings: { max_path_length: 1 } });
  await one.execute("SET adapter.caps.max_path_length = 3");
  const { status, metrics } = await one.execute("FIND paths AS p");
  assert.equal(status, "partial");
  assert.equal(metrics.completeness.bound_kind, "max_path_length");
});

test("a citation of no item is refused", async () => {
  for (const item of [-1, 0.7, 1, "z"]) {
    const provenance = [{ item, input_id: "a" }];
    const one = session({ llm: () => ({ json: { items: ["x"], provenance } }) });
    await one.execute("FIND nodes AS n");
    const { status } = await one.execute('PROCESS n USING "go" AS y');
    assert.equal(status, "schema_mismatch", String(item));
  }
});

test("a guard before a condition is one", async () => {
  const one = session();
  const { records } = await one.run(
    plan("FIND nodes AS n", "BRANCH IF EXISTS zzz AND LEN zzz > 0 THEN SHOW zzz ELSE SHOW n"),
  );
  assert.deepEqual([records[1].status, records[1].metrics.taken], ["success", true]);
});

test("a backend is asked again when it could not load, and told what is wrong", async () => {
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries === 1) throw new Error("offline");
    return null;
  };
  const one = session({ backend: { load, save: async () => 5 } });
  await assert.rejects(one.execute("FIND nodes AS x"), /offline/);
  const record = await one.execute("DECLARE x AS LIST");
  assert.equal(record.status, "success");
  assert.match(record.errors[0].message, /did not answer `\{ rev \}`/);
  const odd = session({
    backend: { load: async () => ({ rev: "1" }), save: async () => ({ rev: "1" }) },
  });
  await assert.rejects(odd.execute("FIND nodes AS x"), BynameError);
});

test("a session that was disposed of while it loaded stays so", async () => {
  let answer;
  const load = () => new Promise((resolve) => (answer = resolve));
  const one = session({ backend: { load, save: async () => ({ rev: "1" }) } });
  const running = one.execute("FIND nodes AS x");
  one[Symbol.dispose]();
  answer({ state: { variables: {} }, rev: "1" });
  await assert.rejects(running, { code: "disposed" });
  assert.throws(() => one.snapshot(), { code: "disposed" });
});

test("an answer that JSON cannot hold says so", async () => {
  const lone = "\ud800";
  const adapter = {
    findNodes: async () => [{ id: lone }],
    findEdges: never,
    findPaths: never,
    getNode: never,
  };
  const one = session({ graph: adapter, llm: () => ({ text: lone }) });
  const { errors } = await one.execute("FIND nodes AS x");
  assert.match(errors[0].message, /surrogate/);
});

test("a model that answers nothing is told", async () => {
  for (const answer of [null, undefined, 5]) {
    const one = session({ llm: () => answer });
    await one.execute("FIND nodes AS n");
    const { status, errors } = await one.execute('PROCESS n USING "go" AS y');
    assert.equal(status, "error");
    assert.match(
      errors[0].message,
      /the callback answered (?:null|undefined|a number): answer a text/,
    );
  }
});

test("a recording or a state that is none throws", async () => {
  await assert.rejects(GaslSession.replay("{}", { graph }), /parse the JSON in it first/);
  const kept = session().recording();
  const kind = "execute";
  const entries = [
    ...[null, 5, "x", {}, { kind: "nonsense" }, { kind: 5 }, { kind, command: 5 }],
    ...[
      { kind, why: [] },
      { kind: "solve", query: {} },
      { kind: "turns", of: "map" },
    ],
    ...[
      { kind: "stop", of: "push" },
      { kind, command: "FIND nodes AS x", turns: "1" },
    ],
  ];
  const { version, ...without } = kept;
  for (const recording of [
    ...[5, {}, "text", without, { ...kept, version: version - 1 }, { ...kept, entries: {} }],
    ...entries.map((entry) => ({ ...kept, entries: [entry] })),
  ]) {
    const text = JSON.stringify(recording);
    await assert.rejects(
      GaslSession.replay(recording, { graph }),
      (error) => error instanceof GaslError && error.diagnostics[0].code === "GASL062",
      text,
    );
  }
  // Nobody says that what is stopped has begun.
  for (const entry of [
    { kind: "stop", of: 7 },
    { kind: "turns", of: -1, turns: 0.5 },
  ]) {
    await GaslSession.replay({ ...kept, entries: [entry] }, { graph });
  }
  const { state } = session();
  for (const wrong of [
    { variables: { x: { _meta: { type: "SET" } } } },
    { variables: 5 },
    {},
    state.variables,
    { state, rev: "1" },
    [],
    "{}",
    5,
  ]) {
    assert.throws(() => session({ state: wrong }), GaslError, JSON.stringify(wrong));
  }
  assert.deepEqual(session({ state: null }).state.variables, {}, "no state");
});

test("ten thousand commands do not grow without end", async () => {
  const one = session();
  await one.execute("DECLARE x AS LIST");
  for (let turn = 0; turn < 10_000; turn += 1) {
    await one.execute("FIND nodes AS n");
    if (turn % 100 === 0) await one.execute("UPDATE x WITH n");
  }
  assert.equal(one.snapshots().length, 3);
  assert.equal(one.state.history.length, 500);
  assert.equal(one.state.history_dropped, 10_101 - 500);
});

test("a plan with half of a surrogate pair says so", async () => {
  const { status, diagnostics } = await session().run(plan("FIND nodes AS \ud800"));
  assert.equal(status, "failed");
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["GASL052"],
  );
  assert.match(diagnostics[0].message, /surrogate/);
});

/** Errors whose `message` is no text, as some libraries make them, by name. */
function wordless() {
  const circular = {};
  circular.self = circular;
  const messages = { "a BigInt": 1n, circular, nothing: undefined, "an object": { status: 500 } };
  const errors = Object.entries(messages).map(([name, message]) => [
    name,
    Object.assign(new Error("x"), { message }),
  ]);
  return [...errors, ["no error", Object.create(null)]];
}

for (const [name, thrown] of wordless()) {
  test(`a model and a graph that fail without words end in a status: ${name}`, async () => {
    // An unhandled rejection fails the test it happens in.
    const fail = async () => {
      throw thrown;
    };
    const one = session({ llm: fail });
    const { status, diagnostics } = await one.solve("?", { maxPlans: 1 });
    assert.equal(status, "stopped");
    assert.match(diagnostics[0].message, /^the model could not be asked: \w/);
    await one.execute("FIND nodes AS x");
    const record = await one.execute('PROCESS x USING "label" AS y');
    assert.equal(record.status, "error");
    assert.equal(record.errors[0].code, "GASL051");
    await usable(one);
    const graph = { findNodes: fail, findEdges: fail, findPaths: fail, getNode: fail };
    const found = await new GaslSession({ graph }).execute("FIND nodes AS x");
    assert.equal(found.status, "error");
    assert.match(found.errors[0].message, /^the graph could not be asked: \w/);
  });
}

test("what is thrown and is no error has its message told", async () => {
  const fail = async () => {
    throw { message: "quota exceeded", code: 429 };
  };
  const { diagnostics } = await session({ llm: fail }).solve("?", { maxPlans: 1 });
  assert.equal(diagnostics[0].code, "GASL051");
  assert.equal(diagnostics[0].message, "the model could not be asked: quota exceeded");
});

test("a question that was cut in a character leaves the other options what they are", async () => {
  const first = session();
  await first.execute("DECLARE people AS LIST");
  const query = "Who is the 😀".slice(0, -1);
  const asked = [];
  const llm = ({ prompt }) => {
    asked.push(prompt);
    return "COMPLETE: somebody";
  };
  const one = session({ query, state: first.state, caps: { max_results: 7 }, llm });
  assert.deepEqual(one.variable("people"), []);
  assert.equal(one.state.query, "Who is the \ufffd");
  assert.equal(one.state.config.adapter.params.max_results, 7);
  assert.equal((await one.solve(query)).status, "complete");
  assert.equal((await ask(query, { graph, llm })).status, "complete");
  for (const prompt of asked) assert.match(prompt, /^Question: Who is the \ufffd\n/);
});

test("a state with half of a character in it is refused", () => {
  const state = { ...session().state, note: "\ud800" };
  for (const one of [state, "\ud800"]) {
    assert.throws(
      () => session({ state: one }),
      (error) => {
        assert.ok(error instanceof GaslError);
        return error.diagnostics[0].code === "JSON006";
      },
    );
  }
});

test("long states and deep ones load", async () => {
  const first = session();
  await first.execute("DECLARE people AS LIST");
  const long = { ...first.state, query: "x".repeat(65 * 2 ** 20) };
  let deep = 1;
  for (let level = 0; level < 600; level++) deep = [deep];
  for (const state of [long, { ...first.state, more: deep }]) {
    const one = session({ state, caps: { max_results: 7 } });
    assert.deepEqual(one.variable("people"), []);
    assert.equal(one.state.config.adapter.params.max_results, 7);
    one[Symbol.dispose]();
  }
});
