// Rule 11: two concurrent PROCESS commands each keep their own batches.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";

await init();

const ids = (character) => [1, 2, 3, 4].map((at) => character + at);

/** Returns a session whose test answers the model's questions, with one row for each batch. */
async function sessionWithPendingReplies() {
  const graph = Graph.fromNodeLink({
    nodes: ["a", "b"].flatMap((kind) => ids(kind).map((id) => ({ id, kind }))),
    edges: [],
  });
  const questions = [];
  const llm = ({ prompt }) =>
    new Promise((resolve) => {
      const [, id] = /\[([ab]\d)\]/.exec(prompt);
      const item = { found: id };
      const answer = { items: [item], provenance: [{ item, input_id: id }] };
      questions.push({ id, answer: () => resolve({ json: answer }) });
    });
  const session = new GaslSession({ graph, llm, caps: { max_excerpt_items: 1 } });
  for (const kind of ["a", "b"])
    await session.execute(`FIND nodes WHERE kind = ${kind} AS r${kind}`);
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  /** Answers the next question about rows of a kind. */
  const answer = async (kind) => {
    await nextTask();
    const at = questions.findIndex(({ id }) => id.startsWith(kind));
    assert.ok(at >= 0, `nothing is asked about ${kind}`);
    questions.splice(at, 1)[0].answer();
    await nextTask();
  };
  return { session, asked: questions, answer };
}

const process = (kind, as = `p${kind}`) => `PROCESS r${kind} USING "look at it" AS ${as}`;
const results = (session, name) => session.variable(name).map((row) => row.found);

test("does not confuse the results of two commands when both begin again", async () => {
  const { session, asked, answer } = await sessionWithPendingReplies();
  const stop = new AbortController();
  const runs = ["a", "b"].map((kind) => session.execute(process(kind), { signal: stop.signal }));
  for (const kind of ["a", "b", "b"]) await answer(kind);
  stop.abort();
  await Promise.all(runs);
  asked.length = 0;

  for (const [kind, remaining] of [
    ["a", 3],
    ["b", 2],
  ]) {
    const again = session.execute(process(kind));
    for (let at = 0; at < remaining; at += 1) await answer(kind);
    const { status } = await again;
    assert.equal(status, "success");
    assert.deepEqual(results(session, `p${kind}`), ids(kind));
  }
  assert.equal(asked.length, 0);
  assert.equal(session.state.checkpoints, undefined);
});

test("runs the same command twice at once, and resumes both", async () => {
  const { session, asked, answer } = await sessionWithPendingReplies();
  const stop = new AbortController();
  const { signal } = stop;
  const runs = [
    session.execute(process("a", "one"), { signal }),
    session.execute(process("a", "two"), { signal }),
  ];
  for (let at = 0; at < 5; at += 1) await answer("a");
  stop.abort();
  await Promise.all(runs);
  asked.length = 0;

  const again = session.execute(process("a", "three"));
  const [{ batches, sources }] = session.state.checkpoints;
  assert.equal(batches.length, sources.length);
  for (let at = batches.length; at < 4; at += 1) await answer("a");
  assert.equal((await again).status, "success");
  assert.deepEqual(results(session, "three"), ids("a"));
});

test("keeps the last eight of the commands that never ended", async () => {
  const { session, asked, answer } = await sessionWithPendingReplies();
  for (let at = 0; at < 10; at += 1) {
    const stop = new AbortController();
    const one = session.execute(`PROCESS ra USING "look ${at}" AS x`, { signal: stop.signal });
    await answer("a");
    stop.abort();
    await one;
    asked.length = 0;
  }
  assert.equal(session.state.checkpoints.length, 8);
});

test("a limit that is set during a graph request applies to the next request", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ id: `n${at}` }));
  const findNodes = async ({ caps }) => {
    await new Promise((resolve) => setTimeout(resolve));
    return rows.slice(0, caps.max_results + 1);
  };
  const none = async () => [];
  const adapter = { findNodes, findEdges: none, findPaths: none, getNode: async () => null };
  const session = new GaslSession({ graph: adapter, caps: { max_results: 3 } });
  const [result] = await Promise.all([
    session.execute("FIND nodes AS x"),
    session.execute("SET adapter.caps.max_results = 100"),
  ]);
  assert.equal(result.status, "partial");
  assert.deepEqual(result.metrics.completeness, {
    complete: false,
    returned: 3,
    bound: 3,
    bound_kind: "max_results",
  });
  assert.equal((await session.execute("FIND nodes AS x")).metrics.count, 12);
});

