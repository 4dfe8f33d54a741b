// Rule 29: an interrupted session resumes after the last stored step.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { graph, memory, plan } from "./gasl-memory.mjs";

await init();

test("an interrupted plan resumes after the last stored step", async () => {
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
          // The page is closed: nothing is stored after this.
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

test("reversed edges of an undirected graph keep their orientation", async () => {
  const backend = memory();
  const undirected = () =>
    Graph.fromCsv({ nodes: "id\na\nb\nc", edges: "source,target\na,b\nb,c" });
  const text = plan("DECLARE log AS LIST", "FIND edges WHERE source = b AS e", "UPDATE log WITH e");
  let saves = 0;
  const first = new GaslSession({
    graph: undirected(),
    backend: {
      load: () => backend.load(),
      async save(state, options) {
        saves += 1;
        if (saves > 2) throw new Error("gone");
        return await backend.save(state, options);
      },
    },
  });
  await first.run(text);
  const second = new GaslSession({ graph: undirected(), backend });
  const { records } = await second.run(text);
  assert.deepEqual(
    records.map(({ command, errors }) => [command, errors ?? []]),
    [["UPDATE log WITH e", []]],
  );
  assert.deepEqual(second.variable("log"), [
    { id: "e0", source: "b", target: "a" },
    { id: "e1", source: "b", target: "c" },
  ]);
});

test("a plan that was interrupted inside a block resumes inside it", async () => {
  const backend = memory();
  const text = plan(
    "DECLARE log AS COUNTER",
    "FIND nodes AS x",
    "TRY",
    "SHOW absent",
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

/** Runs a plan in a session over a graph, until the page is closed after this number of saves. */
async function interruptedSession(graph, text, most) {
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

test("a resumed plan keeps the sources of paths and the snapshot before the block", async () => {
  const links = [{ source: "a", target: "b", source_id: "c1" }];
  const graph = () =>
    Graph.fromNodeLink({ directed: true, nodes: [{ id: "a" }, { id: "b" }], links });
  const text = plan(
    "DECLARE k AS LIST",
    "FIND paths AS p",
    "TRY",
    "UPDATE k WITH p",
    "SHOW absent",
    "CATCH ANY",
    "ASSERT ${error.snapshot} != ''",
    "END",
  );
  for (const most of [2, 3]) {
    const { backend, session } = await interruptedSession(graph(), text, most);
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

test("a plan that resumes over another graph reports the different rows", async () => {
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
  const { backend } = await interruptedSession(of("KNOWS"), text, 2);
  const second = new GaslSession({ graph: of("LIKES"), backend });
  const { diagnostics } = await second.resume();
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["GASL043", "GASL040"],
  );
  assert.match(diagnostics[1].message, /`e` has other rows/);
});

/** Plans with jumps between their steps. */
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
    "DECLARE later AS LIST",
  ],
  "nothing found, with a FINALLY": [
    "TRY",
    "FIND nodes WHERE t = z AS n",
    "FINALLY",
    "DECLARE one AS LIST",
    "DECLARE two AS LIST",
    "END",
    "DECLARE never AS LIST",
  ],
  cancelled: ["DECLARE one AS LIST", 'CANCEL PLAN "p"', "DECLARE never AS LIST"],
  "cancelled, with a FINALLY": [
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
    "DECLARE later AS LIST",
  ],
  "answered by the next line": [
    "FIND nodes WHERE t = z AS n",
    "ON EMPTY n THEN FIND nodes AS n",
    "DECLARE one AS LIST",
  ],
};

for (const [name, commands] of Object.entries(turning)) {
  test(`a plan that is interrupted at any save ends with the same result: ${name}`, async () => {
    const states = [];
    const backend = {
      load: async () => null,
      save: async (state) => {
        states.push(JSON.stringify(state));
        return { rev: String(states.length) };
      },
    };
    const firstSession = new GaslSession({ graph: graph(), backend });
    const { status } = await firstSession.run(plan(...commands));
    assert.ok(states.length > 1);
    // The last one is stored when the plan is over.
    assert.equal(await restored(states.at(-1)).resume(), null);
    for (const [nth, state] of states.slice(0, -1).entries()) {
      const session = restored(state);
      const resumed = await session.resume();
      assert.equal(resumed.status, status, `store ${nth}`);
      assert.equal(session.snapshot().hash, firstSession.snapshot().hash, `store ${nth}`);
    }
  });
}

const restored = (state) => new GaslSession({ graph: graph(), state: JSON.parse(state) });

/** Returns the states that a session stores while a plan runs. */
async function storedStates(text, llm) {
  const states = [];
  const save = async (state) => {
    states.push(JSON.stringify(state));
    return { rev: String(states.length) };
  };
  const backend = { load: async () => null, save };
  const options = { graph: graph(), llm, citations: "warn", caps: { max_excerpt_items: 1 } };
  const session = new GaslSession({ ...options, backend });
  const { records } = await session.run(text);
  return { states, records };
}

test("does not repeat a step that failed and was caught", async () => {
  for (const [lines, config] of [
    [["TRY", 'PROCESS x USING "?" AS y', "CATCH ANY", "DECLARE caught AS LIST", "END"], {}],
    [['PROCESS x USING "?" AS y', "DECLARE caught AS LIST"], { stop_on_error: false }],
    [['PROCESS x USING "?" AS y', "ON ERROR y THEN DECLARE caught AS LIST"], {}],
  ]) {
    const { states } = await storedStates({ ...plan("FIND nodes AS x", ...lines), config }, () =>
      Promise.reject(new Error("busy")),
    );
    const prompts = [];
    const afterTwoSteps = states.find((state) => JSON.parse(state).history.length === 2);
    const session = new GaslSession({
      graph: graph(),
      state: JSON.parse(afterTwoSteps),
      llm: (request) => prompts.push(request),
    });
    const { status, records } = await session.resume();
    assert.deepEqual(
      [status, records.length, prompts.length, session.variable("caught")],
      ["completed", 1, 0, []],
    );
  }
});

test("a resumed command repeats its earlier reports", async () => {
  let requestCount = 0;
  const llm = () => {
    requestCount += 1;
    const source = {
      item: 0,
      input_id: "ab"[(requestCount - 1) % 2],
      snippet: "x",
    };
    const reply = JSON.stringify({ items: [{ n: requestCount }], provenance: [source] });
    return requestCount === 1 ? `So: ${reply.replace("{", '{"items":1,')}` : reply;
  };
  const text = plan("FIND nodes AS x", 'PROCESS x USING "?" AS y');
  const { states, records } = await storedStates(text, llm);
  const errorsOf = ({ errors }) =>
    errors.map(({ code, message, location }) => [code, message, location]);
  const expected = errorsOf(records[1]);
  assert.deepEqual(
    expected.map(([code]) => code),
    ["JSON012", "GASL056", "GASL188", "GASL188", "GASL186"],
  );
  // The state after the first of two batches.
  const state = JSON.parse(states[1]);
  const options = { graph: graph(), llm, citations: "warn", caps: { max_excerpt_items: 1 } };
  const session = new GaslSession({ ...options, state });
  requestCount = 1;
  const resumed = await session.resume();
  const [first, ...others] = errorsOf(resumed.records[0]);
  assert.equal(first[0], "GASL043");
  assert.deepEqual(others, expected);
});

test("resumes a plan that was interrupted within its first step", async () => {
  const reply = { items: [{ n: 1 }] };
  const stored = { _meta: { type: "LIST" }, items: [{ id: "a" }, { id: "b" }] };
  const { backend } = await interruptedSession(graph(), plan("FIND nodes AS x", "COUNT x AS n"), 1);
  let requestCount = 0;
  const states = [];
  const another = new GaslSession({
    graph: graph(),
    state: { ...(await backend.load()).state, variables: { kept: stored } },
    backend: {
      load: async () => null,
      save: async (state) => {
        states.push(JSON.stringify(state));
        return { rev: "1" };
      },
    },
    llm: () => ({ json: reply }),
    citations: "warn",
    caps: { max_excerpt_items: 1 },
  });
  // This plan differs from the one that was interrupted before.
  await another.run({ ...plan('PROCESS kept USING "?" AS y'), plan_id: "second" });
  const session = new GaslSession({
    graph: graph(),
    state: JSON.parse(states[0]),
    llm: () => {
      requestCount += 1;
      return { json: reply };
    },
    citations: "warn",
  });
  const { plan_id, status, records } = await session.resume();
  assert.deepEqual(
    [plan_id, status, requestCount, records.map(({ command }) => command)],
    ["second", "completed", 1, ['PROCESS kept USING "?" AS y']],
  );
  assert.equal(session.variable("y").length, 2);
});
