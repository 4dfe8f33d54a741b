// Conformance vectors of A2UI. The table in docs/a2ui.md states the result of each suite; BLESS=1
// rewrites it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { init } from "byname";
import { hasVectors, resultTable } from "../a2ui/conformance.mjs";

const page = new URL("../../docs/a2ui.md", import.meta.url);
const BEGIN = "<!-- conformance: generated -->\n";
const END = "\n<!-- end -->";

await init();

test("docs/a2ui.md states the results of the conformance vectors", {
  skip: hasVectors ? false : "the folder of the vectors is missing",
}, async () => {
  const text = readFileSync(page, "utf8");
  const start = text.indexOf(BEGIN) + BEGIN.length;
  const end = text.indexOf(END, start);
  assert.ok(start >= BEGIN.length && end > start, "the page has no generated table");
  const table = await resultTable();
  if (process.env.BLESS) writeFileSync(page, text.slice(0, start) + table + text.slice(end));
  else assert.equal(text.slice(start, end), table);
});
