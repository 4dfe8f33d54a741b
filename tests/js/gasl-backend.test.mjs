// Rule 29: the state is stored after each successful step, at once or not at all, and a session
// that was interrupted goes on after the last step that was stored.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";

await init();

const graph = () =>
  Graph.fromNodeLink({
    nodes: [
      { id: "a", t: "x" },
      { id: "b", t: "y" },
    ],
    links: [],
  });

/** A backend in memory. What it is given is kept as text, as a file would keep it. */
function memory() {
  const kept = { text: null, rev: 0, saves: [], failing: false };
  return {
    kept,
    async load() {
      return kept.text === null ? null : { state: JSON.parse(kept.text), rev: String(kept.rev) };
    },
    async save(state, { expectedRev }) {
      if (kept.failing) throw new Error("disk full");
      if (expectedRev !== (kept.text === null ? null : String(kept.rev)))
        throw new Error("somebody else stored");
      kept.text = JSON.stringify(state);
      kept.rev += 1;
      kept.saves.push(state.history.length);
      return { rev: String(kept.rev) };
    },
  };
}

const plan = (...commands) => ({ plan_id: "p", why: "w", commands });

test("the state is stored after each successful step", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  await session.execute("DECLARE k AS LIST");
  await session.execute("FIND nodes AS x");
  assert.deepEqual(backend.kept.saves, [1, 2]);
  await session.execute("SHOW nobody");
  assert.deepEqual(backend.kept.saves, [1, 2]);
  await session.execute("UPDATE k WITH x");
  assert.equal(JSON.parse(backend.kept.text).variables.k.items.length, 2);
  assert.deepEqual(backend.kept.saves, [1, 2, 4]);
});

test("another session goes on with what was stored", async () => {
  const backend = memory();
  const first = new GaslSession({ graph: graph(), backend });
  await first.run(plan("DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"));
  const second = new GaslSession({ graph: graph(), backend });
  const record = await second.execute("COUNT k AS n");
  assert.deepEqual([record.status, record.step], ["success", 4]);
  assert.equal(second.variable("n"), 2);
  assert.equal(second.snapshot().hash, first.snapshot().hash);
});

test("a backend that fails is told, and the step stands", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  backend.kept.failing = true;
  const record = await session.execute("DECLARE k AS LIST");
  assert.equal(record.status, "success");
  assert.deepEqual(
    record.errors.map(({ code, help }) => [code, help.length > 0]),
    [["GASL064", true]],
  );
  const result = await session.run(plan("FIND nodes AS x", "UPDATE k WITH x"));
  assert.equal(result.status, "completed");
  assert.ok(result.diagnostics.some(({ code }) => code === "GASL064"));
  backend.kept.failing = false;
  await session.execute("SHOW k");
  assert.equal(JSON.parse(backend.kept.text).variables.k.items.length, 2);
});

test("two sessions do not overwrite each other", async () => {
  const backend = memory();
  const one = new GaslSession({ graph: graph(), backend });
  const other = new GaslSession({ graph: graph(), backend });
  await one.execute("DECLARE mine AS LIST");
  const { status } = await other.execute("DECLARE yours AS LIST");
  assert.equal(status, "success");
  const stored = JSON.parse(backend.kept.text).variables;
  assert.deepEqual(Object.keys(stored), ["mine", "yours"]);
});

test("a fork has what is stored, also where nothing has been loaded yet", async () => {
  const backend = memory();
  const first = new GaslSession({ graph: graph(), backend });
  for (const command of ["DECLARE k AS LIST", "FIND nodes AS x", "UPDATE k WITH x"])
    await first.execute(command);
  const saves = backend.kept.saves.length;
  const session = new GaslSession({ graph: graph(), backend });
  const fork = session.fork();
  await fork.execute("SELECT k FIELDS id AS ids");
  assert.deepEqual(fork.variable("ids"), [{ id: "a" }, { id: "b" }]);
  await fork.execute("DECLARE own AS COUNTER");
  assert.equal(backend.kept.saves.length, saves);
  // The session itself stores on from what it loads.
  assert.equal((await session.execute("DECLARE more AS LIST")).status, "success");
  assert.deepEqual(Object.keys(JSON.parse(backend.kept.text).variables), ["k", "more"]);
});

