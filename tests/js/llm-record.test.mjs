// Simulated models: scripts, recordings, and the protocol of model callbacks.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { collect, LlmError, record, replay, requestKey, scripted } from "byname/llm";
import { expectSettled, newRequest, rejectionOf } from "./llm-server.mjs";

test("scripted: returns the replies of a list in order, whatever they contain", async () => {
  const wrong = new Error("so it is");
  const reply = { text: "b", finishReason: "length", usage: { outputTokens: 1 } };
  const llm = scripted(["a", reply, wrong, ""]);
  assert.equal(await llm(newRequest()), "a");
  const returned = await llm(newRequest());
  assert.deepEqual(returned, reply);
  assert.notEqual(returned, reply);
  assert.equal(await rejectionOf(llm(newRequest())), wrong);
  assert.equal(await llm(newRequest()), "");
  const error = await rejectionOf(
    llm(newRequest({ task: "repair", prompt: `edit\n  this ${"x".repeat(99)}` })),
  );
  assert.ok(error instanceof LlmError);
  assert.deepEqual([error.kind, error.provider], ["unavailable", "scripted"]);
  assert.match(
    error.message,
    /run out before request 5, a `repair` whose prompt begins `edit this x+…`: add a reply$/,
  );
});

test("scripted: calls a function, and uses the script of each task in a map", async () => {
  const llm = scripted({
    plan: ["p1", "p2"],
    process: async ({ prompt }) => (prompt === "last" ? undefined : prompt.toUpperCase()),
  });
  assert.equal(await llm(newRequest({ task: "process", prompt: "x" })), "X");
  assert.equal(await llm(newRequest()), "p1");
  assert.equal(await llm(newRequest({ task: "process", prompt: "y" })), "Y");
  assert.equal(await llm(newRequest()), "p2");
  assert.match(
    (await rejectionOf(llm(newRequest()))).message,
    /run out before request 3, a `plan`/,
  );
  const none = await rejectionOf(llm(newRequest({ task: "process", prompt: "last" })));
  assert.match(none.message, /run out before request 3, a `process`/);
  const unknown = await rejectionOf(llm(newRequest({ task: "rollout" })));
  assert.match(unknown.message, /replies for `plan`, `process` but not for this one, a `rollout`/);
  assert.match((await rejectionOf(scripted({})(newRequest()))).message, /replies for no task/);
});

test("scripted: respects a signal, and an aborted request uses no reply", async () => {
  const reason = new Error("enough");
  const llm = scripted(["a"]);
  assert.equal(await rejectionOf(llm(newRequest({ signal: AbortSignal.abort(reason) }))), reason);
  assert.equal(await llm(newRequest()), "a");
  const stop = new AbortController();
  const slow = scripted(() => new Promise(() => {}));
  const call = rejectionOf(slow(newRequest({ signal: stop.signal })));
  stop.abort(reason);
  assert.equal(await expectSettled(call), reason);
});

test("the key of a request is what the model reads", () => {
  const calls = {
    ...{ system: "s", prompt: "p", task: "plan", temperature: 0.5, seed: 7 },
    schema: { b: [1, { d: null, c: "é" }], a: true, 10: 1, 9: 2 },
  };
  const canonical =
    '{"prompt":"p","schema":{"10":1,"9":2,"a":true,"b":[1,{"c":"é","d":null}]},"seed":7,"system":"s","task":"plan","temperature":0.5}';
  const expected = createHash("sha256").update(canonical).digest("hex");
  assert.equal(requestKey(newRequest(calls)), expected);
  const host = { id: "other", attempt: 3, signal: AbortSignal.timeout(9), schemaName: "x" };
  assert.equal(requestKey(newRequest({ ...calls, ...host, previousError: [] })), expected);
  const turned = { schema: { 9: 2, 10: 1, a: true, b: [1, { c: "é", d: null }] } };
  assert.equal(requestKey(newRequest({ ...calls, ...turned })), expected);
  for (const other of [
    { system: "S" },
    { prompt: "P" },
    { task: "process" },
    { temperature: 0.6 },
    { temperature: undefined },
    { seed: 8 },
    { schema: undefined },
    { schema: { ...calls.schema, a: false } },
  ]) {
    assert.notEqual(requestKey(newRequest({ ...calls, ...other })), expected);
  }
});

