// Runs the checks of the fuzz targets in JavaScript on the committed inputs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { check } from "../../fuzz/javascript/a2ui.mjs";

test("A2UI: translates the messages of the corpus like A2UI's own data model", () => {
  const folder = new URL("../../fuzz/corpus/a2ui/", import.meta.url);
  const files = readdirSync(folder);
  assert.ok(files.length > 50, `${files.length} inputs`);
  const behaviours = new Set();
  for (const file of files) {
    try {
      behaviours.add(check(readFileSync(new URL(file, folder))));
    } catch (error) {
      error.message += `\nthe input is fuzz/corpus/a2ui/${file}`;
      throw error;
    }
  }
  // If the generator ignored the inputs, all would have the same behaviour.
  assert.ok(behaviours.size > 40, `${behaviours.size} behaviours`);
});
