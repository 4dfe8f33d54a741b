// Schemas in requests: services reject a complete request for an unsupported keyword.
import assert from "node:assert/strict";
import test from "node:test";
import { ask as askGraph, compileFlow, GaslSession, Graph, init } from "byname";
import { basicCatalog } from "byname/dom";
import { linkedNodes, linkedRegistry } from "byname/flow";
import { aiSdk, anthropic, openai } from "byname/llm";
import { chat, message, newRequest } from "./llm-server.mjs";

await init();

/** Returns the violations of the schema subset that Anthropic documents. */
function violationsOf(schema, at = "") {
  const supported = [
    ...["type", "properties", "required", "additionalProperties", "items", "enum", "const"],
    ...["anyOf", "title", "description", "default", "format", "pattern", "minItems"],
    ...["$ref", "$defs", "definitions"],
  ];
  if (typeof schema !== "object" || Array.isArray(schema)) return [`${at}: no schema`];
  const violations = Object.keys(schema)
    .filter((keyword) => !supported.includes(keyword))
    .map((keyword) => `${at}: ${keyword}`);
  const { type, properties = {}, items, minItems = 0, $defs = {}, definitions = {} } = schema;
  const types = [type].flat();
  if (!["type", "enum", "const", "anyOf", "$ref"].some((keyword) => keyword in schema)) {
    violations.push(`${at}: any value`);
  }
  if (types.includes("object") && schema.additionalProperties !== false)
    violations.push(`${at}: open`);
  if (types.includes("array") && items === undefined) violations.push(`${at}: any items`);
  if (minItems > 1) violations.push(`${at}: minItems`);
  const parts = { ...properties, ...$defs, ...definitions, ...(items && { items }) };
  for (const [name, part] of [...Object.entries(parts), ...Object.entries(schema.anyOf ?? [])]) {
    violations.push(...violationsOf(part, `${at}/${name}`));
  }
  return violations;
}

/** Returns the schema that is sent for a request with this one. */
async function schemaSentFor(schema, adapter = anthropic, options = {}) {
  let body;
  const fetch = async (_, init) => {
    body = JSON.parse(init.body);
    return Response.json(adapter === anthropic ? message("{}") : chat("{}"));
  };
  await adapter({ model: "m", apiKey: "sk-0123456789", fetch, ...options })(newRequest({ schema }));
  if (adapter === openai) return body.response_format?.json_schema;
  const closed = body.output_config?.format.schema;
  if (closed !== undefined) assert.deepEqual(violationsOf(closed), []);
  return closed;
}

/** Returns all schemas in the requests of a session. */
async function requestedSchemas() {
  const schemas = [];
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a", type: "P" }], edges: [] });
  const llm = ({ schema }) => {
    if (schema !== undefined) schemas.push(schema);
    return "{}";
  };
  const session = new GaslSession({ graph, llm });
  await session.execute("FIND nodes AS f");
  await session.execute('PROCESS f USING "label each" AS g');
  await session.execute(
    'PROCESS f USING "label" RETURNING {"type": "object", "properties": {"label": {"type": "string"}}} AS h',
  );
  await session.execute(
    'PROCESS f USING "label" RETURNING {"type": "array", "items": {"type": "string"}} AS i',
  );
  await session.execute('ANALYZE f USING "sum up" AS j');
  await session.propose("Who?").catch(() => {});
  await session.solve("Who?", { maxPlans: 1 });
  return schemas;
}

test("sends the schemas of a session in Anthropic's subset, or not at all", async () => {
  const schemas = await requestedSchemas();
  assert.ok(schemas.length > 5);
  for (const schema of [...schemas, GaslSession.planSchema()]) await schemaSentFor(schema);
  assert.deepEqual(await schemaSentFor(schemas.find(({ properties }) => properties?.label)), {
    type: "object",
    properties: { label: { type: "string" } },
    additionalProperties: false,
  });
  const closed = await schemaSentFor(GaslSession.planSchema());
  assert.deepEqual(closed.properties.plan_id, { type: "string" });
  assert.deepEqual(closed.required, ["plan_id", "why", "commands"]);
});

test("a service that rejects undocumented keywords answers a question", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "ADA" }], edges: [] });
  const replies = [
    JSON.stringify({ plan_id: "p", why: "look", commands: ["FIND nodes AS found"] }),
    "COMPLETE: ADA",
  ];
  const fetch = async (_, init) => {
    const { output_config } = JSON.parse(init.body);
    const errors = output_config ? violationsOf(output_config.format.schema) : [];
    if (errors.length > 0) return Response.json({ error: { message: errors[0] } }, { status: 400 });
    return Response.json(message(replies.shift()));
  };
  const llm = anthropic({ model: "m", apiKey: "sk-0123456789", fetch });
  const { status, answer } = await askGraph("Who?", { graph, llm });
  assert.deepEqual([status, answer], ["complete", "ADA"]);
});