test("the hash is SHA-256, at every length around a block and beyond", () => {
  const key = (prompt) => `{"prompt":${JSON.stringify(prompt)},"system":"Be brief.","task":"plan"}`;
  for (let length = 0; length < 200; length++) {
    const prompt = "aé🌍\n"[length % 4].repeat(length);
    const expected = createHash("sha256").update(key(prompt)).digest("hex");
    assert.equal(requestKey(newRequest({ prompt })), expected, `length ${length}`);
  }
  const long = "graph ".repeat(100_000);
  const expected = createHash("sha256").update(key(long)).digest("hex");
  assert.equal(requestKey(newRequest({ prompt: long })), expected);
});

test("a recording is JSON, and is replayed in order for each request", async () => {
  const busy = new LlmError("http", "openai", "busy", { status: 429, retryAfter: 2, body: "b" });
  const rangeError = new RangeError("odd");
  const usage = { inputTokens: 5 };
  const replies = ["a1", "b1", { json: [1], usage }, busy, rangeError, "a2"];
  const prompts = ["a", "b", "b", "a", "a", "a"];
  const { llm, recording } = record(scripted(replies));
  const live = [];
  for (const prompt of prompts) live.push(await outcomeOf(llm(newRequest({ prompt }))));
  const stored = JSON.parse(JSON.stringify(recording()));
  assert.deepEqual(stored, recording());
  assert.equal(stored.version, 1);
  assert.deepEqual(stored.calls[0], {
    key: requestKey(newRequest({ prompt: "a" })),
    task: "plan",
    prompt: "a",
    reply: "a1",
  });
  const again = replay(stored);
  // The order between different requests does not matter.
  const order = [1, 0, 3, 2, 4, 5];
  for (const at of order) {
    const played = await outcomeOf(
      again(newRequest({ prompt: prompts[at], id: "other", attempt: 2 })),
    );
    assert.deepEqual(played, live[at]);
  }
  const miss = await rejectionOf(again(newRequest({ prompt: "b" })));
  assert.deepEqual([miss.name, miss.kind, miss.provider], ["LlmError", "unavailable", "replay"]);
  assert.match(miss.message, /no more replies to.*a `plan` whose prompt begins `b`: record again/);
  const unknown = await rejectionOf(again(newRequest({ prompt: "c", task: "analyze" })));
  assert.match(
    unknown.message,
    /the recording has no reply to this request, a `analyze` whose prompt begins `c`/,
  );
});

/** Returns a reply, or the fields of a recorded error. */
async function outcomeOf(promise) {
  try {
    return await promise;
  } catch ({ name, message, kind, provider, status, retryAfter }) {
    return { name, message, kind, provider, status, retryAfter };
  }
}

test("records calls in the order in which they begin, which distinguishes equal ones", async () => {
  let count = 0;
  const { llm, recording } = record(async () => {
    const mine = ++count;
    await new Promise((resolve) => setTimeout(resolve, 30 - 10 * mine));
    return `${mine}`;
  });
  await Promise.all([llm(newRequest()), llm(newRequest())]);
  const again = replay(recording());
  assert.deepEqual(await Promise.all([again(newRequest()), again(newRequest())]), ["1", "2"]);
});

test("a recording contains no pending or aborted call, and does not change", async () => {
  const stop = new AbortController();
  const { llm, recording } = record(scripted([{ json: { a: 1 } }, "b"]));
  const reply = await llm(newRequest());
  const before = recording();
  reply.json.a = 2;
  assert.deepEqual(before.calls[0].reply, { json: { a: 1 } });
  assert.deepEqual(recording(), before);
  const slow = record(() => new Promise(() => {}));
  const call = rejectionOf(slow.llm(newRequest({ signal: stop.signal })));
  assert.deepEqual(slow.recording().calls, []);
  stop.abort(new Error("enough"));
  await expectSettled(call);
  assert.deepEqual(slow.recording().calls, []);
});

test("rejects an invalid recording", () => {
  for (const wrong of [null, [], {}, { version: 1 }, { version: 2, calls: [] }]) {
    assert.throws(() => replay(wrong), { name: "BynameError", code: "argument" });
  }
  for (const call of [null, {}, { key: "x" }, { key: 1, reply: "a" }]) {
    assert.throws(() => replay({ version: 1, calls: [call] }), { code: "argument" });
  }
});

