// Row offsets with measured and unmeasured heights equal the sum of the heights before them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_ROW_HEIGHT, RowHeights } from "../../pkg/dom/virtual-list/row-heights.js";
import { Random } from "../random/random.mjs";

const near = (a, b) => Math.abs(a - b) < 1e-6;

test("offsets equal the sum of the heights of the preceding rows", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = new Random(seed);
    const heights = new RowHeights();
    const known = new Map();
    let rows = Array.from({ length: random.below(60) }, () => ({ place: 0 }));
    for (let step = 0; step < 20; step += 1) {
      for (let count = random.below(6); count > 0 && rows.length > 0; count -= 1) {
        const row = random.pick(rows);
        const height = random.below(90) + random.below(2) / 2;
        assert.equal(heights.record(row, height), height !== 0 && known.get(row) !== height);
        if (height !== 0) known.set(row, height);
      }
      rows = rows.filter(() => random.chance(0.95));
      if (rows.length > 2) rows.splice(0, 0, rows.pop());
      rows.splice(random.below(rows.length + 1), 0, { place: 0 });
      rows.forEach((row, place) => {
        row.place = place;
      });
      heights.rebuild(rows);
      for (const row of known.keys()) if (!rows.includes(row)) known.delete(row);
      const sum = [...known.values()].reduce((all, height) => all + height, 0);
      const average = known.size > 0 ? sum / known.size : DEFAULT_ROW_HEIGHT;
      for (let more = random.below(3); more > 0; more -= 1) rows.push({ place: rows.length });
      heights.setCount(rows.length);
      const tops = [0];
      for (const row of rows) tops.push(tops.at(-1) + (known.get(row) ?? average));
      tops.forEach((top, index) => {
        assert.ok(near(heights.offsetOf(index), top), `seed ${seed}, step ${step}, row ${index}`);
      });
      const [from, to] = heights.indexRange(tops.at(-1) / 3 + 0.01, tops.at(-1) / 2 + 0.01);
      const last = (position) =>
        Math.max(
          0,
          tops.slice(0, -1).findLastIndex((t) => t <= position),
        );
      assert.equal(from, last(tops.at(-1) / 3 + 0.01));
      assert.equal(to, last(tops.at(-1) / 2 + 0.01) + 1);
      assert.deepEqual(heights.indexRange(-9, tops.at(-1) + 9), [0, rows.length]);
    }
  }
});
