// Prefetch of `init` in an idle page, before the first message.
import assert from "node:assert/strict";
import { test } from "node:test";

test("an idle page renders a few rows off screen, once", async () => {
  const idle = [];
  globalThis.requestIdleCallback = (run) => idle.push(run);
  const { init, Surface } = await import("byname");
  await init();
  await init();
  assert.equal(idle.length, 1);

  const { receive } = Surface.prototype;
  const results = [];
  let rows;
  Surface.prototype.receive = function (message) {
    const result = receive.call(this, message);
    results.push(result);
    rows = this.tree()?.children.map(({ props }) => props.t);
    return result;
  };
  try {
    idle[0]();
  } finally {
    Surface.prototype.receive = receive;
  }
  const fine = { ok: true, diagnostics: [] };
  assert.deepEqual(results, [fine, fine, fine]);
  assert.deepEqual(rows, [1, 2, "é"]);
});
