// Random update sequences on a surface: the tree is the model's, the changes rebuild it, and there
// are no more of them than rule 21 asks for. The seeds are fixed; a failure names seed and step.

import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { CaseFailure } from "../compare.mjs";
import { StorePair } from "../random/pair.mjs";
import { Random } from "../random/random.mjs";
import { components, SurfacePair } from "../random/screen.mjs";
import { step } from "../random/steps.mjs";

await init();

for (let seed = 101; seed <= 160; seed += 1) {
  test(`random updates of a surface, seed ${seed}`, () => {
    const random = new Random(seed);
    const pair = new StorePair(HamStore, { limits: { undo: 40 } });
    const screen = new SurfacePair(Surface, pair);
    pair.isSmall = (store) => screen.isSmall(store);
    const streams = [];
    const done = [];
    screen.receive(
      { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } },
      "create",
    );
    for (let index = 0; index < 250; index += 1) {
      try {
        const redefine = index === 0 || random.chance(0.04);
        done.push(redefine ? redefined(random, screen, index === 0) : step(random, pair, streams));
        if (!screen.isSmall()) emptied(pair, screen);
        screen.compare(`step ${index}: ${done.at(-1)}`);
      } catch (error) {
        const trace = done.slice(-6).join("\n  ");
        throw new CaseFailure(`seed ${seed}\n${error.stack}\nafter\n  ${trace}`);
      }
    }
  });
}

function redefined(random, screen, isFirst) {
  const all = components(random);
  const body = {
    surfaceId: "s",
    components: isFirst || random.chance(0.5) ? all : [random.pick(all)],
  };
  screen.receive({ version: "v0.9", updateComponents: body }, "updateComponents");
  return `updateComponents ${JSON.stringify(body)}`;
}

/** Takes back what made the tree grow out of hand. */
function emptied(pair, screen) {
  pair.runBoth((store) => store.apply({ l1: [], l2: [], root: {} }), "emptied");
  screen.skipStep();
}
