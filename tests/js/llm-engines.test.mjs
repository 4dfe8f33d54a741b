// Models that are objects in the page, as fakes with the same methods: Chrome's own, WebLLM,
// wllama, and the models of the AI SDK.
import assert from "node:assert/strict";
import test from "node:test";
import { aiSdk, chromeAi, LlmError, webllm, wllama } from "byname/llm";
import { expectSettled, newRequest, rejectionOf } from "./llm-server.mjs";

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const grammar = { gbnf: 'root ::= "a"' };

async function errorOf(promise, kind) {
  const error = await expectSettled(rejectionOf(promise));
  assert.ok(error instanceof LlmError, String(error));
  assert.equal(error.kind, kind);
  assert.doesNotMatch(error.message, /\n|\.$/);
  return error;
}

const failing = (name, message = "so it is") => Object.assign(new Error(message), { name });

const never = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

// ── Chrome ─────────────────────────────────────────────────────────────────

/** Returns a fake of Chrome's model, with its arguments and the number of open sessions. */
function chrome(t, { state = "available", prompt = async () => "Hi", create } = {}) {
  const recorded = { availability: [], create: [], prompt: [], open: 0 };
  const session = (text) => ({
    prompt: (input, options) => {
      recorded.prompt.push([input, options]);
      return prompt(options);
    },
    promptStreaming: (input, options) => {
      recorded.prompt.push([input, options]);
      return new ReadableStream({
        start(controller) {
          for (const chunk of text) controller.enqueue(chunk);
          controller.close();
        },
      });
    },
    destroy: () => {
      recorded.open -= 1;
    },
  });
  globalThis.LanguageModel = {
    availability: async (options) => {
      recorded.availability.push(options);
      return state;
    },
    create: async (options) => {
      recorded.create.push(options);
      await create?.(options);
      recorded.open += 1;
      return session(['{"a"', ": 1}"]);
    },
  };
  t.after(() => {
    delete globalThis.LanguageModel;
  });
  return recorded;
}

test("chromeAi: each call has its own session with the schema, and ends it", async (t) => {
  const recorded = chrome(t, { prompt: async () => '{"a": 1}' });
  const options = { expectedOutputs: [{ type: "text", languages: ["en"] }] };
  const { signal } = new AbortController();
  const reply = await chromeAi({ options })(newRequest({ schema, signal }));
  assert.deepEqual(reply, { text: '{"a": 1}', json: { a: 1 } });
  assert.deepEqual(recorded.availability, [options]);
  const initialPrompts = [{ role: "system", content: "Be brief." }];
  assert.deepEqual(recorded.create, [{ ...options, initialPrompts, signal }]);
  assert.deepEqual(recorded.prompt, [["Hello", { signal, responseConstraint: schema }]]);
  assert.equal(recorded.open, 0);
  await chromeAi()(newRequest({ system: "" }));
  assert.equal("initialPrompts" in recorded.create[1], false);
  assert.equal("responseConstraint" in recorded.prompt[1][1], false);
});

test("chromeAi: reports chunks as they arrive", async (t) => {
  const recorded = chrome(t);
  const chunks = [];
  const reply = await chromeAi({ onToken: (chunk) => chunks.push(chunk) })(newRequest());
  assert.deepEqual([reply.text, chunks], ['{"a": 1}', ['{"a"', ": 1}"]]);
  assert.equal(recorded.open, 0);
});

test("chromeAi: throws the error of a listener, and ends the session", async (t) => {
  for (const wrong of [new SyntaxError("no JSON"), new TypeError("no function"), "no error"]) {
    const recorded = chrome(t);
    const onToken = () => {
      throw wrong;
    };
    assert.equal(await rejectionOf(chromeAi({ onToken })(newRequest())), wrong);
    assert.equal(recorded.open, 0);
  }
});

