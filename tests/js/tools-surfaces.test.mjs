// Surface tools: what a failed call has applied, long nodes, suggestions, problems that remain.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { basicCatalog as catalog } from "byname/dom";
import { Surfaces } from "byname/messages";
import { surfaceTools } from "byname/tools";

await init();

const toolsOf = (surfaces, options = {}) =>
  Object.fromEntries(
    surfaceTools(surfaces, { catalog, ...options }).map((tool) => [tool.name, tool]),
  );
const text = (id, value) => ({ id, component: "Text", text: value });

/** Calls what the note of a result says, and returns the result. */
async function follow(tools, rest) {
  const [, name, args] = /call (\w+) with (\{.*?\})(?:, call |$)/.exec(rest);
  return tools[name].execute(args);
}

test("the list of a node is read a page at a time", async () => {
  const surface = new Surface({ catalog });
  const tools = toolsOf(surface);
  const people = Array.from({ length: 1000 }, (_, at) => `*person-${at}`);
  surface.receive({ createSurface: { surfaceId: "s", components: [text("root", "Hi")] } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root: { title: "T", people } } } });
  const first = await tools.read_surface.execute({ part: "nodes", id: "root" });
  assert.deepEqual(first.rows[0].value, { title: "T" });
  const found = [];
  let page = await follow(tools, first.rows[0].rest);
  for (;;) {
    assert.ok(page.ok && JSON.stringify(page).length <= 8000);
    assert.equal(page.total, 1000);
    found.push(...page.items);
    if (page.rest === undefined) break;
    page = await follow(tools, page.rest);
  }
  assert.deepEqual(found, people);
  // The model adds a row with what it has read.
  const nodes = { root: { title: "T", people: [...found, "*new"] } };
  assert.equal((await tools.update_surface.execute({ nodes })).ok, true);
  assert.equal(surface.store.get("root").people.length, 1001);
});

test("a node that is a list, and a definition with many children, are read a page at a time", async () => {
  const surfaces = new Surfaces({ catalog });
  const tools = toolsOf(surfaces, { maxCharacters: 2000 });
  const items = Array.from({ length: 400 }, (_, at) => `item ${at}`);
  const children = items.map((_, at) => `t${at}`);
  const components = [{ id: "root", component: "Column", children }, text("t0", "a".repeat(3000))];
  surfaces.receive({ createSurface: { surfaceId: "a", components } });
  surfaces.receive({ updateDataModel: { surfaceId: "a", nodes: { list: items, short: [1] } } });
  surfaces.receive({ createSurface: { surfaceId: "b" } });
  const read = (args) => tools.read_surface.execute({ surfaceId: "a", ...args });
  const list = await read({ part: "nodes", id: "list" });
  assert.deepEqual([list.id, list.items[0], list.total], ["list", "item 0", 400]);
  const second = await follow(tools, list.rest);
  assert.equal(second.items[0], `item ${list.items.length}`);
  assert.deepEqual((await read({ part: "nodes", id: "short" })).rows, [
    { id: "short", value: [1] },
  ]);
  const all = await read({ part: "nodes" });
  assert.match(all.rows.find(({ id }) => id === "list").rest, /"surfaceId":"a".*"id":"list"/);
  const root = (await read({ part: "definitions", id: "root" })).rows[0];
  assert.deepEqual([root.component, root.children], ["Column", undefined]);
  assert.deepEqual((await follow(tools, root.rest)).items[1], "t1");
  const long = await read({ part: "definitions", id: "t0", key: "text" });
  assert.ok(long.json.startsWith('"aaaa') && JSON.stringify(long).length <= 2000);
  assert.match((await follow(tools, long.rest)).json, /^a+/);
  const unknown = await read({ part: "nodes", id: "list", key: "x" });
  assert.equal(unknown.error.fields[0].field, "/key");
  assert.equal((await read({ id: "root", key: "children" })).error.fields[0].field, "/key");
});

test("a misspelt component gets the nearest name", async () => {
  const { create_surface } = toolsOf(new Surface({ catalog }));
  const helpOf = async (component) => {
    const components = [{ id: "root", component }];
    const { error } = await create_surface.execute({ surfaceId: "s", components });
    return error.fields[0].help;
  };
  assert.equal(await helpOf("Txt"), "did you mean `Text`?");
  assert.equal(await helpOf("Slidr"), "did you mean `Slider`?");
  assert.match(await helpOf("Hologram"), /^use `Text`/);
  const { error } = await create_surface.execute({ surfaceId: "s", componnents: [] });
  assert.ok(error.fields.some(({ help }) => help === "did you mean `components`?"));
});

test("a node with the name of the envelope is read as a node", async () => {
  const surface = new Surface({ catalog });
  surface.receive({ createSurface: { surfaceId: "s", components: [text("root", "Hi")] } });
  const value = { nodes: { a: 1 } };
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { updateDataModel: value } } });
  const { rows } = await toolsOf(surface).read_surface.execute({ part: "nodes" });
  assert.deepEqual(rows, [{ id: "updateDataModel", value }]);
});

test("nothing is applied if the nodes are rejected; else a failure says what was applied", async () => {
  const surface = new Surface({ catalog });
  const { create_surface, update_surface } = toolsOf(surface);
  await create_surface.execute({ surfaceId: "s", components: [text("root", "old")] });
  const components = [text("root", "new")];
  const rejected = await update_surface.execute({ components, nodes: { "*a": { b: 1 } } });
  assert.deepEqual([rejected.ok, rejected.applied], [false, "nothing; send all of it again"]);
  assert.equal(rejected.diagnostics[0].code, "HAM002");
  assert.equal(surface.tree().props.text, "old");
  const partly = await update_surface.execute({
    components: [text("root", { path: "/x" })],
    nodes: { a: { b: 1 } },
  });
  assert.deepEqual([partly.ok, partly.applied], [false, "all but the parts with an error"]);
  assert.deepEqual(surface.store.get("a"), { b: 1 });
  const fixed = await update_surface.execute({ components });
  assert.deepEqual(fixed, { ok: true, surfaceId: "s" });
});

test("problems are those that remain, also of the catalog", async () => {
  const surface = new Surface({ catalog });
  const { create_surface, update_surface, list_problems } = toolsOf(surface);
  const column = { id: "root", component: "Column", children: ["a/b", "gone"] };
  const wrong = { ...text("a/b", 7), colour: "red" };
  await create_surface.execute({ surfaceId: "s", components: [column, wrong] });
  const { rows } = await list_problems.execute({});
  assert.deepEqual(rows.map(({ code, location }) => [code, location.pointer]).sort(), [
    ["CAT001", "/a~1b/colour"],
    ["CAT003", "/a~1b/text"],
    ["HAM028", "/gone"],
  ]);
  await update_surface.execute({ components: [text("a/b", "Hi"), text("gone", "Hi")] });
  assert.deepEqual((await list_problems.execute({})).rows, []);
});

test("a page with one surface says which one to update", async () => {
  const surface = new Surface({ catalog });
  const { create_surface } = toolsOf(surface);
  const components = [text("root", "Hi")];
  await create_surface.execute({ surfaceId: "s", components });
  const second = await create_surface.execute({ surfaceId: "t", components });
  assert.deepEqual(second.error.fields, [
    {
      field: "/surfaceId",
      message: "the page has one surface, `s`",
      help: 'call update_surface with "surfaceId": "s"',
    },
  ]);
});
