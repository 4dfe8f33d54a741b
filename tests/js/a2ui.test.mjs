// Example surfaces of @a2ui/web_core, translated to HAM and compared with the data model of that
// package. After every message, every bound value must be equal in every instance.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { FromA2ui } from "byname/a2ui";
import { bindingOf } from "../../pkg/a2ui/node-ids.js";
import { catalog } from "../a2ui/catalog.mjs";
import { Oracle } from "../a2ui/oracle.mjs";

await init();

const source = packageFolder();
const folders = [
  "v0_9/schemas/catalogs/basic",
  "v0_9/schemas/catalogs/minimal",
  "v1_0/schemas/catalogs/basic",
];
const counts = { "v0_9/schemas/catalogs/basic": 43, "v0_9/schemas/catalogs/minimal": 7 };
let compared = 0;

for (const folder of folders) {
  const examples = join(source, folder, "examples");
  const files = readdirSync(examples)
    .filter((name) => name.endsWith(".json"))
    .sort();
  test(`${folder}: binds the same values in ${files.length} examples`, async (t) => {
    if (counts[folder]) assert.equal(files.length, counts[folder]);
    assert.ok(files.length > 0);
    for (const file of files) {
      await t.test(file, () => runExample(JSON.parse(readFileSync(join(examples, file), "utf8"))));
    }
  });
}

test("compares more than a thousand values of the examples", () =>
  assert.ok(compared > 1000, `only ${compared}`));

function runExample(example) {
  const messages = Array.isArray(example) ? example : example.messages;
  const created = messages.find((message) => message.createSurface).createSurface;
  const oracle = new Oracle(created.catalogId, created.surfaceId);
  const from = new FromA2ui();
  const actions = [];
  const store = new HamStore();
  const surface = new Surface({ store, catalog, onAction: (action) => actions.push(action) });
  for (const message of messages) {
    oracle.receive(message);
    for (const one of from.translate(message).messages) {
      const result = surface.receive(one);
      assert.ok(result.ok, JSON.stringify(result.diagnostics));
    }
    const expected = oracle.tree();
    if (expected === null) continue;
    expectInstance({ surface, store, actions }, surface.tree(), expected, undefined);
    if (store.has("root")) assert.deepEqual(toPlainJson(store.toJSON()), toPlainJson(oracle.model));
  }
}

function expectInstance(run, instance, expected, context) {
  const label = `${expected.id} (${expected.component})`;
  assert.equal(instance.id, expected.id);
  assert.equal(instance.component, expected.component, label);
  for (const { place, path, value } of expected.bound) {
    compared += 1;
    const where = `${label} at ${place.join("/")} for ${path}`;
    const reading = run.store.read(bindingOf(path), context);
    assert.deepEqual(toPlainJson(reading.value), toPlainJson(value), `${where}: read`);
    const [prop] = place;
    if (prop === "action") expectContext(run, instance, place, value, where);
    else if (prop !== "children") {
      assert.deepEqual(
        toPlainJson(valueAt(instance.props, place, where)),
        toPlainJson(value),
        `${where}: prop`,
      );
    }
  }
  assert.deepEqual(
    instance.children.map((child) => child.id),
    expected.children.map((child) => child.id),
    label,
  );
  const contexts = contextsBelow(run, expected, context);
  for (const [index, child] of expected.children.entries()) {
    expectInstance(run, instance.children[index], child, contexts[index]);
  }
}

/** Returns the contexts of the rows whose children come from a list of the data. */
function contextsBelow({ store }, expected, context) {
  const list = expected.bound.find(({ place }) => place[0] === "children");
  if (!list) return expected.children.map(() => context);
  return store
    .children({ binding: bindingOf(list.path), template: "row" }, context)
    .map((item) => item.context);
}

function expectContext(run, instance, path, value, where) {
  run.surface.trigger(instance.key, "action");
  const [action] = run.actions.splice(0);
  assert.ok(action, `${where}: no action`);
  assert.equal(action.sourceComponentId, instance.id);
  assert.deepEqual(path.slice(0, 3), ["action", "event", "context"], where);
  assert.deepEqual(
    toPlainJson(valueAt(action.context, path.slice(3), where)),
    toPlainJson(value),
    `${where}: action`,
  );
}

function valueAt(value, path, where) {
  return path.reduce((inner, name) => {
    assert.ok(Object.hasOwn(inner, name), `${where}: nothing at ${name}`);
    return inner[name];
  }, value);
}

function toPlainJson(value) {
  return JSON.parse(JSON.stringify(value));
}

function packageFolder() {
  const main = createRequire(import.meta.url).resolve("@a2ui/web_core");
  return dirname(dirname(main));
}