test("chromeAi: reports a missing model, and downloads only on request", async (t) => {
  assert.match(
    (await errorOf(chromeAi()(newRequest()), "unavailable")).message,
    /no built-in model/,
  );
  const none = chrome(t, { state: "unavailable" });
  await errorOf(chromeAi({ download: true })(newRequest()), "unavailable");
  assert.equal(none.create.length, 0);
  for (const state of ["downloadable", "downloading"]) {
    const recorded = chrome(t, { state });
    const error = await errorOf(chromeAi()(newRequest()), "unavailable");
    assert.match(error.message, new RegExp(`\`${state}\`.*set \`download\``));
    assert.equal(recorded.create.length, 0);
    assert.equal((await chromeAi({ download: true })(newRequest())).text, "Hi");
  }
});

test("chromeAi: reports the browser's errors, and ends the session", async (t) => {
  for (const [name, kind] of [
    ["NotAllowedError", "unavailable"],
    ["QuotaExceededError", "unavailable"],
    ["NotSupportedError", "unavailable"],
    ["SyntaxError", "shape"],
    ["AbortError", "aborted"],
    ["UnknownError", "unavailable"],
  ]) {
    const recorded = chrome(t, { prompt: () => Promise.reject(failing(name)) });
    const error = await errorOf(chromeAi()(newRequest()), kind);
    assert.equal(error.provider, "chromeAi");
    assert.equal(error.cause.name, name);
    assert.equal(recorded.open, 0);
  }
});

test("chromeAi: an abort rejects with its reason, and ends the session", async (t) => {
  const reason = new Error("enough");
  const wait = () => new Promise((resolve) => setTimeout(resolve, 60));
  for (const model of [
    { prompt: ({ signal }) => never(signal) },
    { prompt: () => new Promise(() => {}) },
    { create: ({ signal }) => never(signal) },
    { create: wait },
  ]) {
    const recorded = chrome(t, model);
    const stop = new AbortController();
    const call = rejectionOf(chromeAi()(newRequest({ signal: stop.signal })));
    setTimeout(() => stop.abort(reason), 20);
    assert.equal(await expectSettled(call), reason);
    await wait();
    await wait();
    assert.equal(recorded.open, 0);
  }
  const recorded = chrome(t);
  assert.equal(
    await rejectionOf(chromeAi()(newRequest({ signal: AbortSignal.abort(reason) }))),
    reason,
  );
  assert.equal(recorded.create.length, 0);
});

// ── WebLLM ─────────────────────────────────────────────────────────────────

const chunk = (delta, finish_reason = null) => {
  return { object: "chat.completion.chunk", model: "m-1", choices: [{ delta, finish_reason }] };
};

const usage = { choices: [], model: "m-1", usage: { prompt_tokens: 5, completion_tokens: 7 } };

/**
 * Fake engine that emits a chunk every 10 ms, and checks for an interruption between two of them.
 */
function fakeEngine(chunks = ['{"a"', ": 1}"], last = "stop") {
  const recorded = { requests: [], interrupted: 0, running: 0, most: 0 };
  let interrupt = false;
  async function* generate() {
    recorded.running += 1;
    recorded.most = Math.max(recorded.most, recorded.running);
    interrupt = false;
    try {
      for (const textChunk of chunks) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (interrupt) break;
        yield chunk({ content: textChunk });
      }
      yield chunk({}, interrupt ? "abort" : last);
      yield usage;
    } finally {
      recorded.running -= 1;
    }
  }
  const create = async (request) => {
    recorded.requests.push(request);
    return generate();
  };
  const interruptGenerate = async () => {
    recorded.interrupted += 1;
    interrupt = true;
  };
  return { seen: recorded, chat: { completions: { create } }, interruptGenerate };
}