test("what runs side by side is stored one after the other", async () => {
  const backend = memory();
  const session = new GaslSession({ graph: graph(), backend });
  const names = ["a", "b", "c"];
  const records = await Promise.all(
    names.map((name) => session.execute(`DECLARE ${name} AS LIST`)),
  );
  assert.deepEqual(
    records.map(({ errors }) => errors),
    [undefined, undefined, undefined],
  );
  assert.deepEqual(Object.keys(JSON.parse(backend.kept.text).variables), names);
});

test("an abort does not wait for a backend that does not answer", async () => {
  const backend = memory();
  let answer;
  const slow = {
    load: backend.load,
    save: async (state, options) => {
      await new Promise((resolve) => {
        answer = resolve;
      });
      return await backend.save(state, options);
    },
  };
  const session = new GaslSession({ graph: graph(), backend: slow });
  const control = new AbortController();
  const { signal } = control;
  const running = session.run(plan("DECLARE k AS LIST", "FIND nodes AS x"), { signal });
  while (answer === undefined) await new Promise(setImmediate);
  const before = performance.now();
  control.abort();
  const { status, diagnostics } = await running;
  assert.ok(performance.now() - before < 1_000);
  assert.deepEqual([status, diagnostics.map(({ code }) => code)], ["cancelled", ["GASL064"]]);
  // What could not be waited for is stored all the same, once there is somebody who does it.
  for (const saves of [1, 2]) {
    answer();
    while (backend.kept.saves.length < saves) await new Promise(setImmediate);
  }
  const stored = JSON.parse(backend.kept.text);
  assert.deepEqual([Object.keys(stored.variables), stored.running], [["k"], undefined]);
  answer = undefined;
  const next = session.run(plan("COUNT k AS n"));
  while (answer === undefined) await new Promise(setImmediate);
  slow.save = backend.save;
  answer();
  assert.equal((await next).status, "completed");
});

test("what is stopped before the state is there says so, and does nothing with it", async () => {
  const stop = { signal: AbortSignal.abort(new Error("enough")) };
  for (const options of [stop, { timeout: 20 }]) {
    const kept = JSON.stringify({ declarations: {} });
    const backend = {
      // It has not come yet where there is a time to wait for.
      load: () => (options === stop ? Promise.resolve(null) : new Promise(() => {})),
      save: () => assert.fail(`${kept} is stored over`),
    };
    const session = new GaslSession({ graph: graph(), backend, llm: () => "COMPLETE: x" });
    const step = await session.execute("FIND nodes AS x", options);
    assert.deepEqual([step.status, step.errors[0].code], ["error", "GASL045"]);
    const commands = ["TRY", "DECLARE k AS LIST", "FINALLY", "FIND nodes AS x", "END"];
    const { status } = await session.run(plan(...commands), options);
    assert.equal(status, "cancelled");
    assert.equal((await session.solve("Who?", options)).status, "cancelled");
    assert.deepEqual([session.variable("x"), session.state.history], [undefined, []]);
    await assert.rejects(session.propose("Who?", options), /enough|no answer within 20 ms/);
  }
  // A state that cannot be loaded is no stop.
  const load = async () => {
    throw new Error("the disk is gone");
  };
  const broken = new GaslSession({ graph: graph(), backend: { load, save: load } });
  await assert.rejects(broken.execute("FIND nodes AS x"), /the disk is gone/);
  await assert.rejects(broken.execute("FIND nodes AS x", { timeout: 1000 }), /the disk is gone/);
});

test("a plan that was interrupted goes on after the last step that was stored", async () => {
  for (const stopAfter of [1, 2, 3, 4]) {
    const backend = memory();
    const text = plan(
      "DECLARE n AS COUNTER",
      "FIND nodes AS x",
      "UPDATE n WITH x",
      "UPDATE n WITH x",
      "COMPLETE: ${n} is not read here",
    );
    const stored = [];
    const first = new GaslSession({
      graph: graph(),
      backend: {
        load: () => backend.load(),
        async save(state, options) {
          // The page is closed: whatever comes later is not stored.
          if (stored.length >= stopAfter) throw new Error("gone");
          stored.push(state.history.length);
          return await backend.save(state, options);
        },
      },
    });
    await first.run(text);
    const second = new GaslSession({ graph: graph(), backend });
    const result = await second.run(text);
    assert.equal(result.status, "completed", JSON.stringify(result));
    assert.equal(result.records.length, 5 - stopAfter, JSON.stringify(result.records));
    assert.equal(second.variable("n"), 4, `stopped after ${stopAfter}`);
    assert.equal(second.snapshot().hash, first.snapshot().hash);
  }
});

