// Tools of a model: results, errors of arguments, pages, cancelling, disposal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GaslSession, Graph, init, Surface } from "byname";
import { defineCatalog } from "byname/catalog";
import { Surfaces } from "byname/messages";
import {
  flowTools,
  graphTools,
  registerWebMcp,
  surfaceTools,
  toAnthropic,
  toOpenAI,
} from "byname/tools";

await init();

const edges = "source,target\na,b\nb,c\n";
const nodes = "id,kind\na,PERSON\nb,PERSON\nc,PLACE\n";
const sessionOf = (options) =>
  new GaslSession({ graph: Graph.fromCsv({ nodes, edges }), ...options });
const byName = (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool]));
const catalog = defineCatalog({
  components: {
    Text: { props: { text: "string" } },
    Column: { props: { children: "children" } },
  },
});
const size = (value) => JSON.stringify(value).length;

/** Large session: 3,000 rows whose JSON text has 100,000 characters. */
function largeSession() {
  const ids = Array.from({ length: 3000 }, (_, at) => `n${at}`);
  const rows = ids.map((id) => `${id},name of ${id}`).join("\n");
  const graph = Graph.fromCsv({ nodes: `id,name\n${rows}`, edges: "source,target\nn0,n1" });
  return new GaslSession({ graph });
}

test("the graph tools describe, run a plan and return rows", async () => {
  const { describe_graph, run_plan, show_rows, evidence } = byName(graphTools(sessionOf()));
  const described = await describe_graph.execute({});
  assert.match(described.graph, /3 nodes, 2 edges/);
  assert.match(described.gasl, /FIND/);
  assert.equal((await describe_graph.execute({ language: false })).gasl, undefined);
  const commands = ["FIND nodes WHERE kind = PERSON AS people", "SHOW people", "COUNT people AS n"];
  const result = await run_plan.execute({ commands });
  assert.equal(result.ok, true);
  assert.deepEqual(
    result.steps.map(({ status }) => status),
    ["success", "success", "success"],
  );
  assert.deepEqual(
    result.results.map(({ name, total, value }) => [name, total ?? value]),
    [
      ["people", 2],
      ["n", 2],
    ],
  );
  assert.deepEqual(result.results[0].rows[0], { id: "a", kind: "PERSON" });
  assert.deepEqual(await show_rows.execute({ name: "people", fields: ["id"], offset: 1 }), {
    ok: true,
    rows: [{ id: "b" }],
    total: 2,
  });
  assert.deepEqual(await show_rows.execute({ name: "n" }), { ok: true, value: 2 });
  await run_plan.execute({
    commands: [commands[0], "DECLARE found AS LIST", "UPDATE found WITH people"],
  });
  const found = await evidence.execute({ key: "found" });
  assert.equal(found.ok, true);
  assert.equal(found.total, 2);
});

test("errors of a plan are the diagnostics with their fixes", async () => {
  const { run_plan, show_rows, evidence } = byName(graphTools(sessionOf()));
  const wrong = await run_plan.execute({ commands: ["FIND nodez AS x"] });
  assert.deepEqual([wrong.ok, wrong.error.kind], [false, "diagnostics"]);
  assert.equal(wrong.diagnostics[0].code, "GASL001");
  assert.match(wrong.diagnostics[0].help, /FIND nodes AS x/);
  await run_plan.execute({ commands: ["FIND nodes AS people"] });
  const misspelt = await show_rows.execute({ name: "peple" });
  assert.equal(misspelt.ok, false);
  assert.match(misspelt.diagnostics[0].help, /`people`/);
  const unknown = await show_rows.execute({ name: "people", fields: ["nam"] });
  assert.deepEqual([unknown.error.kind, unknown.error.fields[0].field], ["arguments", "/fields/0"]);
  assert.match(unknown.error.fields[0].help, /`kind`/);
  const missing = await evidence.execute({ key: "found" });
  assert.deepEqual([missing.ok, missing.error.fields[0].field], [false, "/key"]);
});