test("webllm: a request has the schema, or the grammar", async () => {
  const mlc = fakeEngine();
  const chunks = [];
  const llm = webllm(mlc, { onToken: (chunk) => chunks.push(chunk) });
  assert.deepEqual(
    await llm(newRequest({ schema, grammar, temperature: 0, seed: 3, maxOutputTokens: 9 })),
    {
      text: '{"a": 1}',
      json: { a: 1 },
      finishReason: "stop",
      usage: { inputTokens: 5, outputTokens: 7 },
      model: "m-1",
    },
  );
  assert.deepEqual(chunks, ['{"a"', ": 1}"]);
  assert.deepEqual(mlc.seen.requests[0], {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    seed: 3,
    max_tokens: 9,
    response_format: { type: "json_object", schema: JSON.stringify(schema) },
  });
  await webllm(mlc, { grammar: true })(newRequest({ schema, grammar }));
  await llm(newRequest({ grammar }));
  await llm(newRequest());
  const formats = mlc.seen.requests.slice(1).map(({ response_format }) => response_format);
  const held = { type: "grammar", grammar: grammar.gbnf };
  assert.deepEqual(formats, [held, held, undefined]);
});

test("webllm: runs one request at a time, and an abort stops only its own", async () => {
  const mlc = fakeEngine(["a", "b", "c", "d"]);
  const llm = webllm(mlc);
  const reason = new Error("enough");
  const pending = new AbortController();
  const running = new AbortController();
  const first = llm(newRequest());
  const second = rejectionOf(llm(newRequest({ signal: pending.signal })));
  setTimeout(() => pending.abort(reason), 15);
  assert.equal(await expectSettled(second), reason);
  assert.equal((await first).text, "abcd");
  assert.equal(mlc.seen.interrupted, 0);
  const third = rejectionOf(llm(newRequest({ signal: running.signal })));
  const fourth = llm(newRequest());
  setTimeout(() => running.abort(reason), 15);
  assert.equal(await expectSettled(third), reason);
  assert.equal((await fourth).text, "abcd");
  assert.equal(mlc.seen.interrupted, 1);
  assert.deepEqual([mlc.seen.requests.length, mlc.seen.most, mlc.seen.running], [3, 1, 0]);
});

test("webllm: reports truncation, an end without a reason, an interruption and a failure", async () => {
  const long = await webllm(fakeEngine(["12"], "length"))(newRequest({ schema }));
  assert.deepEqual([long.text, long.finishReason, long.json], ["12", "length", undefined]);
  assert.equal((await errorOf(webllm(fakeEngine(["so"], null))(newRequest()), "cut")).text, "so");
  const other = fakeEngine(["so", "far"]);
  const call = webllm(other)(newRequest());
  setTimeout(() => other.interruptGenerate(), 15);
  assert.equal((await errorOf(call, "aborted")).text, "so");
  const invalid = fakeEngine();
  invalid.chat.completions.create = async () => {
    throw failing("ModelNotLoadedError", "Model not loaded.\nCall reload()");
  };
  const llm = webllm(invalid);
  const error = await errorOf(llm(newRequest()), "unavailable");
  assert.match(error.message, /`Model not loaded. Call reload\(\)`/);
  await errorOf(llm(newRequest()), "unavailable");
});

test("webllm and wllama: throw the error of a listener", async () => {
  const wrong = new Error("mine");
  const onToken = () => {
    throw wrong;
  };
  assert.equal(await rejectionOf(webllm(fakeEngine(), { onToken })(newRequest())), wrong);
  assert.equal(await rejectionOf(wllama(fakeInstance(), { onToken })(newRequest())), wrong);
});

// ── wllama ─────────────────────────────────────────────────────────────────

/** Fake wllama: it calls `onData` with each chunk and checks the signal between two of them. */
function fakeInstance(chunks = ['{"a"', ": 1}"], last = "stop") {
  const requests = [];
  return {
    seen: requests,
    async createChatCompletion({ onData, abortSignal, ...request }) {
      requests.push(request);
      assert.ok(this.seen === requests && request.stream === true);
      for (const next of [...chunks.map((content) => chunk({ content })), chunk({}, last), usage]) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (abortSignal.aborted) throw failing("AbortError");
        onData(next);
      }
    },
  };
}

