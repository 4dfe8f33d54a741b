// Every case file through the public facade, in Node; those of HAM also through the smaller build.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import * as whole from "byname";
import * as ham from "byname/ham";
import { runHamCase, runSurfaceCase } from "../run-cases.mjs";
import { runGaslCase } from "../run-gasl-case.mjs";

await whole.init();
await ham.init();

const runs = [
  ["ham", runHamCase, whole],
  ["surface", runSurfaceCase, whole],
  ["gasl", runGaslCase, whole],
  ["ham", runHamCase, ham],
  ["surface", runSurfaceCase, ham],
];
for (const [kind, run, api] of runs) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    test(`${kind}/${file}${api === ham ? " in byname/ham" : ""}`, async (t) => {
      for (const each of cases) {
        // A case marked as known to fail must fail; otherwise the mark has to be removed.
        const check = () =>
          each.pending
            ? assert.rejects(async () => run(each, api), { name: "CaseFailure" }, each.pending)
            : run(each, api);
        await t.test(each.name, check);
      }
    });
  }
}
