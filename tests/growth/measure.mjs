// Measures the work of constructs at several sizes. Import this before `byname`: it loads a module with a counter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes } from "../../pkg/byname_bg.inline.js";
import { initSync } from "../../pkg/wasm.js";
import { COUNTER, withCounter } from "./instrument-wasm.mjs";

const { Instance } = WebAssembly;
let counter;

function load() {
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, given) {
      const instance = new target(...given);
      counter = instance.exports[COUNTER];
      return instance;
    },
  });
  initSync(withCounter(bytes));
  WebAssembly.Instance = Instance;
}

load();

/** Returns the units of work of a task: in WebAssembly, and in JavaScript if `--import` counts it. */
export async function countWork(task) {
  const [before, ticks] = [counter.value, globalThis.growthTicks ?? 0];
  await task();
  return Number(counter.value - before) + (globalThis.growthTicks ?? 0) - ticks;
}

/** Sizes of a construct. Small constants of quadratic work are found at the third. */
const SIZES = [400, 1_600, 6_400];

/** Permitted growth from a size to four times of it: that of n log n, and a sixth for steps of memory. */
function permitted(size) {
  return ((4 * Math.log2(4 * size)) / Math.log2(size)) * 1.15;
}

/**
 * Declares a test for each construct: `[name, prepare]`, where `prepare(size)` returns the task that is measured.
 * `scale` divides the sizes of constructs that need a lot of work.
 */
export function testGrowth(language, constructs) {
  for (const [name, prepare, scale = 1] of constructs) {
    test(`${language}: ${name}`, async () => {
      const sizes = SIZES.map((size) => size / scale);
      const work = [];
      // The first one includes the work that is done once.
      for (const size of [4, 4, ...sizes]) work.push(await countWork(await prepare(size)));
      const least = work[1];
      const [small, middle, large] = work.slice(2).map((units) => units - least);
      const text = `${least} units for 4, then ${work.slice(2).join(", ")} for ${sizes.join(", ")}`;
      assert.ok(work[2] > 0, "nothing is counted");
      const growth = [
        middle / Math.max(small, sizes[0] * 8),
        large / Math.max(middle, sizes[1] * 8),
      ];
      if (process.env.GROWTH)
        console.log(`${language}: ${name}: ${growth.map((g) => g.toFixed(1))}`);
      assert.ok(growth[0] <= permitted(sizes[0]), text);
      assert.ok(growth[1] <= permitted(sizes[1]), text);
    });
  }
}

/** Returns `part(index)` for each index below `count`. */
export const times = (count, part) => Array.from({ length: count }, (_, index) => part(index));

/** Returns a text of `part(index)` for each index below `count`. */
export const each = (count, between, part) => times(count, part).join(between);

/** Returns an object with `entry(index)` for each index below `count`. */
export const objectOf = (count, entry) => Object.fromEntries(times(count, entry));
