// The example `workflow-runner`: its process is killed, and another one continues the run.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { receiveAll } from "byname/messages";
import { startExample } from "./server.mjs";

let folder;
before(async () => {
  await init();
  folder = mkdtempSync(join(tmpdir(), "byname-runner-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const start = (name) =>
  startExample("workflow-runner", { env: { STATE: join(folder, name), WORK_MS: "40" } });

const act = async ({ url }, name) => {
  const body = JSON.stringify({ name });
  const { status } = await fetch(`${url}action`, { method: "POST", body });
  return status;
};

/** Follows the surface of a runner until it satisfies a condition; returns its status, steps and events. */
async function waitFor({ url }, isReached) {
  const surface = new Surface({ store: new HamStore({ extensions: { listEdits: true } }) });
  const stop = new AbortController();
  const read = () => {
    const { status, steps, events } = surface.store.toJSON();
    return {
      status,
      steps: Object.fromEntries(steps.map(({ name, state }) => [name, state])),
      events: events.map(({ text }) => text),
    };
  };
  let found;
  surface.store.onUpdate(() => {
    if (!surface.store.has("events") || !surface.store.has("root")) return;
    const current = read();
    if (found || !isReached(current)) return;
    found = current;
    stop.abort();
  });
  const { signal } = stop;
  await receiveAll(surface, fetch(`${url}events`, { signal }), { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
  assert.ok(found, "the events ended too early");
  return found;
}

const withoutDuration = (text) => text.replace(/ after \d+ ms/, "");

test("a run that is killed continues after its last checkpoint, and waits for an answer", async () => {
  const first = await start("killed");
  assert.equal(await act(first, "run"), 200);
  const before = await waitFor(first, ({ events }) =>
    events.some((text) => text.startsWith("rate item 1 finished")),
  );
  assert.equal(before.steps.read, "finished");
  assert.equal(await first.stop(), "");

  const second = await start("killed");
  try {
    const stored = await waitFor(second, () => true);
    assert.deepEqual([stored.status, stored.steps.read], ["stored", "finished"]);
    assert.equal(await act(second, "run"), 200);
    const paused = await waitFor(second, ({ status }) => status.startsWith("paused"));
    assert.equal(paused.status, "paused: 6 reviews, on average 3.3 of 5");
    // The first process has stored these calls.
    for (const call of ["read", "rate item 0"])
      assert.ok(!paused.events.includes(`${call} started`), `${call} ran twice`);
    const retry = "rate item 2 retried: `rate` (item 2: `bad`) failed: the service is busy";
    assert.ok(paused.events.map(withoutDuration).includes(retry), paused.events.join("\n"));
    assert.equal(paused.events.at(-1), "approve waiting");

    assert.equal(await act(second, "approve"), 200);
    const done = await waitFor(second, ({ status }) => status.startsWith("completed"));
    assert.equal(done.status, "completed: Published: 6 reviews, on average 3.3 of 5");
    assert.deepEqual([...new Set(Object.values(done.steps))], ["finished"]);
  } finally {
    assert.equal(await second.stop(), "");
  }
});

test("a run can be stopped, continued and reset", async () => {
  const runner = await start("stopped");
  try {
    assert.equal(await act(runner, "run"), 200);
    await waitFor(runner, ({ steps }) => steps.read === "finished");
    assert.equal(await act(runner, "stop"), 200);
    const stopped = await waitFor(runner, ({ status }) => status.startsWith("cancelled"));
    assert.equal(stopped.steps.sum, "not started");
    assert.equal(await act(runner, "run"), 200);
    const paused = await waitFor(runner, ({ status }) => status.startsWith("paused"));
    assert.equal(paused.events.filter((text) => text === "read started").length, 1);

    assert.equal(await act(runner, "reset"), 200);
    const reset = await waitFor(runner, () => true);
    assert.deepEqual([reset.status, reset.events], ["not started", []]);
    assert.equal(await act(runner, "toString"), 400);
  } finally {
    assert.equal(await runner.stop(), "");
  }
});
