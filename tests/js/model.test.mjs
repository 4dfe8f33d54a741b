// HAM cases with the reference model: cases and model check each other. The model has no
// diagnostics, so codes, helps, locations and check() are left out.

import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { ModelStore } from "../model.mjs";
import { runHamCase } from "../run-cases.mjs";

const folder = new URL("../cases/ham/", import.meta.url);
for (const file of readdirSync(folder).sort()) {
  const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  test(`model: ${file}`, async (t) => {
    for (const each of cases) {
      await t.test(each.name, () => runHamCase(withoutDiagnostics(each), { HamStore: ModelStore }));
    }
  });
}

function withoutDiagnostics(each) {
  const steps = each.steps
    ?.filter((step) => !Object.hasOwn(step, "check"))
    .map((step) => {
      if (typeof step.expect !== "object" || step.expect === null) return step;
      if (Array.isArray(step.expect) || hasPlainExpectation(step)) return step;
      const { codes: _codes, help: _help, location: _location, ...expect } = step.expect;
      return { ...step, expect };
    });
  return { ...each, steps };
}

/** Steps whose expectation is a value, not a description of a result. */
function hasPlainExpectation(step) {
  return ["get", "toJSON", "export", "diff", "diffStore"].some((name) => Object.hasOwn(step, name));
}
