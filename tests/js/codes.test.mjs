// Coverage of the codes: every code of this part has a case, or a test that is named here.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

/**
 * Codes without a case as data: see observing, hostile-size, messages, surfaces, dom-server,
 * gasl-backend, flow-hostile, catalog-fields, catalog and shown-values.
 */
const ELSEWHERE = [
  "JSON013",
  "JSON014",
  "JSON015",
  "HAM034",
  "HAM035",
  "HAM040",
  "HAM050",
  "GASL064",
  "TPL005",
  "CAT015",
  "CAT016",
  "CAT017",
];

/**
 * Codes that need a faulty host or an import. They are tested in gasl-hostile, gasl-commands,
 * gasl-pages, flow-resume, flow-fingerprints, flow-errors, flow-waiting, flow-import, flow-stepwise,
 * flow-stored and flow-stored-faults, and by the examples of the page.
 */
const BY_HOSTS = [
  "FLOW048",
  "FLOW052",
  "FLOW053",
  "FLOW056",
  "FLOW057",
  "FLOW058",
  "FLOW060",
  "FLOW070",
  "FLOW071",
  "FLOW072",
  "FLOW078",
  "FLOW079",
  "FLOW080",
  "FLOW081",
  "FLOW082",
  "FLOW088",
  "GASL040",
  "GASL043",
  "GASL044",
  "GASL045",
  "GASL056",
  "GASL064",
  "GASL071",
  "GASL165",
  "GASL166",
  "GASL170",
];

test("every code has a case", () => {
  const table = readFileSync(new URL("../../docs/diagnostic-codes.md", import.meta.url), "utf8");
  const codes = new Set(
    table.match(/^\| (?:JSON|HAM|CAT|GASL|TPL|FLOW)\d{3}/gm).map((line) => line.slice(2)),
  );
  assert.ok(codes.size > 40, `${codes.size} codes`);
  const folder = new URL("../cases/", import.meta.url);
  const cases = ["ham", "surface", "catalog", "graph", "gasl", "flow"].flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, folder))
      .filter((file) => file.endsWith(".json"))
      .map((file) => readFileSync(new URL(`${kind}/${file}`, folder), "utf8")),
  );
  const missing = [...codes].filter(
    (code) =>
      ![...ELSEWHERE, ...BY_HOSTS].includes(code) &&
      !cases.some((text) => text.includes(`"${code}"`) || text.includes(`"${code} /`)),
  );
  assert.deepEqual(missing, []);
});