test("arguments that do not fit list their fields, and nothing throws", async () => {
  const tools = [
    ...graphTools(sessionOf()),
    ...surfaceTools(new Surface({ catalog }), { catalog }),
    ...flowTools({ registry: {}, nodes: {} }),
  ];
  const circular = {};
  circular.commands = [circular];
  const inputs = [undefined, null, "", "{", "[]", 7, [], true, circular, { x: 1n }, () => {}];
  for (const { name, execute } of tools) {
    for (const input of inputs) {
      const result = await execute(input);
      assert.equal(typeof result.ok, "boolean", name);
      if (!result.ok) assert.ok(result.error.message, name);
    }
    const unknown = await execute({ nonsense: 1 });
    assert.equal(unknown.error.kind, "arguments", name);
    assert.ok(unknown.error.fields.some(({ field, help }) => field === "/nonsense" && help));
  }
  const { run_plan, show_rows, create_surface } = byName(tools);
  const fieldsOf = async (tool, args) => (await tool.execute(args)).error.fields;
  assert.deepEqual(await fieldsOf(run_plan, { commands: "FIND nodes AS x" }), [
    {
      field: "/commands",
      message: "expected an array, found a string",
      help: 'GASL commands, such as ["FIND nodes AS x", "SHOW x"]',
    },
  ]);
  const several = await fieldsOf(show_rows, { name: "", offset: -1, limit: 0.5 });
  assert.deepEqual(
    several.map(({ field }) => field),
    ["/name", "/offset", "/limit"],
  );
  const component = { id: "root", component: "Txt" };
  const [wrong] = await fieldsOf(create_surface, { surfaceId: "s", components: [component] });
  assert.deepEqual([wrong.field, wrong.help], ["/components/0/component", "did you mean `Text`?"]);
  const [missing] = await fieldsOf(run_plan, {});
  assert.match(missing.help, /^add `commands`: /);
});

test("arguments may be JSON text", async () => {
  const { run_plan } = byName(graphTools(sessionOf()));
  const result = await run_plan.execute('{"commands": ["FIND nodes AS x"]}');
  assert.equal(result.results[0].total, 3);
});

test("large results are pages that say how to get the rest", async () => {
  const maxCharacters = 3000;
  const tools = graphTools(largeSession(), { maxCharacters });
  const { run_plan, show_rows, describe_graph } = byName(tools);
  const result = await run_plan.execute({ commands: ["FIND nodes AS all", "SHOW all"] });
  assert.ok(size(result) <= maxCharacters, `${size(result)}`);
  assert.match(result.results[0].rest, /call show_rows with \{"name":"all","offset":\d+\}/);
  const ids = [];
  let args = { name: "all", fields: ["id"] };
  while (args) {
    const page = await show_rows.execute(args);
    assert.ok(size(page) <= maxCharacters);
    ids.push(...page.rows.map(({ id }) => id));
    args = page.rest && JSON.parse(/with (\{.*\})$/.exec(page.rest)[1]);
  }
  assert.deepEqual([ids.length, new Set(ids).size, ids.at(-1)], [3000, 3000, "n2999"]);
  const after = await show_rows.execute({ name: "all", offset: 5000 });
  assert.match(after.rest, /offset 5000 is after the last row/);
  assert.ok(size(await describe_graph.execute({})) <= maxCharacters);
  assert.throws(() => graphTools(sessionOf(), { maxCharacters: 10 }), { code: "argument" });
  assert.throws(() => graphTools(sessionOf(), { maxChars: 10 }), { code: "argument" });
});

test("a row that is too long is cut with a note", async () => {
  const long = "x".repeat(50_000);
  const graph = Graph.from({ nodes: [{ id: "a", text: long }], links: [] });
  const { run_plan, show_rows } = byName(graphTools(new GaslSession({ graph })));
  await run_plan.execute({ commands: ["FIND nodes AS x"] });
  const page = await show_rows.execute({ name: "x" });
  assert.ok(size(page) <= 8000);
  assert.equal(page.rows[0].id, "a");
  assert.match(page.rows[0].text, /cut; 50000 characters/);
});

test("plans that are called concurrently run one after the other", async () => {
  const { run_plan } = byName(graphTools(sessionOf()));
  const calls = ["a", "b", "c"].map((name) =>
    run_plan.execute({ commands: [`FIND nodes AS ${name}`, `COUNT ${name} AS n`] }),
  );
  for (const result of await Promise.all(calls)) assert.equal(result.status, "completed");
});

