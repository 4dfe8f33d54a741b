// Choices of users in A2UI target mode. Lists of an agent are stored as nodes, so a choice must be
// accepted and later updates must find it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, toA2uiDataModel } from "byname/a2ui";
import { Random } from "../random/random.mjs";

await init();

const version = "v0.9";
const components = [
  { id: "root", component: "Column", children: ["pick", "top"] },
  { id: "pick", component: "ChoicePicker", value: { path: "/form/pick" } },
  { id: "top", component: "ChoicePicker", value: { path: "/top" } },
];

function agent(model) {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  const update = (path, value) =>
    target.receive({ version, updateDataModel: { surfaceId: "s", path, value } });
  target.receive({ version, createSurface: { surfaceId: "s", catalogId: "c" } });
  target.receive({ version, updateComponents: { surfaceId: "s", components } });
  update("/", structuredClone(model));
  const data = () => toA2uiDataModel({ s: surface.store }).surfaces.s;
  return { surface, update, data };
}

test("applies choices of the user and updates of the agent in any order", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = new Random(seed);
    const model = { form: { pick: ["a", "b"], other: 1 }, top: ["x"] };
    const { surface, update, data } = agent(model);
    const choice = () => Array.from({ length: random.below(3) }, () => random.pick([..."abc"]));
    for (let step = 0; step < 15; step += 1) {
      const chosen = choice();
      const place = random.pick(["pick", "top"]);
      const owner = place === "pick" ? model.form : model;
      const path = place === "pick" ? "/form/pick" : "/top";
      const { length } = owner[place];
      const at = random.pick([length, random.below(length + 1)]);
      if (random.chance(0.4)) {
        surface.input(`root/${place}`, "value", chosen);
        owner[place] = chosen;
      } else if (random.chance(0.5)) {
        assert.ok(update(path, structuredClone(chosen)).ok);
        owner[place] = chosen;
      } else {
        assert.ok(update(`${path}/${at}`, `n${step}`).ok);
        owner[place][at] = `n${step}`;
      }
      assert.deepEqual(surface.diagnostics(), []);
      assert.deepEqual(data(), model, `seed ${seed}, step ${step}`);
      const values = surface.tree().children.map(({ props }) => props.value);
      assert.deepEqual(values, [model.form.pick, model.top]);
    }
  }
});

test("an input replaces a list of primitives by another, but no other list or map", () => {
  const tried = (value, expected, nodes = {}) => {
    const store = new HamStore();
    const surface = new Surface({ store });
    const bound = { id: "root", component: "ChoicePicker", value: { binding: { key: "v" } } };
    surface.receive({ updateComponents: { surfaceId: "s", components: [bound] } });
    store.apply({ root: { v: "*list" }, list: value, ...nodes });
    surface.input("root", "value", expected);
    const codes = surface.diagnostics().map(({ code }) => code);
    assert.equal(store.write({ node: "root", key: "v" }, expected).ok, false);
    return [store.toJSON("list"), ...codes.filter((code) => code === "HAM019")];
  };
  assert.deepEqual(tried(["a"], ["b", "c"]), [["b", "c"]]);
  assert.deepEqual(tried([], ["b"]), [["b"]]);
  assert.deepEqual(tried(["a"], []), [[]]);
  assert.deepEqual(tried(["*x", 1, null], ["*x"], { x: true }), [["*x"]]);
  assert.deepEqual(tried(["*x"], ["b"], { x: { rows: 1 } }), [[{ rows: 1 }], "HAM019"]);
  assert.deepEqual(tried(["*x"], ["b"], { x: ["y"] }), [[["y"]], "HAM019"]);
  assert.deepEqual(tried(["*gone"], ["b"]), [[null], "HAM019"]);
  assert.deepEqual(tried(["a"], "b"), [["a"], "HAM019"]);
  assert.deepEqual(tried(["a"], [["b"]]), [["a"], "HAM019"]);
  assert.deepEqual(tried({ a: 1 }, ["b"]), [{ a: 1 }, "HAM019"]);
});