test("a callback may return a text, an object, a promise or chunks", async () => {
  async function* chunks() {
    yield "a";
    yield "b";
  }
  assert.deepEqual(await collect(() => "ab", newRequest()), { text: "ab" });
  assert.deepEqual(await collect(() => ({ json: [] }), newRequest()), { json: [] });
  assert.deepEqual(await collect(async () => "ab", newRequest()), { text: "ab" });
  assert.deepEqual(await collect(chunks, newRequest()), { text: "ab" });
  const { llm, recording } = record(chunks);
  assert.equal(await llm(newRequest()), "ab");
  assert.equal(await replay(recording())(newRequest()), "ab");
});

test("reports an invalid chunk of a reply, with instructions", async () => {
  const one = (chunk) =>
    async function* () {
      yield chunk;
    };
  const cases = [
    [one({ text: "a" }), /expected strings from the callback, found an Object: yield its text/],
    [one(new Uint8Array([104])), /found a Uint8Array: decode it/],
    [one(undefined), /found undefined/],
  ];
  for (const [llm, expected] of cases)
    assert.match((await rejectionOf(collect(llm, newRequest()))).message, expected);
});

test("a recording stores a reply without its additional fields", async () => {
  const { llm, recording } = record(async () => ({ text: "a", raw: () => 1 }));
  assert.equal((await llm(newRequest())).text, "a");
  assert.deepEqual(recording().calls[0].reply, { text: "a" });
});

test("an abort stops reading chunks, also from a stuck source", async () => {
  const reason = new Error("enough");
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        yield "a";
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      ended = true;
    }
  }
  const stuck = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  });
  const waits = { next: () => new Promise(() => {}) };
  const ends = (end) => () => ({ [Symbol.asyncIterator]: () => ({ ...waits, return: end }) });
  const iterators = [ends(() => ({ done: true })), ends(() => assert.fail("at the end"))];
  for (const llm of [endless, stuck, ...iterators, () => new Promise(() => {})]) {
    const stop = new AbortController();
    const call = rejectionOf(collect(llm, newRequest({ signal: stop.signal })));
    setTimeout(() => stop.abort(reason), 20);
    assert.equal(await expectSettled(call), reason);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(ended);
  async function* invalid() {
    yield "a";
    throw reason;
  }
  assert.equal(await rejectionOf(collect(invalid, newRequest())), reason);
});

test("secrets of a prompt and of a reply are not in the recording", async () => {
  const secret = 'key "of" 7/8';
  const replies = [`I repeat ${secret}`, { json: { key: secret } }, new Error(`no ${secret}`)];
  const { llm, recording } = record(scripted(replies), { secrets: [secret, ""] });
  const request = {
    id: "1",
    task: "plan",
    system: "",
    attempt: 1,
    signal: new AbortController().signal,
  };
  const prompt = `Use ${secret}`;
  assert.equal(await llm({ ...request, prompt }), replies[0]);
  await llm({ ...request, prompt });
  await assert.rejects(llm({ ...request, prompt }));
  const text = JSON.stringify(recording());
  assert.doesNotMatch(text, /of|7\/8/);
  assert.match(text, /Use •+/);
  assert.equal(recording().calls.length, 3);
  assert.throws(() => record(llm, { secrets: "key" }), { code: "argument" });
  assert.throws(() => record(llm, { secret: [] }), { code: "argument" });
});

test("secrets that a reply escapes, of a file and of a task are not in the recording", async () => {
  const secret = "pa/ss-word-12345";
  const escaped = '{"key": "\\u0070a\\/ss-word-12345"}';
  const replies = [escaped, { text: escaped, finishReason: "stop" }, new Error(secret)];
  const { llm, recording } = record(scripted(replies), { secrets: [`${secret}\n`, " \n"] });
  const signal = new AbortController().signal;
  const request = { id: "1", task: `plan ${secret}`, system: "", prompt: "p", attempt: 1, signal };
  await llm(request);
  await llm(request);
  await assert.rejects(llm(request));
  const { calls } = recording();
  assert.doesNotMatch(JSON.stringify(calls), /ss-word/);
  assert.match(calls[0].task, /^plan •+$/);
  assert.match(JSON.parse(calls[0].reply).key, /^•+$/);
  assert.match(JSON.parse(calls[1].reply.text).key, /^•+$/);
  assert.equal(await replay(recording())(request), calls[0].reply);
});
