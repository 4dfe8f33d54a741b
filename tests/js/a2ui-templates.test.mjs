// Templates of lists in one another: to the depth that a surface displays, without a view for each
// way to reach them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { receiveAll, Surfaces } from "byname/messages";
import { Random } from "../random/random.mjs";

await init();

const created = { createSurface: { surfaceId: "s", catalogId: "c" } };
const components = (list) => ({ updateComponents: { surfaceId: "s", components: list } });
const data = (path, value) => ({ updateDataModel: { surfaceId: "s", path, value } });
const idAt = (at) => (at === 0 ? "root" : `c${at}`);
const list = (id, path, componentId) => ({
  id,
  component: "List",
  children: { path, componentId },
});

test("a chain of 20,000 lists is received", async () => {
  for (const path of ["a", "/a", "a/b"]) {
    const chain = Array.from({ length: 20_000 }, (_, at) =>
      list(idAt(at), at === 0 ? "/a" : path, idAt(at + 1)),
    );
    const messages = [created, components(chain), data("/a", { b: [{ a: [{ a: [] }] }] })];
    const { ok } = await receiveAll(a2uiTarget(new Surface()), messages);
    assert.ok(ok, path);
  }
});

test("a template that contains 20,000 components in one another is received", () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => ({
    id: `t${at}`,
    component: "Card",
    child: `t${at + 1}`,
  }));
  const from = new FromA2ui();
  from.translate(created);
  const { messages } = from.translate(components([list("root", "/a", "t0"), ...chain]));
  assert.equal(messages[0].updateComponents.components.length, 20_001);
});

test("a list below the limit of a surface is reported and the others are displayed", () => {
  const chain = Array.from({ length: 150 }, (_, at) => list(idAt(at), "/a", idAt(at + 1)));
  const surface = new Surface();
  const target = a2uiTarget(surface);
  for (const one of [created, components(chain), data("/a", [1])]) target.receive(one);
  let depth = 0;
  for (let node = surface.tree(); node; node = node.children?.[0]) depth += 1;
  assert.ok(depth >= 100 && depth < 150, String(depth));
  const codes = target.diagnostics({ isDone: true }).map(({ code }) => code);
  assert.deepEqual(codes, ["HAM017"]);
});

test("two templates in each of 40 have one view each", () => {
  const all = Array.from({ length: 40 }, (_, at) => [
    { id: at === 0 ? "root" : `t${at}`, component: "Column", children: [`l${at}`, `m${at}`] },
    ...["l", "m"].map((side) => list(`${side}${at}`, at === 0 ? `/${side}` : side, `t${at + 1}`)),
  ]).flat();
  const from = new FromA2ui();
  from.translate(created);
  from.translate(components(all));
  const { diagnostics } = from.translate(data("/", { l: [{ l: [1] }], m: { a: { m: [2] } } }));
  assert.deepEqual(diagnostics, []);
});

test("v0.8: lists at the root in one another have one view for each item", () => {
  const all = Array.from({ length: 40 }, (_, at) => ({
    id: idAt(at),
    component: {
      List: { children: { template: { dataBinding: "/a", componentId: idAt(at + 1) } } },
    },
  }));
  const from = new FromA2ui();
  const contents = [{ key: "a", valueMap: [1, 2].map((key) => ({ key: `${key}`, valueMap: [] })) }];
  from.translate({ surfaceUpdate: { surfaceId: "s", components: all } });
  from.translate({ dataModelUpdate: { surfaceId: "s", contents } });
  const { messages } = from.translate({ beginRendering: { surfaceId: "s", root: "root" } });
  const nodes = messages.flatMap(({ updateDataModel }) =>
    Object.keys(updateDataModel?.nodes ?? {}),
  );
  assert.ok(nodes.length < 1_000, String(nodes.length));
});

/** Returns the surface of messages. */
function surfaceOf(messages) {
  const surface = new Surface();
  const target = a2uiTarget(surface);
  for (const one of messages) assert.ok(target.receive(one).ok, JSON.stringify(one));
  return surface;
}

/** Returns a tree with sorted children, because the order of the keys of a map has no meaning. */
function sorted({ children, ...node }) {
  const byKey = (a, b) => (a.key < b.key ? -1 : 1);
  return { ...node, children: children.map(sorted).sort(byKey) };
}

test("a map that an update below it creates is displayed", () => {
  const shown = [
    list("root", "/rows", "row"),
    { id: "row", component: "Text", text: { path: "name" } },
  ];
  const start = [created, components(shown), data("/", { rows: null })];
  const { children } = surfaceOf([...start, data("/rows/b", { name: "x" })]).tree();
  assert.deepEqual(
    children.map(({ props }) => props.text),
    ["x"],
  );
  const whole = surfaceOf([...start, data("/", { rows: { b: { name: "x" } } })]);
  assert.deepEqual(children, whole.tree().children);
});

