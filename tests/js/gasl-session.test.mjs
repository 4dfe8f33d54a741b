// Sessions that are stored and opened again, disposed of, or given what they cannot use.
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

test("what a session was set up with is kept in its state, and given again it gives way", () => {
  const { state } = new GaslSession({ graph, query: "Q", seed: 7, model: "m" });
  const restored = new GaslSession({ graph, state }).state;
  assert.deepEqual(
    [restored.query, restored.replay.seed, restored.config.llm.model],
    ["Q", 7, "m"],
  );
  const other = new GaslSession({ graph, state, query: "R", seed: 0, model: "n" }).state;
  assert.deepEqual([other.query, other.replay.seed, other.config.llm.model], ["R", 0, "n"]);
});

test("the question of a loop is that of the state, where none was given", async () => {
  const llm = () => "COMPLETE: yes";
  const one = new GaslSession({ graph, llm });
  await one.solve("is it so?");
  assert.equal(one.state.query, "is it so?");
  const two = new GaslSession({ graph, llm, query: "Q" });
  await two.solve("is it so?");
  assert.equal(two.state.query, "Q");
});

test("a plan that was interrupted goes on with the caps that it had set", async () => {
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
  const whole = new GaslSession({ graph, backend: { load: async () => null, save } });
  await whole.run({ plan_id: "p", why: "", commands });
  const expected = whole.variable("n");
  const stored = saved.find((state) => state.replay.commands.length === 2);
  const backend = { load: async () => ({ state: stored, rev: "1" }), save };
  const resumed = new GaslSession({ graph, backend });
  const result = await resumed.resume();
  assert.equal(result.status, "completed");
  assert.deepEqual(resumed.variable("n"), expected);
  // A session of its own has the usual caps.
  const fresh = new GaslSession({ graph, state: whole.state });
  await fresh.execute("FIND paths AS p");
  assert.ok(fresh.variable("p").length > 3);
});

test("a clock that answers no text is refused", async () => {
  for (const now of [() => 1, () => new Date(), () => ({}), () => null, () => undefined]) {
    assert.throws(() => new GaslSession({ graph, now }), { name: "BynameError", code: "argument" });
  }
});

