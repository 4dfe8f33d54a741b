// Chat completions: the requests, and the parsing of responses.
import assert from "node:assert/strict";
import test from "node:test";
import { openai } from "byname/llm";
import {
  chat,
  chatEvent,
  events,
  jsonResponse,
  newRequest,
  rejectionOf,
  startServer,
} from "./llm-server.mjs";

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };

test("a request contains what the model reads, and nothing of the host", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(chat('{"a": 1}')));
  const llm = openai({ baseUrl, apiKey: "sk-secret-1", model: "m", headers: { "X-Team": "blue" } });
  const request = newRequest({
    schema,
    schemaName: "point",
    maxOutputTokens: 9,
    temperature: 0,
    seed: 3,
  });
  const reply = await llm({ ...request, previousError: [], grammar: { gbnf: "root ::= x" } });
  assert.deepEqual(reply, {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  const [{ method, url, headers, body }] = seen;
  assert.deepEqual([method, url], ["POST", "/v1/chat/completions"]);
  assert.equal(headers.authorization, "Bearer sk-secret-1");
  assert.equal(headers["x-team"], "blue");
  assert.deepEqual(body, {
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    temperature: 0,
    seed: 3,
    max_tokens: 9,
    response_format: { type: "json_schema", json_schema: { name: "point", strict: false, schema } },
  });
});

test("adds no key, system prompt or schema that was not passed", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(chat("Hi")));
  const reply = await openai({ baseUrl: `${baseUrl}/?api-version=3`, model: "m" })(
    newRequest({ system: "" }),
  );
  assert.equal(reply.text, "Hi");
  assert.equal(reply.json, undefined);
  const [{ url, headers, body }] = seen;
  assert.equal(url, "/v1/chat/completions?api-version=3");
  assert.equal(headers.authorization, undefined);
  assert.deepEqual(body, { model: "m", messages: [{ role: "user", content: "Hello" }] });
});

test("`body` adds and removes fields", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(chat("Hi")));
  const body = { temperature: undefined, reasoning_effort: "low" };
  const closed = { ...schema, additionalProperties: false };
  const request = newRequest({ temperature: 1, schema: closed });
  await openai({ baseUrl, model: "m", strict: true, body })(request);
  assert.equal("temperature" in seen[0].body, false);
  assert.equal(seen[0].body.reasoning_effort, "low");
  assert.deepEqual(seen[0].body.response_format.json_schema, {
    name: "plan",
    strict: true,
    schema: closed,
  });
});

test("sends a grammar in place of a schema to a server that accepts one", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(chat('{"a": 1}')));
  const llm = openai({ baseUrl, model: "m", grammar: true });
  const grammar = { gbnf: 'root ::= "{}"' };
  const { json: read } = await llm(newRequest({ schema, grammar }));
  assert.deepEqual(read, { a: 1 });
  await llm(newRequest({ schema }));
  await llm(newRequest({ grammar }));
  const sent = seen.map(({ body }) => [body.grammar, body.response_format?.json_schema.schema]);
  assert.deepEqual(sent, [
    [grammar.gbnf, undefined],
    [undefined, schema],
    [grammar.gbnf, undefined],
  ]);
});

test("sends the limit to OpenAI itself under its new name", async () => {
  let request;
  const fetch = async (url, { body }) => {
    request = { url: String(url), ...JSON.parse(body) };
    return Response.json(chat("Hi"));
  };
  await openai({ model: "m", apiKey: "sk-secret-1", fetch })(newRequest({ maxOutputTokens: 9 }));
  assert.equal(request.url, "https://api.openai.com/v1/chat/completions");
  assert.equal(request.max_completion_tokens, 9);
  assert.equal(request.max_tokens, undefined);
});

