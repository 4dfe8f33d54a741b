// Graphs, sessions and flows in a worker thread of Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as byname from "byname";
import { subflow, suspend } from "byname/flow";
import * as storage from "byname/storage";
import { behaviours } from "../worker-behaviour.mjs";

// The module gets the class of the threads when it is loaded.
const threads = createRequire(import.meta.url)("node:worker_threads");
const started = [];
threads.Worker = class extends threads.Worker {
  constructor(...options) {
    super(...options);
    started.push(this);
  }
};
syncBuiltinESMExports();
const { openWorker, WorkerError } = await import("byname/worker");

await byname.init();
const folder = mkdtempSync(join(tmpdir(), "byname-worker-"));
const remote = await openWorker();
after(async () => {
  await remote.close();
  rmSync(folder, { recursive: true });
});

for (const [name, run] of Object.entries(behaviours)) {
  test(name, () =>
    run({
      remote,
      openWorker,
      byname: { ...byname, ...storage, suspend },
      openStorage: () => storage.fileStorage(join(folder, "state")),
    }),
  );
}

test("a worker that ends rejects everything pending", async () => {
  const own = await openWorker();
  const graph = await own.Graph.fromCsv({ edges: "source,target\na,b" });
  const session = new own.GaslSession({
    graph,
    llm: () => {
      started.at(-1).terminate();
      return new Promise(() => {});
    },
  });
  for (const call of [() => session.solve("q"), () => graph.summary(), () => session.state]) {
    const error = await call().then(assert.fail, (reason) => reason);
    assert.ok(error instanceof WorkerError && error instanceof byname.BynameError);
    assert.deepEqual([error.code, error.reason], ["disposed", "ended"]);
  }
});

test("a worker that cannot start is a typed error", async () => {
  const error = await openWorker({ wasm: "file:///none" }).then(assert.fail, (reason) => reason);
  assert.equal(error.code, "argument");
  assert.match(error.message, /expected `wasm` to be a URL or a WebAssembly.Module/);
});

test("an idle worker does not keep the process running, a busy one does", () => {
  const url = new URL("../../pkg/worker.node.js", import.meta.url).href;
  const script = `
    import { openWorker } from ${JSON.stringify(url)};
    const { Graph, GaslSession } = await openWorker();
    const graph = await Graph.fromCsv({ edges: "source,target\\na,b" });
    new GaslSession({ graph }).execute("FIND nodes AS x").then(({ status }) => console.log(status));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", script],
    { encoding: "utf8", timeout: 60_000 },
  );
  assert.deepEqual([stdout, stderr, status], ["success\n", "", 0]);
});

test("a flow of a worker refuses what answers at once", async () => {
  const registry = { load: {} };
  const nodes = [{ id: "load", type: "load", outputs: ["rows"] }];
  const { flow } = await remote.compileFlow({ nodes }, registry);
  for (const name of ["begin", "reveal"]) {
    assert.throws(
      () => flow[name]({}),
      ({ code, message }) => code === "argument" && /`compileFlow` of the page/.test(message),
    );
  }
  const { flow: child } = byname.compileFlow({ nodes }, registry);
  await assert.rejects(
    async () => flow.run({ nodes: { load: subflow(child) } }),
    ({ code, message }) => code === "argument" && /found a `subflow`/.test(message),
  );
});
