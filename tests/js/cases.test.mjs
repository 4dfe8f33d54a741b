// Every case file through the public facade, in Node.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { GaslSession, Graph, HamStore, init, Surface } from "byname";
import { runHamCase, runSurfaceCase } from "../run-cases.mjs";
import { runGaslCase } from "../run-gasl-case.mjs";

await init();

const kinds = { ham: runHamCase, surface: runSurfaceCase, gasl: runGaslCase };
const api = { GaslSession, Graph, HamStore, Surface };
for (const [kind, run] of Object.entries(kinds)) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    test(`${kind}/${file}`, async (t) => {
      for (const each of cases) {
        // What is known not to work yet must fail, or the mark has to go.
        const check = () =>
          each.pending
            ? assert.rejects(async () => run(each, api), { name: "CaseFailure" }, each.pending)
            : run(each, api);
        await t.test(each.name, check);
      }
    });
  }
}
