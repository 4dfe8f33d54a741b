// Symptoms of docs/recipes.md: each row is produced, its code is found, and its change removes both.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { receiveAll, Surfaces } from "byname/messages";
import { symptoms } from "../symptoms.mjs";

await init();

const page = readFileSync(new URL("../../docs/recipes.md", import.meta.url), "utf8");
const table = page.slice(page.indexOf("| what you see |"));
const rows = [...table.matchAll(/^\| (.+?) \| (.+?) \| (.+) \|$/gm)].slice(1);
const codes = new Map(rows.map(([, symptom, code]) => [symptom, code]));

/** Symptoms with a test of their own below. */
const others = [
  "an error `not-initialised`",
  "`receiveAll` rejects with the status of the server",
  "a row loses what the user types when the list is sent again",
  "a second surface is missing",
];

function Chart(_, { document }) {
  const element = document.createElement("p");
  element.textContent = "drawn";
  return { element, set() {} };
}

/** Receives messages; returns the displayed text, the codes and the value that the user has changed. */
async function run(messages, { ham, own, drawn, act, value, found }) {
  const actions = [];
  const catalog = own ? basicCatalog.extend({ components: { Chart: {} } }) : basicCatalog;
  const surface = new Surface({ catalog, onAction: (action) => actions.push(action) });
  const target = ham ? surface : a2uiTarget(surface);
  const { diagnostics } = await receiveAll(target, messages);
  act?.(surface);
  const all = [...diagnostics, ...(found?.(surface, target) ?? [])];
  const html = renderToString(surface, {
    style: false,
    ...(drawn ? { components: { Chart } } : {}),
  });
  const decoded = html.replaceAll(/<[^>]*>/g, " ").replaceAll("&quot;", '"');
  return {
    shown: decoded.trim().replaceAll(/\s+/g, " "),
    codes: all.map(({ code }) => code),
    value: value?.(surface, actions),
  };
}

test("the table has a test for each row", () => {
  assert.deepEqual([...codes.keys()].sort(), [...Object.keys(symptoms), ...others].sort());
});

for (const [symptom, one] of Object.entries(symptoms)) {
  test(symptom, async () => {
    const code = codes.get(symptom);
    const wrong = await run(one.wrong, one);
    assert.equal(wrong.shown, one.shown);
    if (code === "–") assert.deepEqual(wrong.codes, []);
    else assert.ok(wrong.codes.includes(code), `${wrong.codes} has ${code}`);
    const right = await run(one.right, { ...one, ...one.change });
    assert.equal(right.shown, one.fixed);
    assert.ok(!right.codes.includes(code), `${right.codes} has ${code}`);
    if (one.value === undefined) return;
    assert.notDeepEqual(wrong.value, right.value);
    assert.equal(right.value, one.expected?.[0] ?? "Ann");
  });
}

test(others[0], async () => {
  // In a process of its own, because this one has loaded the WebAssembly.
  const code = `import { Surface } from "byname/web";
try { new Surface(); } catch ({ code, message }) { console.log(code, message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "-e",
    code,
  ]);
  assert.match(stdout, /^not-initialised call `await init\(\)`/);
});

test(others[1], async () => {
  const response = new Response("no such agent", { status: 404 });
  const failed = receiveAll(new Surface(), response);
  await assert.rejects(failed, { cause: { status: 404, body: "no such agent" } });
});

test(others[2], async () => {
  const components = [
    { id: "root", component: "List", children: { path: "/items", componentId: "row" } },
    { id: "row", component: "TextField", label: "Note", value: { path: "note" } },
  ];
  const update = (value) => ({ updateDataModel: { surfaceId: "s", path: "/items", value } });
  const list = [{ note: "a" }, { note: "b" }];
  const changed = [{ note: "new" }, { note: "a2" }, { note: "b2" }];
  const withIds = (items) => items.map((item, at) => ({ ...item, id: items.length - at }));
  const rowsAfter = async (first, second) => {
    const surface = new Surface({ catalog: basicCatalog });
    const target = a2uiTarget(surface);
    await receiveAll(target, [{ updateComponents: { surfaceId: "s", components } }, update(first)]);
    const { key } = surface.tree().children[0];
    target.receive(update(second));
    const at = surface.tree().children.findIndex((child) => child.key === key);
    return [at, target.translator.listRules["/items"].by];
  };
  // The first row becomes the new item, and with ids it moves to the second place.
  assert.deepEqual(await rowsAfter(list, changed), [0, "position"]);
  assert.deepEqual(await rowsAfter(withIds(list), withIds(changed)), [1, "property"]);
});

test(others[3], async () => {
  const messages = ["one", "two"].map((surfaceId) => ({
    createSurface: { surfaceId, components: [{ id: "root", component: "Text", text: surfaceId }] },
  }));
  const alone = await receiveAll(new Surface(), messages);
  assert.ok(alone.diagnostics.some(({ code }) => code === codes.get(others[3])));
  const surfaces = new Surfaces();
  assert.deepEqual(await receiveAll(surfaces, messages), { ok: true, diagnostics: [] });
  const shown = surfaces.list().map(([, surface]) => surface.tree().props.text);
  assert.deepEqual(shown, ["one", "two"]);
});
