// Every case of tests/cases/flow through the public facade, in Node. With BLESS=1 the expected
// results are rewritten: the diff is the change of behaviour.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import * as byname from "byname";
import { format } from "../flow/format.mjs";
import { blessFlowCase, runFlowCase } from "../run-flow-case.mjs";

await byname.init();

const folder = new URL("../cases/flow/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
for (const file of files.sort()) {
  const url = new URL(file, folder);
  const cases = JSON.parse(readFileSync(url, "utf8"));
  test(`flow/${file}`, async (t) => {
    for (const each of cases) {
      // A case marked as known to fail must fail; otherwise the mark has to be removed.
      const check = () =>
        each.pending
          ? assert.rejects(runFlowCase(each, byname), { name: "CaseFailure" }, each.pending)
          : runFlowCase(each, byname);
      if (process.env.BLESS && !each.pending) await blessFlowCase(each, byname);
      await t.test(each.name, check);
    }
    if (process.env.BLESS) writeFileSync(url, `${format(cases)}\n`);
  });
}
