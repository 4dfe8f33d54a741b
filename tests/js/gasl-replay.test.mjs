// Replays: they repeat everything in the recorded order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GaslError, GaslSession, Graph } from "byname";

const people = Array.from({ length: 8 }, (_, index) => ({ id: `n${index}` }));
const graph = Graph.fromNodeLink({ nodes: people, links: [] });
const plan = (...commands) => ({ plan_id: "p", why: "", commands });
const replyWith = (id) => ({
  json: { items: [{ id }], provenance: [{ item: 0, input_id: "n0" }] },
});

/** Returns a model whose replies are resolved later, by the index of the question. */
function deferredModel() {
  const resolvers = [];
  const llm = () => new Promise((resolve) => resolvers.push(resolve));
  const until = async (count) => {
    while (resolvers.length < count) await new Promise(setImmediate);
  };
  return { resolvers, llm, until };
}

async function expectEqualReplay(session) {
  const recording = JSON.parse(JSON.stringify(session.recording()));
  const again = await GaslSession.replay(recording, { graph });
  assert.equal(again.snapshot().hash, session.snapshot().hash);
  return again;
}

test("a run that is cancelled within a block runs its FINALLY in the replay", async () => {
  const control = new AbortController();
  const llm = () => {
    control.abort();
    return new Promise(() => {});
  };
  const session = new GaslSession({ graph, llm });
  const { status } = await session.run(
    plan(
      "DECLARE n AS COUNTER",
      "FIND nodes AS x",
      "TRY",
      'PROCESS x USING "q" AS y',
      "FINALLY",
      "UPDATE n WITH x",
      "END",
    ),
    { signal: control.signal },
  );
  assert.deepEqual([status, session.variable("n")], ["cancelled", 8]);
  assert.equal((await expectEqualReplay(session)).variable("n"), 8);
});

test("answers two equal questions in their recorded order", async () => {
  const { resolvers, llm, until } = deferredModel();
  const session = new GaslSession({ graph, llm });
  for (const command of ["DECLARE a AS LIST", "DECLARE b AS LIST", "FIND nodes LIMIT 1 AS x"]) {
    await session.execute(command);
  }
  const first = session.execute('PROCESS x USING "q" AS one');
  const second = session.execute('PROCESS x USING "q" AS two');
  await until(2);
  resolvers[1](replyWith("second"));
  await second;
  resolvers[0](replyWith("first"));
  await first;
  await session.execute("UPDATE a WITH one");
  await session.execute("UPDATE b WITH two");
  assert.deepEqual(session.variable("a"), [{ id: "first" }]);
  await expectEqualReplay(session);
});

test("ends two commands next to a plan in their recorded order", async () => {
  const { resolvers, llm, until } = deferredModel();
  const session = new GaslSession({ graph, llm });
  const running = session.run(
    plan(
      "DECLARE k AS LIST",
      "FIND nodes LIMIT 1 AS x",
      'PROCESS x USING "plan" AS y',
      "UPDATE k WITH y",
    ),
  );
  await until(1);
  const runs = ["a", "b"].map(async (name) => {
    await session.execute(`PROCESS x USING "${name}" AS ${name}`);
    await session.execute(`UPDATE k WITH ${name}`);
  });
  await until(3);
  resolvers[2](replyWith("b"));
  await runs[1];
  resolvers[1](replyWith("a"));
  await runs[0];
  resolvers[0](replyWith("plan"));
  await running;
  const ids = session.variable("k").map(({ id }) => id);
  assert.deepEqual(ids, ["b", "a", "plan"]);
  await expectEqualReplay(session);
});

test("keeps pending commands of a recording or a fork pending in a replay", async () => {
  const { resolvers, llm, until } = deferredModel();
  const session = new GaslSession({ graph, llm });
  const commands = ["DECLARE k AS LIST", "FIND nodes AS x", 'PROCESS x USING "q" AS y'];
  const running = session.run(plan(...commands, "UPDATE k WITH y"));
  await until(1);
  const fork = session.fork();
  await fork.run(plan("FIND nodes LIMIT 2 AS x", "UPDATE k WITH x"));
  assert.equal((await expectEqualReplay(fork)).variable("k").length, 2);
  const replayed = await expectEqualReplay(session);
  assert.equal((await replayed.run(plan("FIND nodes AS z"))).status, "completed");
  resolvers[0](replyWith("n"));
  await running;
  await expectEqualReplay(session);
});

test("replays with a backend, and with a model that is asked for its plan", async () => {
  const reply = { plan: ["FIND nodes AS x"], confidence: 1, rationale: "r" };
  const replies = [
    { json: { decision: "continue", next_actions: [reply] } },
    { json: { plan_id: "a", why: "", commands: ["DECLARE n AS COUNTER", "FIND nodes AS x"] } },
    "COMPLETE: done",
  ];
  let rev = 0;
  const save = async () => {
    rev += 1;
    return { rev: String(rev) };
  };
  const backend = { load: async () => null, save };
  const session = new GaslSession({ graph, llm: () => replies.shift(), backend });
  await session.propose("q");
  await session.execute("SHOW nothing", { signal: AbortSignal.abort() });
  assert.equal((await session.solve("q")).answer, "done");
  await expectEqualReplay(session);
  const control = new AbortController();
  const aborting = plan("FIND nodes AS x", "UPDATE n WITH x", "UPDATE n WITH x");
  let steps = 0;
  const onStep = () => {
    steps += 1;
    if (steps === 2) control.abort();
  };
  const { status } = await session.run(aborting, { signal: control.signal, onStep });
  assert.deepEqual([status, session.variable("n")], ["cancelled", 8]);
  await expectEqualReplay(session);
});