test("wllama: a request has the grammar, or the schema", async () => {
  const model = fakeInstance();
  const chunks = [];
  const llm = wllama(model, { onToken: (chunk) => chunks.push(chunk), body: { top_k: 40 } });
  const request = newRequest({ schema, grammar, temperature: 0, seed: 3, maxOutputTokens: 9 });
  assert.deepEqual(await llm(request), {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  assert.deepEqual(chunks, ['{"a"', ": 1}"]);
  assert.deepEqual(model.seen[0], {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    seed: 3,
    max_tokens: 9,
    grammar: grammar.gbnf,
    top_k: 40,
  });
  await llm(newRequest({ schema }));
  const response_format = { type: "json_schema", json_schema: { name: "plan", schema } };
  assert.deepEqual(model.seen[1].response_format, response_format);
  assert.equal("grammar" in model.seen[1], false);
});

test("wllama: an abort rejects with its reason and reports nothing more", async () => {
  const chunks = [];
  const reason = new Error("enough");
  const stop = new AbortController();
  const llm = wllama(fakeInstance(["a", "b", "c"]), { onToken: (chunk) => chunks.push(chunk) });
  const call = rejectionOf(llm(newRequest({ signal: stop.signal })));
  setTimeout(() => stop.abort(reason), 15);
  assert.equal(await expectSettled(call), reason);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(chunks, ["a"]);
  assert.equal(await rejectionOf(llm(newRequest({ signal: AbortSignal.abort(reason) }))), reason);
});

test("wllama: reports truncation, an end without a reason and failures", async () => {
  const long = await wllama(fakeInstance(["12"], "length"))(newRequest({ schema }));
  assert.deepEqual([long.text, long.finishReason, long.json], ["12", "length", undefined]);
  assert.equal((await errorOf(wllama(fakeInstance(["so"], null))(newRequest()), "cut")).text, "so");
  const failed = (error) =>
    wllama({ createChatCompletion: () => Promise.reject(error) })(newRequest());
  await errorOf(failed(failing("AbortError")), "aborted");
  assert.match(
    (await errorOf(failed(new Error("Model is not loaded")), "unavailable")).message,
    /`Model is not loaded`\): check that a model is loaded/,
  );
});

// ── AI SDK ─────────────────────────────────────────────────────────────────

const Output = { object: (options) => ({ type: "object", ...options }) };
const jsonSchema = (value) => ({ jsonSchema: value });

/** Result as the SDK returns it: a class with getters, one of which throws. */
class Result {
  constructor(text, finishReason = "stop") {
    this.result = { text, finishReason };
  }
  get text() {
    return this.result.text;
  }
  get finishReason() {
    return this.result.finishReason;
  }
  get usage() {
    return { inputTokens: 5, outputTokens: undefined };
  }
  get response() {
    return { modelId: "m-1" };
  }
  get output() {
    throw failing("AI_NoOutputGeneratedError");
  }
}

test("aiSdk: passes what the model reads to the SDK's functions, and returns their text", async () => {
  const requests = [];
  const generateText = async (settings) => {
    requests.push(settings);
    return new Result('{"a": 1}');
  };
  const model = { modelId: "m" };
  const settings = { providerOptions: { x: { y: 1 } } };
  const request = newRequest({
    schema,
    schemaName: "point",
    maxOutputTokens: 9,
    temperature: 0,
    seed: 3,
  });
  const llm = aiSdk({ generateText, Output, jsonSchema, model, settings });
  assert.deepEqual(await llm(request), {
    text: '{"a": 1}',
    json: { a: 1 },
    finishReason: "stop",
    usage: { inputTokens: 5 },
    model: "m-1",
  });
  assert.deepEqual(requests[0], {
    ...{ model, system: "Be brief.", prompt: "Hello", maxOutputTokens: 9, temperature: 0, seed: 3 },
    output: {
      type: "object",
      schema: { jsonSchema: { ...schema, additionalProperties: false } },
      name: "point",
    },
    ...{ maxRetries: 0, abortSignal: request.signal, providerOptions: { x: { y: 1 } } },
  });
  await aiSdk({ generateText, model, retries: 2 })(newRequest({ schema, system: "" }));
  assert.deepEqual(Object.keys(requests[1]), ["model", "prompt", "maxRetries", "abortSignal"]);
  assert.equal(requests[1].maxRetries, 2);
});

test("aiSdk: returns a reply that does not match the schema, and reports truncation", async () => {
  const error = Object.assign(failing("AI_NoObjectGeneratedError"), {
    text: '{"a":',
    finishReason: "length",
    usage: { inputTokens: 5, outputTokens: 7 },
    response: { modelId: "m-1" },
  });
  const generateText = () => Promise.reject(error);
  assert.deepEqual(await aiSdk({ generateText, model: "m" })(newRequest({ schema })), {
    text: '{"a":',
    finishReason: "length",
    usage: { inputTokens: 5, outputTokens: 7 },
    model: "m-1",
  });
  const filtered = async () => new Result("12", "content-filter");
  const reply = await aiSdk({ generateText: filtered, model: "m" })(newRequest());
  assert.equal(reply.finishReason, "content_filter");
});

test("aiSdk: reports the SDK's errors", async () => {
  const failed = (error) =>
    aiSdk({ generateText: () => Promise.reject(error), model: "m" })(newRequest());
  const call = Object.assign(failing("AI_APICallError", "Too many"), {
    ...{ statusCode: 429, responseBody: "x".repeat(900), responseHeaders: { "retry-after": "7" } },
  });
  const retried = Object.assign(failing("AI_RetryError"), { lastError: call });
  for (const error of [call, retried]) {
    const llmError = await errorOf(failed(error), "http");
    assert.deepEqual([llmError.status, llmError.retryAfter, llmError.body.length], [429, 7, 500]);
    assert.match(llmError.message, /`Too many`\): the server is busy; retry in 7 s/);
  }
  await errorOf(failed(failing("AI_APICallError", "Cannot connect")), "network");
  await errorOf(failed(failing("AI_LoadAPIKeyError")), "unavailable");
  await errorOf(failed(failing("AbortError")), "aborted");
  await errorOf(aiSdk({ generateText: async () => ({}), model: "m" })(newRequest()), "shape");
  const thrown = () => {
    throw new TypeError("not a model");
  };
  await errorOf(aiSdk({ generateText: thrown, model: "m" })(newRequest()), "unavailable");
});