test("reports a stream chunk by chunk, and joins it", async (t) => {
  const usage = { prompt_tokens: 5, completion_tokens: 7 };
  const last = `data: ${JSON.stringify({ model: "m-1", choices: [], usage })}\n\n`;
  const { baseUrl, seen } = await startServer(
    t,
    events(
      `: keep alive\n\n${chatEvent({ role: "assistant", content: "" })}${chatEvent({ content: '{"a"' })}` +
        `${chatEvent({ content: ": 1}" })}${chatEvent({}, "stop")}${last}data: [DONE]\n\n`,
    ),
  );
  const chunks = [];
  const onToken = (chunk, { id }) => chunks.push([chunk, id]);
  const reply = await openai({ baseUrl, model: "m", onToken })(newRequest({ schema }));
  assert.deepEqual(chunks, [
    ['{"a"', "r1"],
    [": 1}", "r1"],
  ]);
  assert.deepEqual(reply, {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  assert.equal(seen[0].body.stream, true);
  assert.deepEqual(seen[0].body.stream_options, { include_usage: true });
});

test("accepts a complete response to a request for a stream", async (t) => {
  const { baseUrl } = await startServer(t, jsonResponse(chat("Hi")));
  const chunks = [];
  const reply = await openai({ baseUrl, model: "m", onToken: (chunk) => chunks.push(chunk) })(
    newRequest(),
  );
  assert.deepEqual([reply.text, chunks], ["Hi", ["Hi"]]);
});

for (const stream of [false, true]) {
  const how = stream ? "in a stream" : "whole";
  const answer = (content, finish) =>
    stream
      ? events(`${chatEvent({ content })}${chatEvent({}, finish)}data: [DONE]\n\n`)
      : jsonResponse(chat(content, finish));

  test(`returns a reply truncated for length without parsing it, ${how}`, async (t) => {
    const { baseUrl } = await startServer(t, answer("12", "length"));
    const reply = await openai({ baseUrl, model: "m", stream })(newRequest({ schema }));
    assert.deepEqual([reply.text, reply.finishReason, reply.json], ["12", "length", undefined]);
  });

  test(`returns a text that is not the requested JSON, ${how}`, async (t) => {
    const { baseUrl } = await startServer(t, answer('{"a": 1,}', "stop"));
    const reply = await openai({ baseUrl, model: "m", stream })(newRequest({ schema }));
    assert.deepEqual(
      [reply.text, reply.finishReason, reply.json],
      ['{"a": 1,}', "stop", undefined],
    );
  });

  test(`a refusal is a reply, ${how}`, async (t) => {
    const refusal = "I must not";
    const rejected = stream
      ? events(`${chatEvent({ refusal })}${chatEvent({}, "stop")}data: [DONE]\n\n`)
      : jsonResponse(chat(null, "stop", { refusal }));
    const { baseUrl } = await startServer(t, rejected);
    const reply = await openai({ baseUrl, model: "m", stream })(newRequest());
    assert.deepEqual([reply.text, reply.finishReason], [refusal, "refusal"]);
  });
}

test("joins text parts, and numbers keep their digits in the text", async (t) => {
  const parts = [
    { type: "thinking", thinking: [] },
    { type: "text", text: '{"a": 1.00000000000000000001' },
    { type: "text", text: "}" },
  ];
  const { baseUrl } = await startServer(t, jsonResponse(chat(parts)));
  const reply = await openai({ baseUrl, model: "m" })(newRequest({ schema }));
  assert.equal(reply.text, '{"a": 1.00000000000000000001}');
});

test("rejects an invalid address or header, without the key in the message", () => {
  for (const options of [
    { baseUrl: "not a url sk-secret-1" },
    { baseUrl: "https://me:sk-secret-1@example.com/v1" },
    { apiKey: "sk-secret-1\n" + "x" },
    { headers: { "x-key": "sk-secret-1\u{1F600}" } },
  ]) {
    assert.throws(
      () => openai({ model: "m", ...options }),
      (error) => {
        assert.equal(error.name, "BynameError");
        assert.equal(error.code, "argument");
        assert.doesNotMatch(`${error.message} ${error.stack} ${error.cause}`, /sk-secret/);
        return true;
      },
    );
  }
});

test("a listener that throws ends the call with its error and closes the connection", async (t) => {
  const { baseUrl, seen } = await startServer(
    t,
    events(chatEvent({ content: "Hi" }), () => {}),
  );
  const wrong = new Error("mine");
  const onToken = () => {
    throw wrong;
  };
  assert.equal(await rejectionOf(openai({ baseUrl, model: "m", onToken })(newRequest())), wrong);
  assert.ok(await seen[0].closed);
});
