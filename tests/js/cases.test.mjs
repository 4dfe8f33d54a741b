// Every case file through the public facade, in Node.

import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { runHamCase, runSurfaceCase } from "../run-cases.mjs";

await init();

const kinds = { ham: runHamCase, surface: runSurfaceCase };
for (const [kind, run] of Object.entries(kinds)) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    test(`${kind}/${file}`, async (t) => {
      for (const each of cases) await t.test(each.name, () => run(each, { HamStore, Surface }));
    });
  }
}
