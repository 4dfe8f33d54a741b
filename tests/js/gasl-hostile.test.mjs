// Hosts, models and texts that misbehave: they give a status or a diagnostic, and the session stays
// usable.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { ask, BynameError, GaslError, GaslSession, Graph } from "byname";
import { graph, plan, session } from "../gasl/twins.mjs";

const never = () => new Promise(() => {});

/** Asserts that the session still accepts a plan. */
async function expectUsable(of) {
  const { status } = await of.run(plan("FIND nodes AS x"));
  assert.equal(status, "completed");
}

test("rejects arguments of another type", async () => {
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
  await expectUsable(one);
});

test("a graph adapter that returns no valid rows gives an error", async () => {
  const circular = { id: "a" };
  circular.self = circular;
  const throwing = {
    get id() {
      throw new Error("no");
    },
  };
  const answers = [undefined, null, "rows", 5, {}, new Map(), { rows: [{ id: "a" }] }];
  const rows = ["a", null, [1], () => 1, { name: "without id" }, { id: 1n }, { id: "\ud800" }];
  for (const row of [...rows, circular, throwing]) answers.push([{ id: "a" }, row]);
  for (const answer of answers) {
    const reply = async () => answer;
    const adapter = { findNodes: reply, findEdges: reply, findPaths: reply, getNode: reply };
    const one = new GaslSession({ graph: adapter });
    const record = await one.execute("FIND nodes AS x");
    assert.deepEqual([record.status, record.errors[0].code], ["error", "GASL044"]);
    assert.equal(one.variable("x"), undefined);
    assert.equal((await one.execute("DECLARE k AS LIST")).status, "success");
  }
});

test("a process waits for a pending reply until the timeout", () => {
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
  assert.match(stdout, /no response within 100 ms/);
  assert.equal(status, 0);
});

test("a timeout beyond the maximum of a timer never expires", async () => {
  const llm = async () => ({ json: { items: [1] } });
  const one = session({ llm, citations: "warn" });
  await one.execute("SET adapter.caps.timeout_ms = 4294967295");
  await one.execute("FIND nodes AS x");
  const { status } = await one.execute('PROCESS x USING "count" AS y');
  assert.equal(status, "success");
});

test("an abort ends a wait for a backend and for a FINALLY", { timeout: 30_000 }, async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("enough")), 50);
  const { signal } = stop;
  let close;
  const closed = new Promise((_, reject) => {
    close = () => reject(new Error("closed"));
  });
  const saving = session({ backend: { load: async () => null, save: () => closed } });
  const saved = await saving.execute("DECLARE x AS LIST", { signal });
  assert.equal(saved.status, "success");
  const loading = session({ backend: { load: () => closed, save: async () => ({ rev: "1" }) } });
  assert.equal((await loading.execute("FIND nodes AS x", { signal })).status, "error");
  const pending = session({ llm: never });
  const process = (name) => `PROCESS x USING "go" AS ${name}`;
  const commands = ["FIND nodes AS x", "TRY", process("y"), "FINALLY", process("z"), "END"];
  const { status } = await pending.run(plan(...commands), { signal });
  assert.equal(status, "cancelled");
  await expectUsable(pending);
  // Calls of a backend that never settle would keep the process running until they time out.
  close();
});

