// Reports of steps that a resumed run does not repeat: it reports their failures again.

import assert from "node:assert/strict";
import test from "node:test";
import { init } from "byname";
import { subflow } from "byname/flow";
import { memoryStorage } from "byname/storage";
import { codesOf, flowOf, never } from "../flow/make.mjs";

await init();

const copy = (value) => JSON.parse(JSON.stringify(value));

const batch = { items: ["good", "bad"], on_error: "continue" };
const inputs = { key: { secret: true, default: "" } };
const flow = flowOf(
  [
    ["get", "", "page", { batch, retry: { max_attempts: 2 } }],
    ["use", "page", "text", { params: { key: "$key" } }],
  ],
  { inputs, outputs: { text: {} } },
);

/** Returns functions whose first node fails for one item, and the number of its calls. */
function failingNodes(isReady) {
  const state = { calls: 0, isReady };
  const work = ({ id, item, inputs: { page } }) => {
    if (id === "get") {
      state.calls += 1;
      if (item === "bad") throw new Error("404 for s3cret");
      return { outputs: { page: item } };
    }
    if (!state.isReady) throw new Error("offline");
    return { outputs: { text: String(page) } };
  };
  return { state, nodes: { work } };
}

test("a resumed run reports the failed items of a finished batch", async () => {
  const given = { key: "s3cret" };
  const complete = await flow.run({ nodes: failingNodes(true).nodes, inputs: given });
  assert.deepEqual(codesOf(complete), ["FLOW059"]);
  assert.doesNotMatch(JSON.stringify(complete.diagnostics), /s3cret/);

  const { nodes, state } = failingNodes(false);
  const first = await flow.run({ nodes, inputs: given });
  assert.deepEqual([codesOf(first), state.calls], [["FLOW059", "FLOW040"], 3]);
  state.isReady = true;
  const resumed = await flow.run({ nodes, inputs: given, resume: copy(first.trace) });
  assert.deepEqual([resumed.status, state.calls], ["completed", 3]);
  assert.deepEqual(resumed.diagnostics, complete.diagnostics);
  assert.equal(resumed.trace.steps[0].attempts, 2);
});

test("the stored result of a resumed run has the failed items", async () => {
  const storage = memoryStorage();
  const { nodes, state } = failingNodes(false);
  const options = { nodes, storage, run: "r", inputs: { key: "s3cret" } };
  assert.equal((await flow.run(options)).status, "failed");
  state.isReady = true;
  for (const _ of [1, 2]) {
    const result = await flow.run(options);
    assert.deepEqual([result.status, codesOf(result)], ["completed", ["FLOW059"]]);
  }
});

test("a resumed batch has the reports and the attempts of its earlier items", async () => {
  const items = ["bad", "good", "slow"];
  const own = flowOf([
    ["get", "", "page", { batch: { ...batch, items }, retry: { max_attempts: 2 } }],
  ]);
  const stop = new AbortController();
  const run = (isStopped, resume) => {
    const work = async ({ item }) => {
      if (item === "bad") throw new Error("404");
      if (item === "slow" && isStopped) {
        stop.abort();
        return never();
      }
      return { outputs: { page: item } };
    };
    return own.run({ nodes: { work }, ...(isStopped && { signal: stop.signal }), resume });
  };
  const first = await run(true);
  assert.deepEqual([first.status, codesOf(first)[0]], ["cancelled", "FLOW059"]);
  const resumed = await run(false, copy(first.trace));
  assert.deepEqual([resumed.status, resumed.store.page], ["completed", [null, "good", "slow"]]);
  assert.deepEqual(codesOf(resumed), ["FLOW059"]);
  assert.match(resumed.diagnostics[0].message, /^`get` \(item 0: `bad`\) failed: 404/);
  assert.equal(resumed.trace.steps[0].attempts, 2);
});