test("aiSdk: accepts a date as the time to retry after", async () => {
  const date = new Date(Date.now() + 90_000).toUTCString();
  const call = (wait) =>
    Object.assign(failing("AI_APICallError", "Too many"), {
      ...{ statusCode: 429, responseHeaders: { "retry-after": wait } },
    });
  const waits = async (wait) => {
    const generateText = () => Promise.reject(call(wait));
    return (await errorOf(aiSdk({ generateText, model: "m" })(newRequest()), "http")).retryAfter;
  };
  const seconds = await waits(date);
  assert.ok(seconds > 60 && seconds <= 90, seconds);
  assert.equal(await waits("1.5"), 1.5);
  assert.equal(await waits("soon"), undefined);
});

test("aiSdk: an abort rejects with its reason, whether or not the SDK listens", async () => {
  const reason = new Error("enough");
  const deaf = () => new Promise(() => {});
  const own = ({ abortSignal }) =>
    never(abortSignal).catch(() => Promise.reject(failing("AbortError")));
  for (const generateText of [deaf, own]) {
    const stop = new AbortController();
    const error = rejectionOf(
      aiSdk({ generateText, model: "m" })(newRequest({ signal: stop.signal })),
    );
    setTimeout(() => stop.abort(reason), 10);
    assert.equal(await expectSettled(error), reason);
  }
});
