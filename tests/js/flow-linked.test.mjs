// Built-in node types of `byname/flow`.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, GaslSession, Graph, init } from "byname";
import { linkedNodes, linkedRegistry } from "byname/flow";

await init();

test("a reply that was truncated for length fails its node, with and without a schema", async () => {
  for (const schema of [undefined, { type: "number" }]) {
    const params = { prompt: "How many?", ...(schema && { schema }) };
    const { flow } = compileFlow({ nodes: [{ id: "ask", type: "llm", params }] }, linkedRegistry);
    const llm = () => ({ text: "12", json: 12, finishReason: "length" });
    const { status, diagnostics } = await flow.run({ nodes: linkedNodes({ llm }) });
    assert.equal(status, "failed");
    assert.match(diagnostics[0].message, /^`ask` failed: the reply was cut off at the token limit/);
  }
});

test("a refused reply fails its node", async () => {
  const workflow = { nodes: [{ id: "ask", type: "llm", params: { prompt: "How?" } }] };
  const { flow } = compileFlow(workflow, linkedRegistry);
  const llm = () => ({ text: "", finishReason: "refusal" });
  const { status, diagnostics } = await flow.run({ nodes: linkedNodes({ llm }) });
  assert.equal(status, "failed");
  assert.match(diagnostics[0].message, /^`ask` failed: the model refused to answer/);
});

test("a reply that does not match its schema fails its node", async () => {
  const list = { type: "array", items: { enum: ["x", "y"] } };
  const schema = { type: "object", required: ["a"], properties: { a: list } };
  const params = { prompt: "Write.", schema };
  const workflow = { nodes: [{ id: "ask", type: "llm", params }], outputs: { response: {} } };
  const { flow } = compileFlow(workflow, linkedRegistry);
  for (const [reply, error] of [
    ['{"b":1}', "missing `a` at `$`"],
    ['{"a":1}', "expected array at `$.a`, found"],
    ['{"a":["x","z"]}', 'expected "x" or "y" at `$.a[1]`, found "z"'],
    ['{"a":["x","y"]}', undefined],
  ]) {
    const result = await flow.run({ nodes: linkedNodes({ llm: () => reply }) });
    assert.equal(result.status, error === undefined ? "completed" : "failed", reply);
    assert.ok((result.diagnostics[0]?.message ?? "").includes(error ?? ""), reply);
  }
});

test("extracts JSON from its fence, and keeps it complete where its texts contain fences", async () => {
  const value = { md: "```js\nx\n```" };
  const text = JSON.stringify(value);
  const params = { prompt: "Write.", schema: { type: "object" } };
  const workflow = { nodes: [{ id: "ask", type: "llm", params }], outputs: { response: {} } };
  const { flow } = compileFlow(workflow, linkedRegistry);
  const several = `\`\`\`json\n${text}\n\`\`\``;
  const first = `\`\`\`json\n{"md":1}\n\`\`\`\nor\n\`\`\`\nnothing\n\`\`\``;
  for (const [response, expected] of [
    [text, value],
    [several, value],
    [`Here:\n${several}\nDone.`, value],
    [first, { md: 1 }],
  ]) {
    const result = await flow.run({ nodes: linkedNodes({ llm: () => response }) });
    assert.equal(result.status, "completed", JSON.stringify(result.diagnostics));
    assert.deepEqual(result.outputs.response, expected);
  }
});

test("removes thinking before a reply", async () => {
  const text = '<think>\nmaybe {"md": 0}\n</think>\n\n{"md": 1}';
  for (const [schema, expected] of [
    [undefined, '{"md": 1}'],
    [{ type: "object" }, { md: 1 }],
  ]) {
    const params = { prompt: "Write.", ...(schema && { schema }) };
    const workflow = { nodes: [{ id: "ask", type: "llm", params }], outputs: { response: {} } };
    const { flow } = compileFlow(workflow, linkedRegistry);
    const { outputs } = await flow.run({ nodes: linkedNodes({ llm: () => text }) });
    assert.deepEqual(outputs.response, expected);
  }
});

const rooms = () =>
  new GaslSession({
    graph: Graph.fromCsv({ nodes: "id,kind\na,P\nb,C\n", edges: "source,target\n" }),
  });

test("runs plans of a batch one after the other, whatever the concurrency", async () => {
  const plan = { plan_id: "p", why: "w", commands: ["FIND nodes WHERE kind = $item AS x"] };
  const node = { id: "g", type: "gasl.plan", batch: { items: ["P", "C"] } };
  const workflow = {
    nodes: [{ ...node, params: { plan, variable: "x" } }],
    outputs: { all: "$value" },
  };
  const { flow } = compileFlow(workflow, linkedRegistry);
  for (const concurrency of [1, 3]) {
    const nodes = linkedNodes({ session: rooms() });
    const { outputs, diagnostics } = await flow.run({ nodes, concurrency });
    const ids = outputs.all?.map((rows) => rows.map(({ id }) => id));
    assert.deepEqual(ids, [["a"], ["b"]], JSON.stringify(diagnostics));
  }
});

test("a variable that a plan has not written fails its node", async () => {
  const params = {
    plan: { plan_id: "p", why: "w", commands: ["FIND nodes AS x"] },
    variable: "y",
  };
  const { flow } = compileFlow({ nodes: [{ id: "g", type: "gasl.plan", params }] }, linkedRegistry);
  const { status, diagnostics } = await flow.run({ nodes: linkedNodes({ session: rooms() }) });
  assert.equal(status, "failed");
  assert.match(diagnostics[0].message, /undefined variable `y` after the plan/);
});

test("a model gets the params of its node, and the item of a batch", async () => {
  const params = {
    prompt: "Describe $item",
    system: "Be short",
    model: "small-1",
    temperature: 0,
    maxOutputTokens: 50,
    seed: 7,
    images: ["a.png"],
    schema: { type: "string" },
    top_p: 0.5,
  };
  const node = { id: "ask", type: "llm", params, batch: { items: ["x", "y"] } };
  const { flow } = compileFlow({ nodes: [node] }, linkedRegistry);
  const requests = [];
  const llm = ({ signal: _, ...request }) => {
    requests.push(request);
    return '"ok"';
  };
  const { status } = await flow.run({ nodes: linkedNodes({ llm }) });
  assert.equal(status, "completed");
  const { prompt: _, system, ...others } = params;
  const { top_p: __, ...known } = others;
  assert.deepEqual(
    requests,
    ["x", "y"].map((item, index) => ({
      id: "ask",
      task: "process",
      system,
      prompt: `Describe ${item}`,
      ...known,
      schemaName: "answer",
      params: others,
      item,
      index,
      pass: 1,
      attempt: 1,
    })),
  );
});

test("a param of the wrong type fails the node of a model, and names it", async () => {
  const params = { prompt: "Hi", temperature: "hot" };
  const { flow } = compileFlow({ nodes: [{ id: "ask", type: "llm", params }] }, linkedRegistry);
  const { status, diagnostics } = await flow.run({ nodes: linkedNodes({ llm: () => "ok" }) });
  assert.equal(status, "failed");
  assert.match(
    diagnostics[0].message,
    /expected a number for the param `temperature`, found a string/,
  );
});