test("a node of a workflow has a closed schema", async () => {
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } } };
  const nodes = [{ id: "a", type: "llm", params: { prompt: "One?", schema } }];
  const { flow } = compileFlow({ nodes, outputs: { response: {} } }, linkedRegistry);
  let sentSchema;
  const fetch = async (_, init) => {
    sentSchema = JSON.parse(init.body).output_config.format.schema;
    return Response.json(message('{"n": 1}'));
  };
  const llm = anthropic({ model: "m", apiKey: "sk-0123456789", fetch });
  const { outputs } = await flow.run({ nodes: linkedNodes({ llm }) });
  assert.deepEqual(outputs, { response: { n: 1 } });
  assert.deepEqual(violationsOf(sentSchema), []);
});

const string = { type: "string" };
const object = (properties, more = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

test("sends a schema unchanged if Anthropic supports it", async () => {
  for (const schema of [
    object({ a: string, b: { enum: ["x", 1, null] }, c: { const: true } }, { required: ["a"] }),
    object({ a: { anyOf: [string, { type: "null" }] }, b: { type: ["string", "null"] } }),
    object({ a: { type: "string", format: "date", pattern: "^[a-z]+$", description: "d" } }),
    object({ a: { type: "array", items: string, minItems: 1 } }),
    object({}),
    { ...object({ a: { $ref: "#/$defs/s" } }), $defs: { s: string } },
    { ...object({ a: { $ref: "#/definitions/s" } }), definitions: { s: string } },
    { anyOf: [object({ a: string }), object({ b: string })] },
    object(JSON.parse('{"__proto__": {"type": "string"}, "type": {"type": "string"}}')),
  ]) {
    assert.deepEqual(await schemaSentFor(schema), schema);
  }
});

test("closes objects and omits limits for Anthropic", async () => {
  const open = (properties) => ({ type: "object", properties });
  for (const [schema, closed] of [
    [open({ a: string }), object({ a: string })],
    [
      object({ a: { type: "number", minimum: 0, maximum: 1, multipleOf: 2 } }),
      object({ a: { type: "number" } }),
    ],
    [
      object({ a: { type: "string", minLength: 1, maxLength: 2, format: "odd" } }),
      object({ a: string }),
    ],
    [object({ a: { type: "string", pattern: "^(?!x)" } }), object({ a: string })],
    [
      object({
        a: {
          type: "array",
          items: open({ b: string }),
          minItems: 3,
          maxItems: 4,
          uniqueItems: true,
        },
      }),
      object({ a: { type: "array", items: object({ b: string }), minItems: 1 } }),
    ],
    [
      object({ a: { oneOf: [string, { type: "null" }] } }),
      object({ a: { anyOf: [string, { type: "null" }] } }),
    ],
    [
      {
        ...object({ a: { $ref: "#/$defs/o", description: "d" } }),
        $defs: { o: open({ b: string }), unused: {} },
        $schema: "x",
      },
      { ...object({ a: { $ref: "#/$defs/o" } }), $defs: { o: object({ b: string }) } },
    ],
  ]) {
    assert.deepEqual(await schemaSentFor(schema), closed);
  }
});

test("sends no schema to Anthropic that it cannot express", async () => {
  const recursive = { $defs: { n: object({ next: { $ref: "#/$defs/n" } }) } };
  const many = (count, part) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, part]));
  const union = { anyOf: [string, { type: "null" }] };
  const required = Object.keys(many(17, union));
  for (const schema of [
    true,
    {},
    { type: "object" },
    { type: "array" },
    { type: "array", items: {} },
    object({ a: { type: "object" } }),
    object({ a: { type: "object", additionalProperties: true, properties: { b: string } } }),
    object({ a: { type: "object", additionalProperties: string } }),
    object({
      a: { type: "object", patternProperties: { "^x": string }, additionalProperties: false },
    }),
    object({ a: {} }),
    object({ a: true }),
    object({ a: { description: "anything" } }),
    object({ a: { type: "array" } }),
    object({ a: { enum: [{ b: 1 }] } }),
    object({ a: { allOf: [string] } }),
    object({ a: { anyOf: "x" } }),
    object({ a: string }, { required: ["b"] }),
    { ...object({ a: { $ref: "#/$defs/n" } }), ...recursive },
    object({ a: { $ref: "https://example.com/s.json" } }),
    object({ a: { $ref: "#/$defs/none" } }),
    object(many(25, string)),
    object(many(17, union), { required }),
    basicCatalog.schema({ list: true }),
  ]) {
    assert.equal(await schemaSentFor(schema), undefined, JSON.stringify(schema).slice(0, 200));
  }
});

