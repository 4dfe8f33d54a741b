// Long, deep and numerous inputs: they take time and memory in proportion.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph } from "byname";
import { wasmMemory } from "../../pkg/wasm.js";
import { listOf, plan, session } from "../gasl/twins.mjs";

test("diagnostics of a long text take linear time", () => {
  for (const chunk of [
    "a == 1 AND ",
    "a = 1 && ",
    "\nCOMPLETE",
    "😀",
    "${",
    "\u0001",
    "\\q",
    "'",
  ]) {
    const text = `FIND nodes WHERE ${chunk.repeat(60_000)}`;
    const start = process.cpuUsage();
    const { ok, diagnostics } = GaslSession.check(text);
    const { user } = process.cpuUsage(start);
    assert.equal(ok, false);
    assert.ok(diagnostics.length <= 101, `${diagnostics.length} diagnostics`);
    // Quadratic work would take minutes.
    assert.ok(user < 10_000_000, `${JSON.stringify(chunk)}: ${user / 1000} ms`);
  }
});

test("the time of a long command grows with its length", () => {
  const timeOf = (text) => {
    const start = process.cpuUsage();
    GaslSession.check(text);
    return process.cpuUsage(start).user;
  };
  const best = (text) => Math.min(timeOf(text), timeOf(text));
  for (const [before, chunk] of [
    ["FIND nodes WHERE a = ", "${"],
    ["FIND nodes WHERE ", "a = b OR "],
    ["FIND nodes WHERE a = b OR ", "c OR "],
    ["FIND edges WHERE a = 1 AND ", "source.a = target.a AND "],
    ["FIND nodes WHERE id IN [", "a, "],
    ["SELECT rows FIELDS ", "a, "],
    ["WALK FROM rows FOLLOW ", "a = b AND "],
  ]) {
    const ofLength = (length) => before + chunk.repeat((length - before.length) / chunk.length);
    const [short, long] = [ofLength(2 ** 16), ofLength(2 ** 20)];
    // Sixteen times the length takes 256 times as long if the work is quadratic.
    const isLinear = () => best(long) < Math.max(best(short), 4_000) * 64;
    assert.ok(isLinear() || isLinear() || isLinear(), JSON.stringify(chunk));
  }
});

test("joined rows with counts have at most a hundred sources of each side", async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `n${at},c${at % 5},chunk-${at}`);
  const nodes = `id,city,source_id\n${lines.join("\n")}\n`;
  const graphOfNodes = Graph.fromCsv({ nodes, edges: "source,target\n" });
  const one = new GaslSession({ graph: graphOfNodes });
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
    per_city_city: "c2",
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
  // All sources of a city for each of its rows took minutes, and exhausted the memory.
  assert.ok(user + system < 30_000_000, `${user + system} µs`);
  one[Symbol.dispose]();
  graphOfNodes[Symbol.dispose]();
});

test("frees rows of results that no variable refers to", async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `n${at},name ${at}`);
  const graphOfNodes = Graph.fromCsv({
    nodes: `id,name\n${lines.join("\n")}\n`,
    edges: "source,target\n",
  });
  const one = new GaslSession({ graph: graphOfNodes });
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
  graphOfNodes[Symbol.dispose]();
});

test("tests IN over a long list without a match quickly", async () => {
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

test("ten thousand commands have limited memory", async () => {
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

test("loads long and deep states", async () => {
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
