// Messages API of Anthropic: the requests, and the parsing of responses.
import assert from "node:assert/strict";
import test from "node:test";
import { anthropic } from "byname/llm";
import {
  events,
  jsonResponse,
  message,
  messageEvent,
  messageEvents,
  newRequest,
  rejectionOf,
  startServer,
} from "./llm-server.mjs";

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const key = { apiKey: "sk-ant-secret", model: "m" };

test("a request contains what the model reads, and nothing of the host", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(message('{"a": 1}')));
  const request = newRequest({ schema, maxOutputTokens: 9, temperature: 0, seed: 3 });
  assert.deepEqual(await anthropic({ ...key, baseUrl })(request), {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  const [{ method, url, headers, body }] = seen;
  assert.deepEqual([method, url], ["POST", "/v1/messages"]);
  assert.equal(headers["x-api-key"], "sk-ant-secret");
  assert.equal(headers["anthropic-version"], "2023-06-01");
  assert.equal(headers["anthropic-dangerous-direct-browser-access"], undefined);
  assert.deepEqual(body, {
    model: "m",
    max_tokens: 9,
    system: "Be brief.",
    messages: [{ role: "user", content: "Hello" }],
    temperature: 0,
    output_config: {
      format: { type: "json_schema", schema: { ...schema, additionalProperties: false } },
    },
  });
});

test("a page requests browser access, and limits have their defaults", async (t) => {
  const { baseUrl, seen } = await startServer(t, jsonResponse(message("Hi")));
  await anthropic({ ...key, baseUrl, browser: true })(newRequest({ system: "" }));
  await anthropic({ ...key, baseUrl, maxTokens: 77 })(newRequest());
  assert.equal(seen[0].headers["anthropic-dangerous-direct-browser-access"], "true");
  assert.equal("system" in seen[0].body, false);
  assert.deepEqual(
    seen.map(({ body }) => body.max_tokens),
    [4096, 77],
  );
});

test("reports a stream chunk by chunk, and joins it", async (t) => {
  const { baseUrl, seen } = await startServer(t, events(messageEvents(['{"a"', ": 1}"]).join("")));
  const chunks = [];
  const onToken = (chunk) => chunks.push(chunk);
  assert.deepEqual(await anthropic({ ...key, baseUrl, onToken })(newRequest({ schema })), {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  assert.deepEqual(chunks, ['{"a"', ": 1}"]);
  assert.equal(seen[0].body.stream, true);
});

test("maps stop reasons to those of all adapters", async (t) => {
  for (const [stopReason, expected] of [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
  ]) {
    const { baseUrl } = await startServer(
      t,
      jsonResponse(message("12", stopReason)),
      events(messageEvents(["12"], stopReason).join("")),
    );
    for (const stream of [false, true]) {
      const reply = await anthropic({ ...key, baseUrl, stream })(newRequest({ schema }));
      assert.deepEqual([reply.text, reply.finishReason], ["12", expected]);
      assert.equal(reply.json, expected === "length" ? undefined : 12);
    }
  }
});

test("an error inside a stream is an error with the text so far", async (t) => {
  const error = { type: "overloaded_error", message: "Overloaded" };
  const partial = messageEvents(["so far"]).slice(0, 4).join("");
  const { baseUrl, seen } = await startServer(
    t,
    events(partial + messageEvent("error", { error }), () => {}),
  );
  const rejection = await rejectionOf(anthropic({ ...key, baseUrl, stream: true })(newRequest()));
  assert.equal(rejection.name, "LlmError");
  assert.deepEqual([rejection.kind, rejection.status, rejection.text], ["http", 529, "so far"]);
  assert.match(rejection.message, /`Overloaded`.*busy/);
  assert.ok(await seen[0].closed);
});

test("skips thinking and unknown events in a stream", async (t) => {
  const thinking = { index: 0, delta: { type: "thinking_delta", thinking: "hm" } };
  const stream = messageEvents(["Hi"]);
  stream.splice(3, 0, messageEvent("content_block_delta", thinking), messageEvent("brand_new"));
  const { baseUrl } = await startServer(t, events(stream.join("")));
  assert.equal((await anthropic({ ...key, baseUrl, stream: true })(newRequest())).text, "Hi");
});