test("updates of parts lead to the same tree as all data at once", () => {
  const random = new Random(5);
  const name = () => random.pick(["a", "b", "c"]);
  const path = () => ["", ...random.many(1 + random.below(3), name)].join("/");
  const value = (depth) =>
    depth === 0 || random.chance(0.4)
      ? random.pick(["x", 1, true])
      : Object.fromEntries(random.many(1 + random.below(2), () => [name(), value(depth - 1)]));
  for (let run = 0; run < 300; run += 1) {
    const long = () => random.pick(["a", "a/b", "b/c"]);
    const shown = components([
      { id: "root", component: "Column", children: ["l", "m", "t"] },
      list("l", path(), "row"),
      list("m", path(), "row"),
      { id: "t", component: "Text", text: { path: path() } },
      { id: "row", component: "Text", text: { path: long() } },
    ]);
    const model = {};
    const updates = random.many(12, () => {
      // Maps on the path replace other values in the data before.
      const segments = path().slice(1).split("/");
      const key = segments.pop();
      let map = model;
      let at = "";
      for (const segment of segments) {
        if (typeof map[segment] !== "object" && map[segment] !== undefined) break;
        map[segment] ??= {};
        map = map[segment];
        at += `/${segment}`;
      }
      const newValue = value(2);
      map[key] = newValue;
      return data(`${at}/${key}`, structuredClone(newValue));
    });
    const parts = surfaceOf([created, shown, ...updates]).tree();
    const whole = surfaceOf([created, shown, data("/", model)]).tree();
    assert.deepEqual(sorted(parts), sorted(whole), JSON.stringify([shown, ...updates]));
  }
});

test("an update of one item changes only the views of that item", () => {
  for (const options of [{}, { store: new Surface().store }]) {
    const from = new FromA2ui(options);
    const send = (message) => {
      const { messages } = from.translate(message);
      for (const one of messages) if (one.updateDataModel) options.store?.apply(one);
      return messages.flatMap((one) => Object.keys(one.updateDataModel?.nodes ?? {}));
    };
    send(created);
    send(
      components([
        list("root", "/rows", "row"),
        { id: "row", component: "Text", text: { path: "a/b" } },
      ]),
    );
    send(data("/", { rows: Array.from({ length: 50 }, (_, b) => ({ a: { b } })) }));
    assert.deepEqual(send(data("/rows/7/a/b", "new")), ["/rows/7/a/b"]);
    const added = send(data("/rows/50", { a: { b: 50 } })).sort();
    const view = "items:/rows row";
    const own = ["/rows/50", "/rows/50/a", "/rows/50/a/b", `item:${view}:/rows/50`];
    assert.deepEqual(added, ["/rows", view, ...own].sort());
  }
});

test("v1.0: a template is repeated for a map in the message that creates the surface", async () => {
  const text = { id: "name", component: "Text", text: { path: "name" } };
  const all = [list("root", "/m", "name"), text];
  const message = (names) => {
    const entries = names.map((name) => [name.toLowerCase(), { name }]);
    const dataModel = { m: Object.fromEntries(entries) };
    return {
      version: "v1.0",
      createSurface: { surfaceId: "s", catalogId: "basic", components: all, dataModel },
    };
  };
  const textOf = (surface) =>
    [...renderToString(surface, { style: false }).matchAll(/>([A-Z])</g)].map(([, one]) => one);
  const ways = [
    (target, one) => target.receive(one),
    (target, one) => target.receive(JSON.stringify(one)),
    (target, one) => receiveAll(target, [one]),
    (target, one) => receiveAll(target, [JSON.stringify(one)]),
  ];
  for (const receive of ways) {
    const surface = new Surface({ catalog: basicCatalog });
    const target = a2uiTarget(surface);
    const result = await receive(target, message(["X", "Y"]));
    assert.deepEqual(result, { ok: true, diagnostics: [] });
    assert.deepEqual(textOf(surface), ["X", "Y"]);
    await receive(target, { version: "v1.0", ...data("/m/z", { name: "Z" }) });
    assert.deepEqual(textOf(surface), ["X", "Y", "Z"]);
    await receive(target, message(["Q"]));
    assert.deepEqual(textOf(surface), ["Q"]);
  }
  const surfaces = new Surfaces({ a2ui: true });
  surfaces.receive(message(["X", "Y"]));
  assert.deepEqual(surfaces.diagnostics(), []);
});