test("a plan that was interrupted inside a block goes on inside it", async () => {
  const backend = memory();
  const text = plan(
    "DECLARE log AS COUNTER",
    "FIND nodes AS x",
    "TRY",
    "SHOW nobody",
    "CATCH ANY",
    "UPDATE log WITH x",
    "UPDATE log WITH x",
    "FINALLY",
    "UPDATE log WITH x",
    "END",
    "UPDATE log WITH x",
  );
  let saves = 0;
  const first = new GaslSession({
    graph: graph(),
    backend: {
      load: () => backend.load(),
      async save(state, options) {
        saves += 1;
        if (saves > 4) throw new Error("gone");
        return await backend.save(state, options);
      },
    },
  });
  await first.run(text);
  assert.equal(first.variable("log"), 8);
  const second = new GaslSession({ graph: graph(), backend });
  const result = await second.resume();
  assert.equal(result.status, "completed", JSON.stringify(result));
  assert.deepEqual(
    result.records.map(({ command }) => command),
    Array(3).fill("UPDATE log WITH x"),
  );
  assert.equal(second.variable("log"), 8);
  assert.equal(await second.resume(), null);
});

/** A session over a graph that runs a plan, until the page is closed after so many saves. */
async function interrupted(graph, text, most) {
  const backend = memory();
  let saves = 0;
  const save = async (state, options) => {
    saves += 1;
    if (saves > most) throw new Error("gone");
    return await backend.save(state, options);
  };
  const session = new GaslSession({ graph, backend: { load: () => backend.load(), save } });
  await session.run(text);
  return { backend, session };
}

test("a plan that goes on keeps the sources of paths and the snapshot before the block", async () => {
  const links = [{ source: "a", target: "b", source_id: "c1" }];
  const graph = () =>
    Graph.fromNodeLink({ directed: true, nodes: [{ id: "a" }, { id: "b" }], links });
  const text = plan(
    "DECLARE k AS LIST",
    "FIND paths AS p",
    "TRY",
    "UPDATE k WITH p",
    "SHOW nobody",
    "CATCH ANY",
    "ASSERT ${error.snapshot} != ''",
    "END",
  );
  for (const most of [2, 3]) {
    const { backend, session } = await interrupted(graph(), text, most);
    const second = new GaslSession({ graph: graph(), backend });
    const { status, diagnostics } = await second.resume();
    assert.equal(status, "completed");
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["GASL043"],
    );
    assert.deepEqual(second.evidence("k"), session.evidence("k"));
    assert.equal(second.evidence("k")[0].sources[0].step, 2);
  }
});

test("a plan that goes on over another graph says which rows are others", async () => {
  const of = (type) =>
    Graph.fromNodeLink({
      directed: true,
      nodes: [{ id: "a" }, { id: "b" }, { id: "c" }],
      links: [
        { source: "a", target: "b", type },
        { source: "b", target: "c" },
      ],
    });
  const text = plan("FIND nodes AS n", "FIND edges AS e", "COUNT e AS c");
  const { backend } = await interrupted(of("KNOWS"), text, 2);
  const second = new GaslSession({ graph: of("LIKES"), backend });
  const { diagnostics } = await second.resume();
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["GASL043", "GASL040"],
  );
  assert.match(diagnostics[1].message, /`e` holds other rows/);
});

/** Plans whose steps lead elsewhere than to the next. */
const turning = {
  "nothing found": ["FIND nodes WHERE t = z AS n", "DECLARE never AS LIST"],
  "nothing found, and caught": [
    "TRY",
    "FIND nodes WHERE t = z AS n",
    "DECLARE never AS LIST",
    "CATCH ANY",
    "DECLARE caught AS DICT",
    "ASSERT EXISTS error",
    "END",
    "DECLARE behind AS LIST",
  ],
  "nothing found, with something to clean up": [
    "TRY",
    "FIND nodes WHERE t = z AS n",
    "FINALLY",
    "DECLARE one AS LIST",
    "DECLARE two AS LIST",
    "END",
    "DECLARE never AS LIST",
  ],
  cancelled: ["DECLARE one AS LIST", 'CANCEL PLAN "p"', "DECLARE never AS LIST"],
  "cancelled, with something to clean up": [
    "TRY",
    'CANCEL PLAN "p"',
    "CATCH ANY",
    "DECLARE never AS LIST",
    "FINALLY",
    "DECLARE one AS LIST",
    "DECLARE two AS LIST",
    "END",
  ],
  failed: ["TRY", "SHOW nothing", "FINALLY", "DECLARE one AS LIST", "DECLARE two AS LIST", "END"],
  "failed, and caught": [
    "TRY",
    "SHOW nothing",
    "CATCH ANY",
    "DECLARE caught AS DICT",
    "ASSERT ${error.status} = binding_failure",
    "END",
    "DECLARE behind AS LIST",
  ],
  "answered by the next line": [
    "FIND nodes WHERE t = z AS n",
    "ON EMPTY n THEN FIND nodes AS n",
    "DECLARE one AS LIST",
  ],
};

