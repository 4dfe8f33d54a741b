// Sessions that are stored and reopened, disposed of, or given invalid input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, BynameError, GaslError, GaslSession, Graph } from "byname";
import { matcher } from "../gbnf.mjs";

const nodes = ["a", "b", "c", "d"].map((id) => ({ id, type: "PERSON" }));
const links = [
  { source: "a", target: "b" },
  { source: "b", target: "c" },
  { source: "c", target: "d" },
];
const graph = Graph.fromNodeLink({ directed: true, nodes, links });

const codes = ({ errors }) => errors.map(({ code }) => code);

test("a row cannot look like a declared key", async () => {
  const forged = [
    { id: "y", _meta: { type: "LIST" }, items: [7], extra: 1 },
    { id: "z", inner: { _meta: { type: "NOPE" } } },
  ];
  for (const node of forged) {
    const session = new GaslSession({ graph: Graph.fromNodeLink({ nodes: [node], links: [] }) });
    await session.execute("DECLARE D AS DICT");
    await session.execute("FIND nodes AS v");
    const before = session.snapshot().hash;
    const record = await session.execute("UPDATE D WITH v");
    assert.deepEqual([record.status, codes(record)], ["schema_mismatch", ["GASL035"]]);
    assert.match(record.errors[0].help, /SELECT/);
    assert.equal(session.snapshot().hash, before);
    const restored = new GaslSession({ graph, state: session.state });
    assert.deepEqual(restored.variable("D"), {});
  }
});

test("stores the options of a session in its state, which new options override", () => {
  const { state } = new GaslSession({ graph, query: "Q", seed: 7, model: "m" });
  const restored = new GaslSession({ graph, state }).state;
  assert.deepEqual(
    [restored.query, restored.replay.seed, restored.config.llm.model],
    ["Q", 7, "m"],
  );
  const other = new GaslSession({ graph, state, query: "R", seed: 0, model: "n" }).state;
  assert.deepEqual([other.query, other.replay.seed, other.config.llm.model], ["R", 0, "n"]);
});

test("a loop uses the question of the state by default", async () => {
  const llm = () => "COMPLETE: yes";
  const one = new GaslSession({ graph, llm });
  await one.solve("is it so?");
  assert.equal(one.state.query, "is it so?");
  const two = new GaslSession({ graph, llm, query: "Q" });
  await two.solve("is it so?");
  assert.equal(two.state.query, "Q");
});

test("a resumed plan keeps the limits that it had set", async () => {
  const commands = [
    "SET adapter.caps.max_path_length = 1",
    "DECLARE L AS LIST",
    "FIND paths AS p",
    "COUNT p AS n",
  ];
  const saved = [];
  let rev = 0;
  const save = async (state) => {
    saved.push(state);
    rev += 1;
    return { rev: String(rev) };
  };
  const session = new GaslSession({ graph, backend: { load: async () => null, save } });
  await session.run({ plan_id: "p", why: "", commands });
  const expected = session.variable("n");
  const stored = saved.find((state) => state.replay.commands.length === 2);
  const backend = { load: async () => ({ state: stored, rev: "1" }), save };
  const resumed = new GaslSession({ graph, backend });
  const result = await resumed.resume();
  assert.equal(result.status, "completed");
  assert.deepEqual(resumed.variable("n"), expected);
  // A separate session has the default limits.
  const fresh = new GaslSession({ graph, state: session.state });
  await fresh.execute("FIND paths AS p");
  assert.ok(fresh.variable("p").length > 3);
});

test("rejects a clock that does not return a text", async () => {
  for (const now of [() => 1, () => new Date(), () => ({}), () => null, () => undefined]) {
    assert.throws(() => new GaslSession({ graph, now }), { name: "BynameError", code: "argument" });
  }
});

test("a run ends with its session", async () => {
  let signal;
  const llm = (request) => {
    signal = request.signal;
    return new Promise(() => {});
  };
  for (const begin of [
    (session) => session.execute('PROCESS v USING "count" AS n'),
    (session) => session.run({ plan_id: "p", why: "", commands: ['ANALYZE v USING "x" AS n'] }),
    (session) => session.solve("q", { signal: new AbortController().signal }),
    (session) => session.propose("q"),
  ]) {
    signal = undefined;
    const session = new GaslSession({ graph, llm, state: { variables: {} } });
    await session.execute("DECLARE v AS LIST");
    await session.execute("FIND nodes AS rows");
    await session.execute("UPDATE v WITH rows");
    const running = begin(session);
    while (signal === undefined) await new Promise(setImmediate);
    session[Symbol.dispose]();
    await assert.rejects(running, { name: "BynameError", code: "disposed" });
    assert.equal(signal.aborted, true);
  }
});