test("requests strict mode of OpenAI only for completely closed schemas", async () => {
  const strict = { strict: true };
  const closed = object({ a: object({ b: string }, { required: ["b"] }) }, { required: ["a"] });
  assert.deepEqual(await schemaSentFor(closed, openai, strict), {
    name: "plan",
    strict: true,
    schema: closed,
  });
  for (const schema of [
    { type: "object" },
    object({ a: string }),
    object({ a: { type: ["object", "null"], properties: {} } }, { required: ["a"] }),
    ...(await requestedSchemas()).filter(({ type }) => type === "object"),
  ]) {
    assert.equal((await schemaSentFor(schema, openai, strict)).strict, false);
  }
});

/** Returns an object schema around the schema of its `value`. */
const around = (value, more) => object({ value }, { required: ["value"], ...more });

test("wraps a schema that is not an object in one, and unwraps the reply", async () => {
  const list = { type: "array", items: object({ a: string }) };
  const $defs = { s: string };
  const definitions = $defs;
  for (const [schema, wrapped] of [
    [list, around(list)],
    [string, around(string)],
    [{ enum: ["a", 1] }, around({ enum: ["a", 1] })],
    [{ $ref: "#/$defs/s", $defs }, around({ $ref: "#/$defs/s" }, { $defs })],
    [
      { $ref: "#/definitions/s", definitions },
      around({ $ref: "#/definitions/s" }, { definitions }),
    ],
  ]) {
    assert.deepEqual(await schemaSentFor(schema), wrapped);
    for (const options of [{}, { baseUrl: "http://localhost:8080/v1" }])
      assert.deepEqual((await schemaSentFor(schema, openai, options)).schema, wrapped);
  }
  const replies = {
    '{"value":[{"a":"}"}]}': '[{"a":"}"}]',
    '\n{ "value" : [ 1.0, {"value":2} ]\n}\n': '[ 1.0, {"value":2} ]',
    // A reply of another form is reported unchanged.
    "[1]": "[1]",
    '{"value":[1],"value":[2]}': '{"value":[1],"value":[2]}',
    '{"value":[1': '{"value":[1',
    '{"values":[1]}': '{"values":[1]}',
  };
  for (const [replied, text] of Object.entries(replies)) {
    for (const [adapter, answer] of [
      [anthropic, message],
      [openai, chat],
    ]) {
      const fetch = async () => Response.json(answer(replied));
      const llm = adapter({ model: "m", apiKey: "sk-0123456789", fetch });
      assert.equal((await llm(newRequest({ schema: list }))).text, text);
      assert.equal((await llm(newRequest({ schema: object({ value: list }) }))).text, replied);
    }
  }
});

test("lists without an item type may contain anything, also for OpenAI", async () => {
  const bare = { type: ["array", "null"] };
  const complete = { ...bare, items: {} };
  const data = { default: { type: "array" }, enum: [[1]] };
  for (const [schema, converted] of [
    [object({ a: bare, type: bare }), object({ a: complete, type: complete })],
    [
      object({ a: { anyOf: [bare] } }, { $defs: { b: bare } }),
      object({ a: { anyOf: [complete] } }, { $defs: { b: complete } }),
    ],
    [object({ a: { ...complete, items: bare } }), object({ a: { ...complete, items: complete } })],
    [object({ a: data }), object({ a: data })],
  ]) {
    assert.deepEqual((await schemaSentFor(schema, openai)).schema, converted);
  }
});

test("a service that requires an object returns the list of rows of a PROCESS", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "ada" }], edges: [] });
  const fetch = async (_, init) => {
    const { schema } = JSON.parse(init.body).response_format.json_schema;
    assert.equal(schema.type, "object");
    return Response.json(chat('{"value":[{"label":"person"}]}'));
  };
  const session = new GaslSession({
    graph,
    llm: openai({ model: "m", apiKey: "sk-0123456789", fetch }),
  });
  await session.execute("FIND nodes AS f");
  const { status } = await session.execute(
    'PROCESS f USING "label each" RETURNING {"type": "array", "items": {"type": "object"}} AS g',
  );
  assert.equal(status, "success");
  assert.deepEqual(session.variable("g"), [{ label: "person" }]);
});

test("the AI SDK gets a schema that all of its providers support, or none", async () => {
  const schemaSentByAiSdk = async (schema) => {
    let output;
    const generateText = async (settings) => {
      output = settings.output;
      return { text: "{}", finishReason: "stop" };
    };
    const Output = { object: (options) => options };
    const jsonSchema = (one) => one;
    await aiSdk({ generateText, Output, jsonSchema, model: "m" })(newRequest({ schema }));
    return output?.schema;
  };
  const bounded = {
    type: "object",
    properties: { a: { type: "string", minLength: 1 } },
    required: ["a"],
  };
  assert.deepEqual(await schemaSentByAiSdk(bounded), object({ a: string }, { required: ["a"] }));
  assert.equal(await schemaSentByAiSdk(object({ a: string })), undefined);
  assert.equal(await schemaSentByAiSdk({ type: "array", items: string }), undefined);
  for (const schema of await requestedSchemas()) await schemaSentByAiSdk(schema);
});