test("a clock that fails during a run does not stop it", async () => {
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

test("a call that was aborted before it began does nothing", async () => {
  const signal = AbortSignal.abort();
  const one = session({ llm: () => "COMPLETE: x" });
  const { status, records } = await one.run(plan("DECLARE x AS LIST"), { signal });
  assert.deepEqual([status, records], ["cancelled", []]);
  const record = await one.execute("DECLARE x AS LIST", { signal });
  assert.deepEqual([record.status, record.errors[0].code], ["error", "GASL045"]);
  assert.equal((await one.solve("?", { signal })).status, "cancelled");
  assert.equal(one.variable("x"), undefined);
  await expectUsable(one);
});

test("runs a FINALLY to its end, with its blocks", async () => {
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

test("asks a backend again after a failed load, and reports the error", async () => {
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
  assert.match(record.errors[0].message, /to return `\{ rev \}`/);
  const odd = session({
    backend: { load: async () => ({ rev: "1" }), save: async () => ({ rev: "1" }) },
  });
  await assert.rejects(odd.execute("FIND nodes AS x"), BynameError);
});

test("a session that was disposed of while it loaded stays disposed of", async () => {
  let answer;
  const load = () => new Promise((resolve) => (answer = resolve));
  const one = session({ backend: { load, save: async () => ({ rev: "1" }) } });
  const running = one.execute("FIND nodes AS x");
  one[Symbol.dispose]();
  answer({ state: { variables: {} }, rev: "1" });
  await assert.rejects(running, { code: "disposed" });
  assert.throws(() => one.snapshot(), { code: "disposed" });
});

test("reports a reply that JSON cannot represent", async () => {
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

test("reports a model that returns nothing", async () => {
  for (const answer of [null, undefined, 5]) {
    const one = session({ llm: () => answer });
    await one.execute("FIND nodes AS n");
    const { status, errors } = await one.execute('PROCESS n USING "go" AS y');
    assert.equal(status, "error");
    assert.match(errors[0].message, /found (?:null|undefined|a number): return a string/);
  }
});

test("throws on an invalid recording or state", async () => {
  await assert.rejects(GaslSession.replay("{}", { graph }), /parse the JSON first/);
  const validRecording = session().recording();
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
  const { version, ...without } = validRecording;
  for (const recording of [
    ...[
      5,
      {},
      "text",
      without,
      { ...validRecording, version: version - 1 },
      { ...validRecording, entries: {} },
    ],
    ...entries.map((entry) => ({ ...validRecording, entries: [entry] })),
  ]) {
    const text = JSON.stringify(recording);
    await assert.rejects(
      GaslSession.replay(recording, { graph }),
      (error) => error instanceof GaslError && error.diagnostics[0].code === "GASL062",
      text,
    );
  }
  // A run that was aborted first has not begun.
  for (const entry of [
    { kind: "stop", of: 7 },
    { kind: "turns", of: -1, turns: 0.5 },
  ]) {
    await GaslSession.replay({ ...validRecording, entries: [entry] }, { graph });
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

test("reports a plan with half of a surrogate pair", async () => {
  const { status, diagnostics } = await session().run(plan("FIND nodes AS \ud800"));
  assert.equal(status, "failed");
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["GASL052"],
  );
  assert.match(diagnostics[0].message, /surrogate/);
});

/** Errors whose `message` is not a text, as in some libraries, by name. */
function errorsWithoutText() {
  const circular = {};
  circular.self = circular;
  const messages = { "a BigInt": 1n, circular, nothing: undefined, "an object": { status: 500 } };
  const errors = Object.entries(messages).map(([name, message]) => [
    name,
    Object.assign(new Error("x"), { message }),
  ]);
  return [...errors, ["no error", Object.create(null)]];
}

for (const [name, thrown] of errorsWithoutText()) {
  test(`a model and a graph that fail without a message give a status: ${name}`, async () => {
    // An unhandled rejection fails the test in which it happens.
    const fail = async () => {
      throw thrown;
    };
    const one = session({ llm: fail });
    const { status, diagnostics } = await one.solve("?", { maxPlans: 1 });
    assert.equal(status, "stopped");
    assert.match(diagnostics[0].message, /^the model request failed: \w/);
    await one.execute("FIND nodes AS x");
    const record = await one.execute('PROCESS x USING "label" AS y');
    assert.equal(record.status, "error");
    assert.equal(record.errors[0].code, "GASL051");
    await expectUsable(one);
    const graph = { findNodes: fail, findEdges: fail, findPaths: fail, getNode: fail };
    const graphRecord = await new GaslSession({ graph }).execute("FIND nodes AS x");
    assert.equal(graphRecord.status, "error");
    assert.match(graphRecord.errors[0].message, /^the graph query failed: \w/);
  });
}

test("reports the message of a thrown value that is not an error", async () => {
  const fail = async () => {
    throw { message: "quota exceeded", code: 429 };
  };
  const { diagnostics } = await session({ llm: fail }).solve("?", { maxPlans: 1 });
  assert.equal(diagnostics[0].code, "GASL051");
  assert.equal(diagnostics[0].message, "the model request failed: quota exceeded");
});

test("a thrown value whose getters throw is a failure like any other", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const withGetter = (name) =>
    Object.defineProperty(new Error("no power"), name, {
      get() {
        throw new Error("no value");
      },
    });
  for (const reason of [withGetter("help"), withGetter("isTransient"), proxy]) {
    const fail = async () => {
      throw reason;
    };
    const message = reason === proxy ? /without a message/ : /no power/;
    const solved = await session({ llm: fail }).solve("?");
    assert.equal(solved.status, "stopped");
    assert.match(solved.diagnostics[0].message, message);
    const adapter = { findNodes: fail, findEdges: fail, findPaths: fail };
    const found = await session({ graph: adapter }).execute("FIND nodes AS x");
    assert.equal(found.status, "error");
    const backend = { load: async () => null, save: fail };
    const stored = session({ backend });
    const { status, errors } = await stored.execute("DECLARE l AS LIST");
    assert.equal(status, "success");
    assert.match(errors[0].message, message);
    assert.equal((await stored.execute("FIND nodes AS x")).status, "success");
  }
});

test("a question that is truncated within a character does not change the other options", async () => {
  const first = session();
  await first.execute("DECLARE people AS LIST");
  const query = "Who is the 😀".slice(0, -1);
  const prompts = [];
  const llm = ({ prompt }) => {
    prompts.push(prompt);
    return "COMPLETE: a person";
  };
  const one = session({ query, state: first.state, caps: { max_results: 7 }, llm });
  assert.deepEqual(one.variable("people"), []);
  assert.equal(one.state.query, "Who is the \ufffd");
  assert.equal(one.state.config.adapter.params.max_results, 7);
  assert.equal((await one.solve(query)).status, "complete");
  assert.equal((await ask(query, { graph, llm })).status, "complete");
  for (const prompt of prompts) assert.match(prompt, /^Question: Who is the \ufffd\n/);
});

test("rejects a state with half of a character", () => {
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

test("a plan that joins its own result ends at a limit", async () => {
  const nodes = Array.from({ length: 200 }, (_, at) => ({ id: `n${at}`, k: 1 }));
  const graph = Graph.fromNodeLink({ nodes, links: [] });
  const plans = {
    "joins of the same rows": Array(12).fill("JOIN x WITH x ON k = k AS x"),
    "joins under many names": Array.from(
      { length: 60 },
      (_, at) => `JOIN x WITH x ON k = k AS y${at}`,
    ),
    "many fields": [
      `SELECT x FIELDS ${Array.from({ length: 5_000 }, (_, at) => `id:f${at}`).join(", ")} AS y`,
    ],
  };
  for (const [name, commands] of Object.entries(plans)) {
    const session = new GaslSession({ graph, limits: { variables: 40_000_000 } });
    const { status, records } = await session.run({
      plan_id: "p",
      why: "w",
      commands: ["FIND nodes AS x", ...commands],
    });
    assert.equal(status, "failed", name);
    const [error] = records.at(-1).errors;
    assert.equal(error.code, "GASL167", JSON.stringify(error));
    assert.equal((await session.execute("COUNT x AS n")).status, "success");
    session[Symbol.dispose]();
  }
});