test("a cancelled call returns a result, and the next one works", async () => {
  const { run_plan } = byName(graphTools(sessionOf()));
  const call = (signal) => run_plan.execute({ commands: ["FIND nodes AS x"] }, { signal });
  assert.equal((await call(AbortSignal.abort())).error.kind, "cancelled");
  const controller = new AbortController();
  const running = call(controller.signal);
  controller.abort();
  assert.equal((await running).error.kind, "cancelled");
  assert.equal((await call()).ok, true);
});

test("tools return an error after disposal", async () => {
  const session = sessionOf();
  const surface = new Surface({ catalog });
  const tools = [...graphTools(session), ...surfaceTools(surface, { catalog })];
  session[Symbol.dispose]();
  surface[Symbol.dispose]();
  const args = {
    run_plan: { commands: ["FIND nodes AS x"] },
    show_rows: { name: "x" },
    evidence: { key: "x" },
    create_surface: { surfaceId: "s", components: [] },
  };
  for (const { name, execute } of tools) {
    if (name === "describe_components") continue;
    const result = await execute(args[name] ?? {});
    assert.equal(result.error?.kind, "disposed", name);
  }
});

const components = [
  { id: "root", component: "Column", children: ["title"] },
  { id: "title", component: "Text", text: { binding: { node: "root", key: "title" } } },
];

test("the surface tools create, update by id, read and list problems", async () => {
  for (const target of [new Surface({ catalog }), new Surfaces({ catalog })]) {
    const tools = byName(surfaceTools(target, { catalog }));
    assert.match((await tools.read_surface.execute({})).error.help, /create_surface/);
    const create = { surfaceId: "s", components, nodes: { root: { title: "Hello" } } };
    assert.deepEqual(await tools.create_surface.execute(create), { ok: true, surfaceId: "s" });
    const again = await tools.create_surface.execute(create);
    assert.equal(again.error.fields[0].field, "/surfaceId");
    const read = await tools.read_surface.execute({ surfaceId: "s" });
    assert.deepEqual(read.rows[1], {
      id: "title",
      component: "Text",
      key: "root/title",
      parent: "root",
      props: { text: "Hello" },
    });
    const changed = await tools.update_surface.execute({ nodes: { root: { title: "Bye" } } });
    assert.equal(changed.ok, true);
    const one = await tools.read_surface.execute({ id: "title" });
    assert.equal(one.rows[0].props.text, "Bye");
    const data = await tools.read_surface.execute({ part: "nodes" });
    assert.deepEqual(data.rows, [{ id: "root", value: { title: "Bye" } }]);
    const unknown = await tools.update_surface.execute({ surfaceId: "x", nodes: {} });
    assert.match(unknown.error.fields[0].help, /`s`/);
    const wrong = [{ id: "root", component: "Column", children: ["absent"] }];
    const update = await tools.update_surface.execute({ components: wrong });
    assert.ok(update.diagnostics.length > 0);
    const problems = await tools.list_problems.execute({});
    assert.ok(problems.rows.some(({ message }) => message.includes("absent")));
    assert.match((await tools.read_surface.execute({ id: "nowhere" })).error.message, /arguments/);
  }
});

test("components are described a page at a time", async () => {
  const { describe_components } = byName(surfaceTools(new Surface({ catalog }), { catalog }));
  const { rows } = await describe_components.execute({ names: ["Text"] });
  assert.deepEqual([rows.length, rows[0].component], [1, "Text"]);
});

test("a surface with another catalog is checked with that of the tools", async () => {
  const { create_surface } = byName(surfaceTools(new Surface(), { catalog }));
  const wrong = [{ id: "root", component: "Text", txt: "a" }];
  const result = await create_surface.execute({ surfaceId: "s", components: wrong });
  assert.ok(result.diagnostics.some(({ message }) => message.includes("txt")));
});

const registry = {
  greet: { description: "Greets.", inputs: ["name"], outputs: ["text"] },
  fail: { outputs: ["x"] },
};
const callbacks = {
  greet: async ({ inputs }) => ({ outputs: { text: `Hi ${inputs.name}` } }),
  fail: async () => {
    throw new Error("no network");
  },
};
const workflow = {
  inputs: { who: {} },
  nodes: [{ id: "hello", type: "greet", params: { name: "$who" } }],
  outputs: { text: {} },
};