test("reads only the known keys of a reply", async () => {
  class Generated {
    response = new Response("x");
    steps = [new Map(), 10n, () => {}];
    get text() {
      return "COMPLETE: Emma";
    }
    get usage() {
      return { inputTokens: 2, outputTokens: 1, reasoningTokens: undefined };
    }
  }
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] });
  for (const reply of [new Generated(), { text: "COMPLETE: Emma", raw: 10n }]) {
    const { status, answer } = await ask("Who?", { graph, llm: async () => reply });
    assert.deepEqual([status, answer], ["complete", "Emma"]);
  }
});

test("reports a reply that was truncated for length", async () => {
  for (const reply of [
    { text: "COMPLETE: half an ans", finishReason: "length" },
    { json: { complete: "half" }, finishReason: "length" },
  ]) {
    const solved = await new GaslSession({ graph, llm: () => reply }).solve("q");
    assert.equal(solved.status, "complete");
    assert.deepEqual(
      solved.diagnostics.map(({ code }) => code),
      ["GASL055"],
    );
  }
});

test("the last plan has the limit that ended the loop, and every candidate is kept", async () => {
  const plan = { why: "", commands: ["FIND nodes AS n"] };
  const llm = () => ({ json: { next_actions: [{ plan, confidence: 1 }] } });
  const session = new GaslSession({ graph, llm });
  const solved = await session.solve("q", { maxPlans: 2 });
  assert.equal(solved.status, "stopped");
  assert.deepEqual(
    solved.plans.map(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    [[], ["GASL070"]],
  );
  assert.equal(session.snapshots().at(-1).candidates.length, 3);
});

test("a stopped loop reports its reason", async () => {
  const never = () => new Promise(() => {});
  const late = await new GaslSession({ graph, llm: never }).solve("q", { timeout: 20 });
  assert.deepEqual(
    [late.status, late.diagnostics.map(({ code, message }) => [code, message])],
    ["cancelled", [["GASL045", "the loop was cancelled: no response within 20 ms"]]],
  );
  const control = new AbortController();
  const session = new GaslSession({
    graph,
    llm: ({ task }) => {
      if (task === "plan")
        return { json: { commands: ["FIND nodes AS x", 'PROCESS x USING "q" AS y'] } };
      control.abort(new Error("enough"));
      return never();
    },
  });
  const { status, plans, diagnostics } = await session.solve("q", { signal: control.signal });
  assert.deepEqual([status, plans.map((plan) => plan.status)], ["cancelled", ["cancelled"]]);
  assert.deepEqual(
    diagnostics.map(({ message }) => message),
    ["the loop was cancelled: enough"],
  );
});

test("every call ends at its timeout", async () => {
  const never = () => new Promise(() => {});
  const session = new GaslSession({ graph, llm: never });
  const options = { timeout: 20 };
  await session.execute("FIND nodes AS x");
  const asks = 'PROCESS x USING "q" AS y';
  const { status, errors } = await session.execute(asks, options);
  assert.deepEqual([status, errors[0].code], ["error", "GASL045"]);
  const plan = { plan_id: "p", why: "", commands: ["FIND nodes AS x", asks, "FIND nodes AS z"] };
  const ran = await session.run(plan, options);
  assert.deepEqual([ran.status, session.variable("z")], ["cancelled", undefined]);
  await assert.rejects(session.propose("q", options), /no response within 20 ms/);
  // A call that ends in time has no timer left that would keep the process alive.
  assert.equal((await session.execute("FIND nodes AS w", { timeout: 1e9 })).status, "success");
});

test("reports a missing name at its location, with the available fields or limits", async () => {
  const session = new GaslSession({ graph, llm: () => "" });
  await session.execute("FIND nodes AS v");
  const firstError = async (command) => (await session.execute(command)).errors[0];
  const using = await firstError('PROCESS v USING "abc ${nope}" AS x');
  assert.deepEqual(using.location, { kind: "text", start: 16, end: 29 });
  const field = await firstError("FIND nodes WHERE id IN ${v.tpe} AS q");
  assert.deepEqual([field.code, field.help], ["GASL030", "did you mean `type`?"]);
  for (const setting of ["adapter.caps.max_result", "max_results", "caps.max_results"]) {
    const { message, help } = await firstError(`SET ${setting} = 5`);
    assert.match(message, /`max_path_length`.*`case_sensitive`/);
    assert.equal(help, "write `SET adapter.caps.max_results = 5`");
  }
});

test("a grammar writes names as the language parses them", async () => {
  const session = new GaslSession({ graph });
  await session.execute("DECLARE `where` AS LIST");
  const rules = GaslSession.gbnf(session.state).split("\n");
  const rule = (name) => rules.find((line) => line.startsWith(`${name} ::= `));
  assert.equal(rule("key"), 'key ::= "`where`"');
  assert.equal(rule("variable"), 'variable ::= "`where`"');
  assert.equal(rule("bound"), 'bound ::= "where"');
  assert.ok(GaslSession.check("UPDATE `where` WITH `where`").ok);
  assert.ok(GaslSession.check("ASSERT LEN ${where} > 1").ok);
});

test("a first plan may declare a key and store its result", async () => {
  let received;
  const llm = (request) => {
    received = request;
    return "COMPLETE: x";
  };
  await new GaslSession({ graph, llm }).solve("q");
  const matches = matcher(received.grammar.gbnf);
  const planOf = (...commands) =>
    `{"plan_id": "p", "why": "w", "commands": [${commands.map((one) => JSON.stringify(one)).join(", ")}]}`;
  const command = 'FIND nodes WHERE name = "O\'Brien" AS found';
  assert.ok(matches(planOf("DECLARE people AS LIST", command, "UPDATE people WITH found")));
  assert.ok(matches(planOf("ANALYZE a.b USING 'why?' AS x")));
  assert.ok(matches('{"complete": "it is \\"so\\""}'));
  assert.ok(!matches(planOf("UPDATE people WITH ${found}")));
});

test("reports edges that are not a list, and treats null as absent", () => {
  const error = (key) => ({ nodes: [], [key]: 5 });
  for (const key of ["links", "edges"]) {
    assert.throws(
      () => Graph.fromNodeLink(error(key)),
      (error) => {
        assert.ok(error instanceof GaslError);
        assert.deepEqual(error.diagnostics[0].location, { kind: "pointer", pointer: `/${key}` });
        return true;
      },
    );
    assert.equal(Graph.fromNodeLink({ nodes: [{ id: "a" }], [key]: null }).nodeCount, 1);
  }
});

test("throws on a replay without a graph", async () => {
  const recording = new GaslSession({ graph }).recording();
  await assert.rejects(GaslSession.replay(recording, {}), BynameError);
});

test("`ask` reports warnings about the graph", async () => {
  const odd = Graph.fromCsv({ nodes: "id,name\na,Smith, Ann\n", edges: "source,target\n" });
  const llm = () => ({ json: { plan_id: "p", why: "w", commands: [], complete: true } });
  const { diagnostics } = await ask("who is there?", { graph: odd, llm, maxPlans: 1 });
  assert.deepEqual(diagnostics[0], odd.diagnostics[0]);
  assert.match(diagnostics[0].help, /in double quotes/);
});

test("reads the text of a reply, whatever else the result of a library has", async () => {
  class Result {
    #text = "COMPLETE: no one";
    response = new Map();
    raw = 1n;
    get text() {
      return this.#text;
    }
    get output() {
      throw new Error("there is none");
    }
  }
  for (const reply of [new Result(), { text: "COMPLETE: no one", response: new Response("") }]) {
    const { status, answer } = await ask("who?", { graph, llm: () => reply });
    assert.deepEqual([status, answer], ["complete", "no one"]);
  }
});

test("a clock that disposes of the session ends the run", async () => {
  for (let after = 1; after < 6; after += 1) {
    let calls = 0;
    const now = () => {
      calls += 1;
      if (calls > after) session[Symbol.dispose]();
      return "2026-01-01T00:00:00Z";
    };
    const session = new GaslSession({ graph, now, llm: () => "COMPLETE: x" });
    const ended = await session.solve("?").catch((error) => error);
    assert.ok(
      ended.code === "disposed" || ["complete", "cancelled"].includes(ended.status),
      String(ended),
    );
  }
});

/** Returns a session over one node, and the parts of a separate plan that the model requests. */
const newSession = (options) =>
  new GaslSession({
    graph: Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] }),
    ...options,
  });

