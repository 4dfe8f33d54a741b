// Renders the 50 example surfaces of A2UI v0.9 with @a2ui/lit and, translated, with byname. Texts,
// inputs, pictures and buttons must be equal, except for the listed differences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleFiles } from "../a2ui/examples.mjs";
import { pair, skip } from "./side-by-side-page.mjs";

/** Accepted differences with their reasons. */
const LISTED = {
  "06_music-player.json inputs": "the slider of lit has whole steps, so 0.45 of 1 is shown as 0",
  "09_login-form.json words": "lit says what is wrong before the user has been there, byname after",
  "19_software-purchase.json inputs": "chips are buttons in lit, and radio inputs in byname",
  "19_software-purchase.json buttons": "the same chips",
  "30_live-invitation-builder.json inputs": "the same chips",
  "30_live-invitation-builder.json buttons": "the same chips",
  "32_advanced-form-validator.json words": "checks again, before the user has been there",
};

const files = exampleFiles().filter(({ folder }) => folder.startsWith("v0_9"));

test("there are 50 examples", () => assert.equal(files.length, 50));

const differing = new Set();
for (const { name, messages } of files) {
  test(`byname and lit render the same: ${name}`, { skip }, async () => {
    const { lit, byname } = await pair.page.evaluate((given) => window.compare(given), messages);
    assert.ok(lit.words.length + lit.inputs.length > 0, "lit shows nothing");
    for (const part of Object.keys(lit)) {
      const both = [comparable(part, lit[part]), comparable(part, byname[part])];
      if (LISTED[`${name} ${part}`] === undefined) assert.deepEqual(both[1], both[0], part);
      else if (JSON.stringify(both[0]) !== JSON.stringify(both[1]))
        differing.add(`${name} ${part}`);
    }
  });
}

test("all listed differences occur, and no errors are reported", { skip }, () => {
  assert.deepEqual([...differing].sort(), Object.keys(LISTED).sort());
  assert.deepEqual(pair.errors, []);
});

/** Returns the words without Markdown, which lit displays unformatted, with date and time joined. */
function comparable(part, shown) {
  if (part === "words") {
    return shown
      .join(" ")
      .replaceAll(/\]\([^)]*\)/g, "")
      .replaceAll(/(^|\s)(#+|-)(?=\s)/g, "$1")
      .replaceAll(/[*[\]]/g, "")
      .replaceAll(/\s+([.,])/g, "$1")
      .replaceAll(/\s+/g, " ")
      .trim();
  }
  if (part !== "inputs") return shown;
  return shown.flatMap(([type, value], at) => {
    if (type === "time" && shown[at - 1]?.[0] === "date") return [];
    const time = shown[at + 1];
    if (type !== "date" || time?.[0] !== "time") return [[type, value]];
    return [["datetime-local", `${value}T${time[1]}`]];
  });
}