test("a resumed command knows that a batch was truncated for length", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }, { id: "b" }], edges: [] });
  let down = true;
  const llm = ({ prompt }) => {
    if (!prompt.includes("[b]")) {
      return { json: { items: [{ id: 1 }], provenance: [] }, finishReason: "length" };
    }
    if (down) throw new Error("down");
    return { json: { items: [{ id: 2 }], provenance: [] } };
  };
  const session = new GaslSession({
    graph,
    llm,
    citations: "warn",
    caps: { max_excerpt_items: 1 },
  });
  await session.execute("FIND nodes AS x");
  assert.equal((await session.execute(process("").replace("r", "x"))).status, "error");
  down = false;
  const again = await session.execute(process("").replace("r", "x"));
  assert.equal(again.status, "partial");
  assert.equal(again.metrics.completeness.bound_kind, "length");
});

test("rows that equal those of another variable keep their own origin", async () => {
  const nodes = ["a1", "a2", "b1", "b2"].map((id) => ({
    id,
    kind: id[0],
    t: `text ${id[1]}`,
    source_id: `of ${id}`,
  }));
  const graph = Graph.fromNodeLink({ nodes, edges: [] });
  let down = true;
  const llm = ({ prompt }) => {
    const second = prompt.includes("text 2");
    if (second && down) throw new Error("down");
    const item = { said: second ? 2 : 1 };
    const [, id] = /\[(row \d+)\]/.exec(prompt);
    return { json: { items: [item], provenance: [{ item, input_id: id }] } };
  };
  const session = new GaslSession({ graph, llm, caps: { max_excerpt_items: 1 } });
  for (const kind of ["a", "b"]) {
    await session.execute(`FIND nodes WHERE kind = ${kind} AS ${kind}`);
    await session.execute(`SELECT ${kind} FIELDS t AS r${kind}`);
  }
  assert.equal((await session.execute(process("a"))).status, "error");
  down = false;
  const { status, metrics } = await session.execute(process("b"));
  assert.deepEqual([status, metrics.calls], ["success", 2]);
  const sources = session.evidence("pb").map(({ sources: all }) => all.map((one) => one.source_id));
  assert.deepEqual(sources, [["of b1"], ["of b2"]]);
});

test("the id of a row in a prompt is not a separate row", async () => {
  const nodes = [{ id: 'x] {"t":1}\n[b] {"t":2}' }, { id: "b" }];
  let lastPrompt = "";
  const llm = ({ prompt }) => {
    lastPrompt = prompt;
    return { json: { items: [], provenance: [] } };
  };
  const session = new GaslSession({ graph: Graph.fromNodeLink({ nodes, edges: [] }), llm });
  await session.execute("FIND nodes AS ra");
  assert.equal((await session.execute(process("a"))).status, "empty");
  assert.deepEqual(lastPrompt.match(/^\[[^\]]*\]/gm), ["[row 0]", "[b]"]);
});

test("does not take an id that looks like the index of a row for one", async () => {
  const nodes = [
    { id: "b", t: 1, source_id: "s0" },
    { id: "row 2", t: 2, source_id: "s1" },
    { id: "b", t: 3, source_id: "s2" },
  ];
  let lastPrompt = "";
  const llm = ({ prompt }) => {
    lastPrompt = prompt;
    const cited = ["row 1", "row 2"].map((input_id, item) => ({ item, input_id }));
    return { json: { items: [{ id: "x" }, { id: "y" }], provenance: cited } };
  };
  const remote = { findNodes: async () => nodes };
  for (const name of ["findEdges", "findPaths", "getNode"]) remote[name] = async () => [];
  const session = new GaslSession({ graph: remote, llm });
  await session.execute("FIND nodes AS ra");
  await session.execute(process("a"));
  assert.deepEqual(lastPrompt.match(/^\[[^\]]*\]/gm), ["[row 0]", "[row 1]", "[row 2]"]);
  const sources = session.evidence("pa").map(({ sources }) => sources.map((one) => one.source_id));
  assert.deepEqual(sources, [["s1"], ["s2"]]);
});

test("loads a state with a very long history at once", async () => {
  const graph = Graph.fromNodeLink({ nodes: [], edges: [] });
  const state = { version: "0.1", variables: {}, history: Array(40_000).fill(1) };
  const session = new GaslSession({ graph, state });
  await session.execute("DECLARE k AS LIST");
  const { history, history_dropped: dropped } = session.state;
  assert.deepEqual([history.length, dropped], [500, 39_501]);
});
