// Compares the accessible trees of @a2ui/lit and byname for the 93 example surfaces of A2UI. Differences are listed with
// their kinds in tests/side-by-side/differences.md; BLESS=1 rewrites that file and the tables in docs/a2ui.md.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { exampleFiles } from "../a2ui/examples.mjs";
import { differences, outline } from "../side-by-side/accessibility.mjs";
import { classify, differenceTable, reasons, summary } from "../side-by-side/reasons.mjs";
import { pair, skip } from "./side-by-side-page.mjs";

const listed = new URL("../side-by-side/differences.md", import.meta.url);
const page = new URL("../../docs/a2ui.md", import.meta.url);
const shared = new URL("../../../shared/data/a2ui/v1_0/", import.meta.url);

/** Texts that are clicked, to compare a second state of an example. */
const CLICKED = { "24_recipe-card.json": "Ingredients", "36_modal.json": "Open Modal" };

let session;
/** Renders messages, clicks a text if there is one, and returns the outline of the accessible tree. */
async function outlineOf(renderer, messages, clicked) {
  const draw = ([renderer, messages]) => window.draw(renderer, messages);
  assert.equal(await pair.page.evaluate(draw, [renderer, messages]), null);
  if (clicked !== undefined) {
    await pair.page.getByText(clicked, { exact: true }).first().click();
    await pair.page.evaluate(() => settled());
  }
  if (session === undefined) {
    session = await pair.page.context().newCDPSession(pair.page);
    await session.send("Accessibility.enable");
  }
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return outline(nodes);
}

/** Compares both renderers. Returns the differences, and the outline of byname. */
async function compare(messages, clicked) {
  const lit = await outlineOf("lit", messages, clicked);
  const byname = await outlineOf("byname", messages, clicked);
  assert.ok(lit.length > 0, "lit shows nothing");
  const found = classify(differences(lit, byname), messages);
  const unknown = found.filter(({ kind }) => kind === undefined);
  assert.deepEqual(
    unknown,
    [],
    "add the kind of this difference to tests/side-by-side/reasons.mjs",
  );
  return { found, byname };
}

const examples = [];
const outlines = new Map();
for (const { folder, name, messages } of exampleFiles()) {
  const [, catalog] = /schemas\/catalogs\/(\w+)/.exec(folder);
  const version = folder.slice(0, 4).replace("_", ".");
  const label = `${version} ${name.replace(".json", "")}`;
  test(`the accessible trees are equal or listed: ${version} ${name}`, { skip }, async () => {
    const { found, byname } = await compare(messages);
    outlines.set(`${version} ${name}`, byname);
    examples.push({ name: label, version: `${version} (${catalog} catalog)`, found });
    if (CLICKED[name] === undefined) return;
    const after = await compare(messages, CLICKED[name]);
    assert.notDeepEqual(after.byname, byname);
    const state = { name: `${label}, clicked`, version: "opened modals and tabs" };
    examples.push({ ...state, found: after.found });
  });
}

/** Compares a part of a file, or rewrites it. */
function compareWithFile(file, [begin, end], expected) {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(begin) + begin.length;
  const stop = text.indexOf(end, start);
  assert.ok(start >= begin.length && stop >= start, `${file.pathname} has no generated part`);
  if (process.env.BLESS) writeFileSync(file, text.slice(0, start) + expected + text.slice(stop));
  else assert.equal(text.slice(start, stop), expected);
}

test("exactly the listed differences occur", { skip }, () => {
  assert.equal(examples.length, 97);
  const marks = ["<!-- differences: generated -->\n", "\n<!-- end -->"];
  compareWithFile(listed, marks, differenceTable(examples));
  compareWithFile(page, ["<!-- renderers: generated -->\n", "\n<!-- end -->"], summary(examples));
});

test("each kind of difference occurs", { skip }, () => {
  const kinds = new Set(examples.flatMap(({ found }) => found.map(({ kind }) => kind)));
  assert.deepEqual([...kinds].sort(), Object.keys(reasons).sort());
});

test("lit does not know the catalog of v1.0, so it gets the messages as v0.9", {
  skip,
}, async () => {
  for (const { folder, messages } of exampleFiles()) {
    const error = await pair.page.evaluate((given) => window.litError(given), messages);
    if (folder.startsWith("v1_0")) assert.match(error, /Catalog not found: .*v1_0/);
  }
});

for (const stage of ["4-at-bindings", "5-at-envelope-reconstructed"]) {
  const folder = new URL(`${stage}/examples-derived/`, shared);
  const missing = existsSync(folder) ? false : "the folder of the examples is missing";
  test(`byname renders the examples of v1.0 equally in stage ${stage}`, {
    skip: skip || missing,
  }, async () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    assert.equal(names.length, 43);
    for (const name of names) {
      const { messages } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
      assert.deepEqual(await outlineOf("byname", messages), outlines.get(`v1.0 ${name}`), name);
    }
  });
}

test("no errors are reported", { skip }, () => assert.deepEqual(pair.errors, []));
