// Tools: results that are longer than a model takes are read a page at a time, and no part is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GaslSession, Graph, init, Surface } from "byname";
import { basicCatalog as catalog } from "byname/dom";
import { flowTools, graphTools, surfaceTools } from "byname/tools";

await init();

const byName = (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool]));
const maxCharacters = 1000;

/** Follows the calls of `rest`. Returns all pages. */
async function readPages(tools, tool, args) {
  const pages = [];
  let next = { tool, args };
  while (next !== undefined) {
    const page = await tools[next.tool].execute(next.args);
    assert.equal(page.ok, true, JSON.stringify(page));
    assert.ok(JSON.stringify(page).length <= maxCharacters);
    assert.equal(page.cut, undefined);
    pages.push(page);
    const [, name, json] = /call (\w+) with (\{.*?\})(?:$|, call)/.exec(page.rest ?? "") ?? [];
    next = name === undefined ? undefined : { tool: name, args: JSON.parse(json) };
    assert.ok(pages.length < 200);
  }
  return pages;
}

const manyTypes = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `type${at}`,
    { description: `does the thing with the number ${at}`, inputs: ["a"], outputs: ["b"] },
  ]),
);

test("the node types of a large registry are read a page at a time", async () => {
  const tools = byName(flowTools({ registry: manyTypes, nodes: {}, maxCharacters }));
  const pages = await readPages(tools, "flow_context", {});
  assert.ok(pages.length > 3);
  const rows = pages.flatMap((page) => page.rows);
  assert.deepEqual(
    rows.map(({ type }) => type),
    Object.keys(manyTypes),
  );
  const one = await tools.flow_context.execute({ types: ["type7"] });
  assert.deepEqual(one.rows, [{ type: "type7", ...manyTypes.type7 }]);
  const wrong = await tools.flow_context.execute({ types: ["typ7"] });
  assert.equal(wrong.error.kind, "arguments");
  assert.equal(wrong.error.fields[0].help, "did you mean `type7`?");
  const unknown = await tools.flow_context.execute({ types: ["summary"] });
  assert.match(unknown.error.fields[0].help, /`type9`, or one of 30 more/);
});

test("long outputs of a run are left out and read a page at a time", async () => {
  const text = Array.from({ length: 300 }, (_, at) => `line ${at} "quoted"`).join("\n");
  const list = Array.from({ length: 200 }, (_, at) => ({ at, name: `row ${at}` }));
  const registry = { make: { inputs: [], outputs: ["text", "list", "short"] } };
  let runs = 0;
  const make = async () => {
    runs += 1;
    return { outputs: { text, list, short: 1 } };
  };
  const tools = byName(flowTools({ registry, nodes: { make }, maxCharacters }));
  assert.match((await tools.read_output.execute({ name: "text" })).error.help, /run_flow/);
  const workflow = {
    nodes: [{ id: "m", type: "make" }],
    outputs: { text: {}, list: {}, short: {} },
  };
  const run = await tools.run_flow.execute({ workflow });
  assert.deepEqual([run.ok, run.outputs, run.cut], [true, { short: 1 }, undefined]);
  assert.match(run.rest, /^2 outputs are left out; call read_output with/);
  const rows = await readPages(tools, "read_output", { name: "list" });
  assert.deepEqual(
    rows.flatMap((page) => page.rows),
    list,
  );
  const parts = await readPages(tools, "read_output", { name: "text" });
  assert.equal(JSON.parse(parts.map(({ json }) => json).join("")), text);
  assert.deepEqual(await tools.read_output.execute({ name: "short" }), { ok: true, value: 1 });
  const unknown = await tools.read_output.execute({ name: "txt" });
  assert.match(unknown.error.fields[0].help, /`text`, `list`, `short`/);
  assert.equal(runs, 1);
});

test("a long value of a variable is read a page at a time", async () => {
  const ids = Array.from({ length: 100 }, (_, at) => `node ${at}`);
  const graph = Graph.from({ nodes: ids.map((id) => ({ id })), links: [] });
  const tools = byName(graphTools(new GaslSession({ graph }), { maxCharacters }));
  const commands = ["FIND nodes AS x", "DECLARE notes AS DICT", "UPDATE notes WITH x"];
  assert.equal((await tools.run_plan.execute({ commands })).ok, true);
  const pages = await readPages(tools, "show_rows", { name: "notes" });
  assert.ok(pages.length > 2);
  const notes = JSON.parse(pages.map(({ json }) => json).join(""));
  assert.deepEqual(Object.keys(notes), ids);
});

test("the definitions of a surface are read as they can be written again", async () => {
  const surface = new Surface({ catalog });
  const components = [
    { id: "root", component: "List", children: { binding: { key: "people" }, template: "row" } },
    { id: "row", component: "Text", text: { binding: { key: "name" } } },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.receive({ updateDataModel: { nodes: { root: { people: ["*a"] }, a: { name: "Ann" } } } });
  const tools = byName(surfaceTools(surface, { catalog, maxCharacters }));
  const { rows } = await tools.read_surface.execute({ part: "definitions" });
  assert.deepEqual(rows, components);
  const [one] = (await tools.read_surface.execute({ part: "definitions", id: "row" })).rows;
  const changed = { ...one, variant: "h2" };
  assert.equal((await tools.update_surface.execute({ components: [changed] })).ok, true);
  const again = await tools.read_surface.execute({ part: "definitions", id: "row" });
  assert.deepEqual(again.rows, [changed]);
});

test("an error with a long message keeps its kind and its help", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a", type: "t" }], links: [] });
  const { evidence } = byName(graphTools(new GaslSession({ graph }), { maxCharacters }));
  const long = "x".repeat(300_000);
  const quotes = '"\\'.repeat(150_000);
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key${at}`, long[at]]));
  for (const args of [{ key: long }, { key: quotes }, many]) {
    const result = await evidence.execute(args);
    assert.ok(JSON.stringify(result).length <= maxCharacters, JSON.stringify(result).slice(0, 300));
    assert.equal(result.error.kind, "arguments");
    assert.ok(result.error.message.length >= 15, result.error.message);
    assert.match(result.error.help, /call|correct/);
    assert.ok(result.error.fields.length >= 1 && result.error.fields[0].field.length < 500);
    assert.equal(result.cut?.error, "cut, ask for less");
  }
});