test("what runs ends with its session", async () => {
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

test("of a reply only what a reply has is looked at", async () => {
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

test("an answer that stopped for length is told", async () => {
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

test("the last plan carries the bound that ended the loop, and every candidate is kept", async () => {
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

test("a loop that was stopped says why", async () => {
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

test("whatever runs something ends when its time is over", async () => {
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
  // What is quick enough has no timer left that would keep the process.
  assert.equal((await session.execute("FIND nodes AS w", { timeout: 1e9 })).status, "success");
});

test("a miss is told at its place, with the fields or the caps that there are", async () => {
  const session = new GaslSession({ graph, llm: () => "" });
  await session.execute("FIND nodes AS v");
  const fault = async (command) => (await session.execute(command)).errors[0];
  const using = await fault('PROCESS v USING "abc ${nope}" AS x');
  assert.deepEqual(using.location, { kind: "text", start: 16, end: 29 });
  const field = await fault("FIND nodes WHERE id IN ${v.tpe} AS q");
  assert.deepEqual([field.code, field.help], ["GASL030", "did you mean `type`?"]);
  for (const setting of ["adapter.caps.max_result", "max_results", "caps.max_results"]) {
    const { message, help } = await fault(`SET ${setting} = 5`);
    assert.match(message, /`max_path_length`.*`case_sensitive`/);
    assert.equal(help, "write `SET adapter.caps.max_results = 5`");
  }
});

test("a grammar writes names as the language reads them", async () => {
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

test("a first plan may declare a key and keep what it finds", async () => {
  let asked;
  const llm = (request) => {
    asked = request;
    return "COMPLETE: x";
  };
  await new GaslSession({ graph, llm }).solve("q");
  const matches = matcher(asked.grammar.gbnf);
  const planOf = (...commands) =>
    `{"plan_id": "p", "why": "w", "commands": [${commands.map((one) => JSON.stringify(one)).join(", ")}]}`;
  const found = 'FIND nodes WHERE name = "O\'Brien" AS found';
  assert.ok(matches(planOf("DECLARE people AS LIST", found, "UPDATE people WITH found")));
  assert.ok(matches(planOf("ANALYZE a.b USING 'why?' AS x")));
  assert.ok(matches('{"complete": "it is \\"so\\""}'));
  assert.ok(!matches(planOf("UPDATE people WITH ${found}")));
});

test("edges that are no list are told, and null is none", () => {
  const error = (key) => ({ nodes: [], [key]: 5 });
  for (const key of ["links", "edges"]) {
    assert.throws(
      () => Graph.fromNodeLink(error(key)),
      (fault) => {
        assert.ok(fault instanceof GaslError);
        assert.deepEqual(fault.diagnostics[0].location, { kind: "pointer", pointer: `/${key}` });
        return true;
      },
    );
    assert.equal(Graph.fromNodeLink({ nodes: [{ id: "a" }], [key]: null }).nodeCount, 1);
  }
});

test("a replay without a graph is misuse", async () => {
  const recording = new GaslSession({ graph }).recording();
  await assert.rejects(GaslSession.replay(recording, {}), BynameError);
});

test("`ask` tells what was odd about the graph", async () => {
  const odd = Graph.fromCsv({ nodes: "id,name\na,Smith, Ann\n", edges: "source,target\n" });
  const llm = () => ({ json: { plan_id: "p", why: "w", commands: [], complete: true } });
  const { diagnostics } = await ask("who is there?", { graph: odd, llm, maxPlans: 1 });
  assert.deepEqual(diagnostics[0], odd.diagnostics[0]);
  assert.match(diagnostics[0].help, /in double quotes/);
});

test("a reply is what it says, whatever else the result of a library holds", async () => {
  class Result {
    #text = "COMPLETE: nobody";
    response = new Map();
    raw = 1n;
    get text() {
      return this.#text;
    }
    get output() {
      throw new Error("there is none");
    }
  }
  for (const reply of [new Result(), { text: "COMPLETE: nobody", response: new Response("") }]) {
    const { status, answer } = await ask("who?", { graph, llm: () => reply });
    assert.deepEqual([status, answer], ["complete", "nobody"]);
  }
});

test("a clock that disposes of the session ends what runs", async () => {
  for (let after = 1; after < 6; after += 1) {
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked > after) session[Symbol.dispose]();
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

/** A session over one node, and the parts of a plan of its own that the model wants done. */
const counted = (options) =>
  new GaslSession({
    graph: Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] }),
    ...options,
  });

test("what runs beside a loop is none of the loop's, and goes on when its bounds are reached", async () => {
  const usage = { inputTokens: 60, outputTokens: 0 };
  const item = { items: [{ id: "f" }] };
  const wanted = { plan_id: "p", why: "w", commands: ["FIND nodes AS n", "COUNT n AS c"] };
  let beside;
  const session = counted({
    llm: async ({ task }) => {
      if (task === "process") return { json: item, usage };
      if (task === "evaluate") return { json: { complete: "one" }, usage };
      // While the loop waits for its plan, others ask the model and run commands.
      beside = [];
      for (let count = 0; count < 5; count += 1)
        beside.push(await session.execute('PROCESS x USING "?" AS y'));
      return { json: wanted, usage };
    },
  });
  await session.execute("FIND nodes AS x");
  const bounds = { maxCalls: 2, maxTokens: 150, maxSteps: 4 };
  const { status, answer, diagnostics } = await session.solve("How many?", bounds);
  assert.deepEqual(
    beside.map(({ status }) => status),
    Array(5).fill("success"),
  );
  assert.deepEqual([status, answer, diagnostics], ["complete", "one", []]);
});

test("a loop whose bounds are reached lets others ask", async () => {
  let beside;
  const session = counted({
    llm: async ({ task }) => {
      if (task === "process") return { json: { items: [{ id: "f" }] } };
      beside = session.execute('PROCESS x USING "?" AS y');
      await beside;
      return {
        json: { plan_id: "p", why: "w", commands: ["FIND nodes AS n", 'PROCESS n USING "!" AS z'] },
      };
    },
  });
  await session.execute("FIND nodes AS x");
  // Its only call is the one that it waits for.
  const { status, plans } = await session.solve("Who?", { maxCalls: 1 });
  assert.equal((await beside).status, "success");
  assert.equal(status, "stopped");
  assert.equal(plans[0].records[1].errors[0].code, "GASL070");
});

test("a listener whose promise rejects stops what it listens to, as one that throws does", async () => {
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
    const session = counted({ llm });
    const solving = session.solve("Who?", { [name]: fail });
    await assert.rejects(solving, /the page could not show it/, name);
    // The session is free again.
    assert.equal((await session.solve("Who?")).status, "complete");
  }
  const session = counted({ llm });
  const plan = { plan_id: "p", why: "w", commands: ["FIND nodes AS n", "COUNT n AS c"] };
  await assert.rejects(session.run(plan, { onStep: fail }), /the page could not show it/);
  // One that answers is not waited for.
  const never = { onStep: () => new Promise(() => {}) };
  assert.equal((await session.run(plan, never)).status, "completed");
  await new Promise(setImmediate);
  process.off("unhandledRejection", count);
  assert.deepEqual(uncaught, []);
});

test("a listener that fails when all is over is told like any error without a caller", async () => {
  const session = counted({});
  const plan = { plan_id: "p", why: "w", commands: ["FIND nodes AS n"] };
  let fail;
  const late = new Promise((_, reject) => {
    fail = reject;
  });
  const { error } = console;
  const told = [];
  console.error = (...all) => told.push(...all);
  try {
    assert.equal((await session.run(plan, { onStep: () => late })).status, "completed");
    fail(new Error("too late"));
    await new Promise(setImmediate);
  } finally {
    console.error = error;
  }
  assert.deepEqual(
    told.map(({ message }) => message),
    ["too late"],
  );
});