test("a run next to a loop is not part of the loop, and continues when its limits are reached", async () => {
  const usage = { inputTokens: 60, outputTokens: 0 };
  const item = { items: [{ id: "f" }], provenance: [{ item: 0, input_id: "a" }] };
  const proposed = { plan_id: "p", why: "w", commands: ["FIND nodes AS n", "COUNT n AS c"] };
  let concurrent;
  const session = newSession({
    llm: async ({ task }) => {
      if (task === "process") return { json: item, usage };
      if (task === "evaluate") return { json: { complete: "one" }, usage };
      // While the loop waits for its plan, other callers ask the model and run commands.
      concurrent = [];
      for (let count = 0; count < 5; count += 1)
        concurrent.push(await session.execute('PROCESS x USING "?" AS y'));
      return { json: proposed, usage };
    },
  });
  await session.execute("FIND nodes AS x");
  const bounds = { maxCalls: 2, maxTokens: 150, maxSteps: 4 };
  const { status, answer, diagnostics } = await session.solve("How many?", bounds);
  assert.deepEqual(
    concurrent.map(({ status }) => status),
    Array(5).fill("success"),
  );
  assert.deepEqual([status, answer, diagnostics], ["complete", "one", []]);
});

test("a loop at its limits lets other callers ask the model", async () => {
  let concurrent;
  const session = newSession({
    llm: async ({ task }) => {
      if (task === "process")
        return { json: { items: [{ id: "f" }], provenance: [{ item: 0, input_id: "a" }] } };
      concurrent = session.execute('PROCESS x USING "?" AS y');
      await concurrent;
      return {
        json: { plan_id: "p", why: "w", commands: ["FIND nodes AS n", 'PROCESS n USING "!" AS z'] },
      };
    },
  });
  await session.execute("FIND nodes AS x");
  // Its only call is the pending one.
  const { status, plans } = await session.solve("Who?", { maxCalls: 1 });
  assert.equal((await concurrent).status, "success");
  assert.equal(status, "stopped");
  assert.equal(plans[0].records[1].errors[0].code, "GASL070");
});