test("the flow tools return the context, the errors and the outputs of a workflow", async () => {
  const tools = byName(flowTools({ registry, nodes: callbacks }));
  assert.match(JSON.stringify(await tools.flow_context.execute({})), /Greets\./);
  assert.match((await tools.flow_context.execute({ workflow })).context, /greet/);
  assert.equal((await tools.check_flow.execute({ workflow })).ok, true);
  const run = await tools.run_flow.execute({ workflow, inputs: { who: "Ann" } });
  assert.deepEqual([run.ok, run.outputs], [true, { text: "Hi Ann" }]);
  const unknown = { nodes: [{ id: "a", type: "gret" }] };
  const checked = await tools.check_flow.execute({ workflow: unknown });
  assert.equal(checked.error.kind, "diagnostics");
  assert.ok(checked.diagnostics[0].help);
  const failed = await tools.run_flow.execute({ workflow: { nodes: [{ id: "a", type: "fail" }] } });
  assert.deepEqual([failed.ok, failed.status], [false, "failed"]);
  assert.match(failed.diagnostics[0].message, /no network/);
  const controller = new AbortController();
  const cancelled = tools.run_flow.execute({ workflow, inputs: { who: "A" } }, controller);
  controller.abort();
  assert.equal((await cancelled).error.kind, "cancelled");
});

test("the definitions for OpenAI and Anthropic have the schema", () => {
  const tools = graphTools(sessionOf());
  const [{ name, description, inputSchema }] = tools;
  assert.deepEqual(toOpenAI(tools)[0], {
    type: "function",
    function: { name, description, parameters: inputSchema },
  });
  assert.deepEqual(toAnthropic(tools)[0], { name, description, input_schema: inputSchema });
  for (const one of tools) assert.match(one.name, /^[a-z_]{1,64}$/);
});

test("a plan that stops at an empty result says which commands were not run", async () => {
  const { run_plan, show_rows } = byName(graphTools(sessionOf()));
  const commands = ["FIND nodes WHERE kind = ROBOT AS none", "COUNT none AS n", "SHOW n"];
  const result = await run_plan.execute({ commands });
  assert.equal(result.status, "stopped_empty");
  assert.equal(result.notRun, "the last 2 of 3 commands were not run");
  await run_plan.execute({ commands: ["FIND nodes AS `two words`"] });
  assert.equal((await show_rows.execute({ name: "two words" })).total, 3);
});

test("a stored state is loaded before rows are read", async () => {
  let stored = null;
  const backend = {
    load: async () => stored,
    save: async (state) => {
      stored = { state, rev: `${Number(stored?.rev ?? 0) + 1}` };
      return { rev: stored.rev };
    },
  };
  const first = byName(graphTools(sessionOf({ backend })));
  const update = ["FIND nodes AS x", "DECLARE found AS LIST", "UPDATE found WITH x"];
  await first.run_plan.execute({ commands: update });
  const later = byName(graphTools(sessionOf({ backend })));
  assert.equal((await later.show_rows.execute({ name: "found" })).total, 3);
  const again = byName(graphTools(sessionOf({ backend })));
  assert.equal((await again.evidence.execute({ key: "found" })).total, 3);
  // Variables of the host remain.
  const host = sessionOf();
  await host.execute("FIND nodes AS mine");
  const hostTools = byName(graphTools(host));
  assert.equal((await hostTools.show_rows.execute({ name: "mine" })).total, 3);
  const third = byName(graphTools(sessionOf({ backend })));
  assert.deepEqual((await third.describe_graph.execute({})).variables, ["found"]);
});

test("WebMCP gets the tools, and loses them when they are withdrawn", async () => {
  for (const isOld of [false, true]) {
    const known = new Map();
    const modelContext = {
      registerTool(tool, { signal }) {
        known.set(tool.name, tool);
        if (!isOld) signal.addEventListener("abort", () => known.delete(tool.name));
      },
      ...(isOld && { unregisterTool: (name) => known.delete(name) }),
    };
    const withdraw = registerWebMcp(modelContext, graphTools(sessionOf()));
    assert.equal(known.size, 4);
    const { execute } = known.get("run_plan");
    const { content, isError } = await execute({ commands: 7 });
    assert.equal(isError, true);
    assert.equal(JSON.parse(content[0].text).error.fields[0].field, "/commands");
    withdraw();
    withdraw();
    assert.equal(known.size, 0);
    const late = await execute({ commands: ["FIND nodes AS x"] });
    assert.equal(JSON.parse(late.content[0].text).error.kind, "cancelled");
  }
  assert.throws(() => registerWebMcp({}, []), { code: "argument" });
});