test("a resumed run reports that an error edge was followed", async () => {
  const own = flowOf(
    [
      ["get", "", "page", { actions: ["default", "error"] }],
      ["stop", "", "text"],
      ["show", "", "other"],
    ],
    { edges: ["get stop error", "get show"] },
  );
  let isReady = true;
  const work = ({ id }) => {
    if (id === "get") throw new Error("503");
    if (!isReady) throw new Error("offline");
    return { outputs: { text: "no page" } };
  };
  const complete = await own.run({ nodes: { work } });
  assert.deepEqual(codesOf(complete), ["FLOW055"]);
  isReady = false;
  const first = await own.run({ nodes: { work } });
  assert.deepEqual(codesOf(first), ["FLOW055", "FLOW040"]);
  isReady = true;
  const resumed = await own.run({ nodes: { work }, resume: copy(first.trace) });
  assert.deepEqual(resumed.diagnostics, complete.diagnostics);
});

const errorEdge = [
  [
    ["get", "", "page", { actions: ["default", "error"] }],
    ["stop", "", "text"],
    ["show", "", "other"],
  ],
  { edges: ["get stop error", "get show"] },
];

test("a repeated report has the markers of its secrets, and escapes those of others", async () => {
  const own = flowOf(errorEdge[0], { ...errorEdge[1], inputs });
  let isReady = true;
  const work = ({ id }) => {
    if (id === "get") throw new Error("«secret:key» of s3cret");
    if (!isReady) throw new Error("offline");
    return { outputs: { text: "no page" } };
  };
  const given = { nodes: { work }, inputs: { key: "s3cret" } };
  const complete = await own.run(given);
  assert.match(complete.diagnostics[0].message, /«secret!:key» of «secret:key»:/);
  isReady = false;
  let { trace } = await own.run(given);
  trace = (await own.run({ ...given, resume: copy(trace) })).trace;
  isReady = true;
  const resumed = await own.run({ ...given, resume: copy(trace) });
  assert.deepEqual(resumed.diagnostics, complete.diagnostics);
});

test("a resumed run reports the failures in the workflow of a reused step", async () => {
  const text = "«secret:key» of s3cret";
  let isReady = false;
  const work = ({ id, item }) => {
    if (item === "bad" || id === "get") throw new Error(text);
    if (id === "list") return { outputs: { page: item } };
    if (id === "use" && !isReady) throw new Error("offline");
    return { outputs: { text: "done" } };
  };
  const edge = flowOf(...errorEdge);
  const list = flowOf([["list", "", "page", { batch }]]);
  const both = flowOf(
    [
      ["edge", "", "", { type: "edge" }],
      ["list", "", "", { type: "list" }],
    ],
    { inputs: { item: { default: "" } } },
  );
  for (const items of [undefined, ["x", "y"]]) {
    const outer = flowOf(
      [
        ["sub", "", "", { type: "both", ...(items && { batch: { items } }) }],
        ["use", "", "text"],
      ],
      { inputs },
    );
    const nodes = {
      work,
      both: subflow(both, { nodes: { edge: subflow(edge), list: subflow(list) } }),
    };
    const given = { nodes, inputs: { key: "s3cret" } };
    isReady = false;
    let { trace, diagnostics } = await outer.run(given);
    const expected = ["FLOW055", "FLOW059"];
    assert.deepEqual(diagnostics.map(({ code }) => code).sort(), ["FLOW040", ...expected].sort());
    trace = (await outer.run({ ...given, resume: copy(trace) })).trace;
    isReady = true;
    const resumed = await outer.run({ ...given, resume: copy(trace) });
    assert.deepEqual([resumed.status, codesOf(resumed)], ["completed", expected]);
    const messages = resumed.diagnostics.map(({ message }) => message);
    assert.deepEqual(messages, [
      "`sub/edge/get` failed: «secret!:key» of «secret:key»: the `error` edge of `sub/edge/get` is followed",
      "`sub/list/list` (item 1) failed: «secret!:key» of «secret:key»",
    ]);
    assert.deepEqual(
      resumed.diagnostics.map(({ location }) => location),
      diagnostics.filter(({ code }) => code !== "FLOW040").map(({ location }) => location),
    );
  }
});