test("a listener whose promise rejects stops the run, like one that throws", async () => {
  const llm = ({ task }) =>
    task === "plan"
      ? {
          json: {
            plan_id: "p",
            why: "w",
            commands: ["FIND nodes AS n", 'PROCESS n USING "?" AS m'],
          },
        }
      : { json: task === "process" ? { items: [{ id: "f" }] } : { complete: "done" } };
  const uncaught = [];
  const count = (reason) => uncaught.push(reason);
  process.on("unhandledRejection", count);
  const fail = async () => {
    throw new Error("the page could not show it");
  };
  for (const name of ["onStep", "onBatch", "onPlan"]) {
    const session = newSession({ llm, citations: "warn" });
    const solving = session.solve("Who?", { [name]: fail });
    await assert.rejects(solving, /the page could not show it/, name);
    // The session is free again.
    assert.equal((await session.solve("Who?")).status, "complete");
  }
  const session = newSession({ llm, citations: "warn" });
  const plan = { plan_id: "p", why: "w", commands: ["FIND nodes AS n", "COUNT n AS c"] };
  await assert.rejects(session.run(plan, { onStep: fail }), /the page could not show it/);
  // A pending promise that resolves is not awaited.
  const never = { onStep: () => new Promise(() => {}) };
  assert.equal((await session.run(plan, never)).status, "completed");
  await new Promise(setImmediate);
  process.off("unhandledRejection", count);
  assert.deepEqual(uncaught, []);
});

test("a listener that fails after the run is reported like any uncaught error", async () => {
  const session = newSession({});
  const plan = { plan_id: "p", why: "w", commands: ["FIND nodes AS n"] };
  let fail;
  const late = new Promise((_, reject) => {
    fail = reject;
  });
  const { error } = console;
  const logged = [];
  console.error = (...all) => logged.push(...all);
  try {
    assert.equal((await session.run(plan, { onStep: () => late })).status, "completed");
    fail(new Error("too late"));
    await new Promise(setImmediate);
  } finally {
    console.error = error;
  }
  assert.deepEqual(
    logged.map(({ message }) => message),
    ["too late"],
  );
});
