// Servers and requests for the tests of byname/llm. An unhandled rejection fails the test in which
// it happens.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { LlmError } from "byname/llm";

/** Returns a request as the session of a workflow would make it. */
export function newRequest(more = {}) {
  const signal = new AbortController().signal;
  return {
    id: "r1",
    task: "plan",
    system: "Be brief.",
    prompt: "Hello",
    attempt: 1,
    signal,
    ...more,
  };
}

/**
 * Starts a server that responds with each of these functions in turn, and then repeats the last
 * one.
 */
export async function startServer(t, ...answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method, url, headers } = request;
    const closed = new Promise((resolve) => response.on("close", () => resolve(true)));
    requests.push({ method, url, headers, body: JSON.parse(text), closed });
    answers[Math.min(requests.length, answers.length) - 1](response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${server.address().port}/v1`, seen: requests };
}

/** Responds with JSON. */
export const jsonResponse = (value, status = 200, headers = {}) => {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
};

/** Responds with any text. */
export const text = (body, status = 200, type = "text/html") => {
  return (response) => response.writeHead(status, { "content-type": type }).end(body);
};

/**
 * Responds with a stream of events and closes it; `end` may leave it open or break the connection.
 */
export const events = (body, end = (response) => response.end()) => {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(body, () => end(response));
  };
};

/** Returns the reason of a rejected promise. */
export async function rejectionOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
}

/** Awaits a promise although nothing else keeps the process alive. */
export async function expectSettled(promise, milliseconds = 2000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a chunk of a chat completion as an event. */
export function chatEvent(delta, finish_reason = null, more = {}) {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", model: "m-1", choices, ...more })}\n\n`;
}

/** Returns a complete chat completion. */
export function chat(content, finish_reason = "stop", more = {}) {
  const choices = [{ index: 0, message: { role: "assistant", content, ...more }, finish_reason }];
  const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
  return { object: "chat.completion", model: "m-1", choices, usage };
}

/** Returns an event of Anthropic's messages. */
export function messageEvent(type, more = {}) {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

/**
 * Returns the events of a message: those before its text, its text in chunks, and those after it.
 */
export function messageEvents(chunks, stop_reason = "end_turn") {
  const usage = { input_tokens: 5, output_tokens: 1 };
  const block = { index: 0, content_block: { type: "text", text: "" } };
  return [
    messageEvent("message_start", { message: { role: "assistant", model: "m-1", usage } }),
    messageEvent("content_block_start", block),
    messageEvent("ping"),
    ...chunks.map((chunk) =>
      messageEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: chunk } }),
    ),
    messageEvent("content_block_stop", { index: 0 }),
    messageEvent("message_delta", { delta: { stop_reason }, usage: { output_tokens: 7 } }),
    messageEvent("message_stop"),
  ];
}

/** Returns a complete message. */
export function message(text, stop_reason = "end_turn") {
  const content = [
    { type: "thinking", thinking: "…" },
    { type: "text", text },
  ];
  const usage = { input_tokens: 5, output_tokens: 7 };
  return { type: "message", role: "assistant", model: "m-1", content, stop_reason, usage };
}

/** Returns the error of a call, and asserts that it has its class and contains no key. */
export async function errorOf(promise) {
  const error = await expectSettled(rejectionOf(promise));
  assert.ok(error instanceof LlmError, String(error));
  for (let each = error; each instanceof Error; each = each.cause) {
    assert.doesNotMatch(`${each.message}${each.stack}${JSON.stringify(each)}`, /secret/);
  }
  assert.doesNotMatch(error.message, /\n|\.$/);
  return error;
}