for (const [name, commands] of Object.entries(turning)) {
  test(`a plan that is interrupted wherever it is stored ends as it would have: ${name}`, async () => {
    const states = [];
    const backend = {
      load: async () => null,
      save: async (state) => {
        states.push(JSON.stringify(state));
        return { rev: String(states.length) };
      },
    };
    const whole = new GaslSession({ graph: graph(), backend });
    const { status } = await whole.run(plan(...commands));
    assert.ok(states.length > 1);
    // The last one is stored when the plan is over.
    assert.equal(await restored(states.at(-1)).resume(), null);
    for (const [nth, state] of states.slice(0, -1).entries()) {
      const session = restored(state);
      const resumed = await session.resume();
      assert.equal(resumed.status, status, `store ${nth}`);
      assert.equal(session.snapshot().hash, whole.snapshot().hash, `store ${nth}`);
    }
  });
}

const restored = (state) => new GaslSession({ graph: graph(), state: JSON.parse(state) });

/** The states that a session stores while a plan runs. */
async function storedStates(text, llm) {
  const states = [];
  const save = async (state) => {
    states.push(JSON.stringify(state));
    return { rev: String(states.length) };
  };
  const backend = { load: async () => null, save };
  const session = new GaslSession({ graph: graph(), backend, llm, caps: { max_excerpt_items: 1 } });
  const { records } = await session.run(text);
  return { states, records };
}

test("a step that failed and was caught is not done again", async () => {
  for (const [lines, config] of [
    [["TRY", 'PROCESS x USING "?" AS y', "CATCH ANY", "DECLARE caught AS LIST", "END"], {}],
    [['PROCESS x USING "?" AS y', "DECLARE caught AS LIST"], { stop_on_error: false }],
    [['PROCESS x USING "?" AS y', "ON ERROR y THEN DECLARE caught AS LIST"], {}],
  ]) {
    const { states } = await storedStates({ ...plan("FIND nodes AS x", ...lines), config }, () =>
      Promise.reject(new Error("busy")),
    );
    const asked = [];
    const behind = states.find((state) => JSON.parse(state).history.length === 2);
    const session = new GaslSession({
      graph: graph(),
      state: JSON.parse(behind),
      llm: (request) => asked.push(request),
    });
    const { status, records } = await session.resume();
    assert.deepEqual(
      [status, records.length, asked.length, session.variable("caught")],
      ["completed", 1, 0, []],
    );
  }
});

test("work that goes on tells what it had told before", async () => {
  let asked = 0;
  const llm = () => {
    asked += 1;
    const said = { item: 0, input_id: "ab"[(asked - 1) % 2], snippet: "what nobody said" };
    const reply = JSON.stringify({ items: [{ n: asked }], provenance: [said] });
    return asked === 1 ? `So: ${reply.replace("{", '{"items":1,')}` : reply;
  };
  const text = plan("FIND nodes AS x", 'PROCESS x USING "?" AS y');
  const { states, records } = await storedStates(text, llm);
  const told = ({ errors }) =>
    errors.map(({ code, message, location }) => [code, message, location]);
  const whole = told(records[1]);
  assert.deepEqual(
    whole.map(([code]) => code),
    ["JSON012", "GASL056", "GASL057", "GASL057"],
  );
  // The state behind the first of two batches.
  const state = JSON.parse(states[1]);
  const session = new GaslSession({ graph: graph(), state, llm, caps: { max_excerpt_items: 1 } });
  asked = 1;
  const resumed = await session.resume();
  const [first, ...others] = told(resumed.records[0]);
  assert.equal(first[0], "GASL043");
  assert.deepEqual(others, whole);
});