test("replays over another graph as far as there are replies", async () => {
  const llm = () => replyWith("n0");
  const session = new GaslSession({ graph, llm, caps: { max_excerpt_items: 8 } });
  await session.execute("FIND nodes AS x");
  await session.execute('PROCESS x USING "q" AS y');
  const more = Graph.fromNodeLink({ nodes: [...people, { id: "n8" }], links: [] });
  await assert.rejects(GaslSession.replay(session.recording(), { graph: more }), (error) => {
    assert.ok(error instanceof GaslError);
    assert.deepEqual(
      error.diagnostics.map(({ code }) => code),
      ["GASL060"],
    );
    return true;
  });
  const loose = await GaslSession.replay(session.recording(), { graph: more, strict: false });
  assert.equal(loose.variable("x").length, 9);
});

test("reports a question without a reply once, though its plan reports it as well", async () => {
  const session = new GaslSession({ graph, llm: () => '{"plan_id": "p", "commands": []}' });
  await session.solve("Who?");
  const more = Graph.fromNodeLink({ nodes: [...people, { id: "n8" }], links: [] });
  await assert.rejects(GaslSession.replay(session.recording(), { graph: more }), (error) => {
    const missed = error.diagnostics.filter(({ code }) => code === "GASL060");
    assert.equal(missed.length, 1);
    return true;
  });
});

test("reports two questions without a reply, though they begin alike", async () => {
  const session = new GaslSession({ graph, llm: () => replyWith("n0") });
  const commands = [
    "FIND nodes AS x",
    'PROCESS x USING "which of these are of the kind that is asked for" AS y',
    'PROCESS x USING "which of these are of the kind that is asked for, again" AS z',
  ];
  await session.run({ plan_id: "p", why: "w", commands, config: { stop_on_error: false } });
  const more = Graph.fromNodeLink({ nodes: [...people, { id: "n8" }], links: [] });
  await assert.rejects(GaslSession.replay(session.recording(), { graph: more }), (error) => {
    const missed = error.diagnostics.filter(({ code }) => code === "GASL060");
    assert.equal(missed.length, 2);
    return true;
  });
});

test("an interrupted plan is not part of a fork, nor of its replay", async () => {
  const four = plan(
    "DECLARE n AS COUNTER",
    "FIND nodes AS x",
    "UPDATE n WITH x",
    "UPDATE n WITH x",
  );
  let stored = null;
  let rev = 0;
  const backend = {
    load: async () => null,
    save: async (state) => {
      stored = structuredClone(state);
      rev += 1;
      return { rev: String(rev) };
    },
  };
  let steps = 0;
  let interrupted;
  const onStep = () => {
    steps += 1;
    if (steps === 4) interrupted = stored;
  };
  await new GaslSession({ graph, backend }).run(four, { onStep });
  assert.ok(interrupted.running);
  const fork = new GaslSession({ graph, state: interrupted }).fork();
  await fork.run(four);
  await expectEqualReplay(fork);
});

test("replays a fork from before the stored records", async () => {
  const session = new GaslSession({ graph, llm: () => "COMPLETE: yes" });
  await session.execute("DECLARE k AS LIST");
  const { hash } = session.snapshot();
  for (let at = 0; at < 510; at += 1) await session.execute("FIND nodes AS x");
  const fork = session.fork(hash);
  await fork.execute("FIND nodes AS y");
  assert.equal((await fork.solve("q?")).status, "complete");
  const again = await expectEqualReplay(fork);
  const { history, history_dropped: dropped } = fork.state;
  assert.deepEqual([history.map(({ step }) => step), dropped], [[2], 1]);
  assert.equal(again.state.history.at(-1).step, 2);
});

test("questions to a model do not depend on whether the state could be stored", async () => {
  let saves = 0;
  let stored = null;
  const backend = {
    load: async () => stored,
    save: async (state) => {
      saves += 1;
      // Each save is repeated once.
      if (saves === 2 || saves === 3) throw new Error("quota");
      stored = { state, rev: String(saves) };
      return stored;
    },
  };
  const commands = ["FIND nodes AS x", "DECLARE k AS LIST", "UPDATE k WITH x"];
  const replies = [{ json: plan(...commands) }, "COMPLETE: done"];
  const session = new GaslSession({ graph, backend, llm: () => replies.shift() });
  const { status, plans } = await session.solve("q?");
  assert.equal(status, "complete");
  assert.deepEqual(
    plans[0].diagnostics.map(({ code }) => code),
    ["GASL064"],
  );
  await expectEqualReplay(session);
});
