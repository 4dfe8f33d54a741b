// Random update sequences against the reference model: readings, rows, exports, and exactly the
// notifications that rule 27 asks for. The seeds are fixed; a failure names seed and step.

import test from "node:test";
import { HamStore, init } from "byname";
import { CaseFailure } from "../compare.mjs";
import { StorePair } from "../random/pair.mjs";
import { Random } from "../random/random.mjs";
import { step } from "../random/steps.mjs";
import { binding, crowd, crowdedList } from "../random/updates.mjs";

await init();

const OPTIONS = [{}, {}, { extensions: { listEdits: true } }, { repair: true }];

for (let seed = 1; seed <= 20; seed += 1) {
  test(`random updates, seed ${seed}`, () => {
    const random = new Random(seed);
    const pair = new StorePair(HamStore, {
      ...OPTIONS[seed % OPTIONS.length],
      limits: { undo: 40 },
    });
    const streams = [];
    const done = [];
    for (let count = 0; count < 25; count += 1) pair.subscribe(binding(random));
    for (let index = 0; index < 400; index += 1) {
      try {
        done.push(step(random, pair, streams));
        const what = `step ${index}: ${done.at(-1)}`;
        pair.compareCalls(what);
        pair.compareDocuments(random, what);
        if (index % 25 === 24) pair.compareRoundTrip(what);
      } catch (error) {
        const trace = done.slice(-6).join("\n  ");
        throw new CaseFailure(`seed ${seed}\n${error.stack}\nafter\n  ${trace}`);
      }
      if (random.chance(0.1)) churn(random, pair);
    }
  });
}

test("random lists whose item keys run into one another", () => {
  const random = new Random(50);
  const pair = new StorePair(HamStore, {});
  for (let index = 0; index < 1500; index += 1) {
    const update = random.chance(0.5) ? crowd(random) : { root: crowdedList(random) };
    const what = `step ${index}: ${JSON.stringify(update)}`;
    pair.runBoth((store) => store.apply(update), what);
    pair.compareRows(random, {}, what);
  }
});

/** One subscription ends, another begins. */
function churn(random, pair) {
  const [gone] = pair.logs.splice(random.below(pair.logs.length), 1);
  gone.stop();
  pair.subscribe(binding(random));
}
