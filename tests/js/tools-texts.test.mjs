// Texts of the tools of graphs and workflows: the language in parts, plans, helps for a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GaslSession, Graph, init } from "byname";
import { flowTools, graphTools } from "byname/tools";

await init();

const session = () => new GaslSession({ graph: Graph.fromCsv({ edges: "source,target\na,b\n" }) });
const byName = (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool]));

test("the language is never cut: what does not fit is read a part at a time", async () => {
  const { describe_graph } = byName(graphTools(session(), { maxCharacters: 1000 }));
  const first = await describe_graph.execute({});
  assert.equal(first.gasl, undefined);
  assert.equal(first.cut, undefined);
  let rest = first.gaslRest;
  let language = "";
  while (rest !== undefined) {
    const part = await describe_graph.execute(/\{.*\}/.exec(rest)[0]);
    assert.ok(JSON.stringify(part).length <= 1000 && part.cut === undefined);
    language += part.gasl;
    rest = part.rest;
  }
  assert.equal(language, GaslSession.prompt());
  const whole = await byName(graphTools(session())).describe_graph.execute({});
  assert.equal(whole.gasl, GaslSession.prompt());
  assert.equal(whole.gaslRest, undefined);
});

test("a plan may be written as the language describes it", async () => {
  const { run_plan } = byName(graphTools(session()));
  const [json] = /\{"plan_id".*\}/.exec(GaslSession.prompt());
  const plan = JSON.parse(json);
  const commands = ["FIND nodes WHERE id = none AS x", "FIND nodes AS y"];
  const stopped = await run_plan.execute({ ...plan, commands });
  assert.equal(stopped.steps.length, 1);
  const config = { continue_on_empty: true };
  const continued = await run_plan.execute({ ...plan, commands, config });
  assert.deepEqual([continued.ok, continued.steps.length], [true, 2]);
  const unknown = await run_plan.execute({ commands, config: { stop: true } });
  assert.equal(unknown.error.fields[0].field, "/config/stop");
});

test("an unknown variable has no location in a text that the model did not send", async () => {
  const { show_rows } = byName(graphTools(session()));
  const { ok, diagnostics } = await show_rows.execute({ name: "zz" });
  assert.deepEqual(
    [ok, diagnostics[0].code, diagnostics[0].location],
    [false, "GASL030", undefined],
  );
});

test("the help for a failed run names a tool", async () => {
  const registry = { fail: { outputs: [{ key: "x" }] } };
  const nodes = {
    fail: () => {
      throw new Error("no");
    },
  };
  const { run_flow } = byName(flowTools({ registry, nodes }));
  const workflow = { nodes: [{ id: "a", type: "fail" }], edges: [] };
  const result = await run_flow.execute({ workflow });
  assert.equal(result.ok, false);
  const helps = result.diagnostics.map(({ help }) => help ?? "").join("\n");
  assert.match(helps, /call run_flow again/);
  assert.doesNotMatch(helps, /trace/);
});
