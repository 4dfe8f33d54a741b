// Renders the 50 example surfaces of A2UI v0.9 with @a2ui/lit and, translated, with byname:
// words, inputs, pictures and buttons must be equal, except for the listed differences.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { exampleFiles } from "../a2ui/examples.mjs";
import { launchBrowser } from "./browser.mjs";

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

const peer = fileURLToPath(new URL("../side-by-side/", import.meta.url));
const files = exampleFiles().filter(({ folder }) => folder.startsWith("v0_9"));
const origin = "http://side-by-side.test/";

/** Returns whether @a2ui/lit is installed, and installs it if possible. */
function hasPeer() {
  if (existsSync(`${peer}node_modules/@a2ui/lit`)) return true;
  const args = ["ci", "--prefix", peer, "--no-audit", "--no-fund"];
  return spawnSync("npm", args, { stdio: "ignore" }).status === 0;
}

const skip = hasPeer()
  ? false
  : "@a2ui/lit cannot be installed: `npm ci --prefix tests/side-by-side`";

let browser;
let page;
const complaints = [];
before(async () => {
  if (skip) return;
  const { bundle } = await import("../side-by-side/build.mjs");
  const code = await bundle();
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  // Pictures of other servers are not requested.
  const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === origin) {
      const body =
        '<!doctype html><html lang="en"><title>both</title><body></body><script type="module" src="page.js"></script>';
      return route.fulfill({ contentType: "text/html", body });
    }
    if (url === `${origin}page.js`)
      return route.fulfill({ contentType: "text/javascript", body: code });
    return route.fulfill({ contentType: "image/svg+xml", body: picture });
  });
  await page.goto(origin);
  await page.waitForFunction(() => window.compare);
});
after(async () => {
  await browser?.close();
});

test("there are 50 examples", () => assert.equal(files.length, 50));

const differing = new Set();
for (const { name, messages } of files) {
  test(`byname and lit render the same: ${name}`, { skip }, async () => {
    const { lit, byname } = await page.evaluate((given) => window.compare(given), messages);
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
  assert.deepEqual(complaints, []);
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
