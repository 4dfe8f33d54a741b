// Models without a model: scripts, recordings, and the way every callback is asked.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { collect, LlmError, record, replay, requestKey, scripted } from "byname/llm";
import { ask, fault, soon } from "./llm-server.mjs";

test("scripted: a list is said in order, whatever it holds", async () => {
  const wrong = new Error("so it is");
  const reply = { text: "b", finishReason: "length", usage: { outputTokens: 1 } };
  const llm = scripted(["a", reply, wrong, ""]);
  assert.equal(await llm(ask()), "a");
  const told = await llm(ask());
  assert.deepEqual(told, reply);
  assert.notEqual(told, reply);
  assert.equal(await fault(llm(ask())), wrong);
  assert.equal(await llm(ask()), "");
  const error = await fault(llm(ask({ task: "repair", prompt: `mend\n  this ${"x".repeat(99)}` })));
  assert.ok(error instanceof LlmError);
  assert.deepEqual([error.kind, error.provider], ["unavailable", "scripted"]);
  assert.match(
    error.message,
    /run out before request 5, a `repair` whose prompt begins `mend this x+…`: add a reply$/,
  );
});

test("scripted: a function is asked, and a map has a script for each task", async () => {
  const llm = scripted({
    plan: ["p1", "p2"],
    process: async ({ prompt }) => (prompt === "last" ? undefined : prompt.toUpperCase()),
  });
  assert.equal(await llm(ask({ task: "process", prompt: "x" })), "X");
  assert.equal(await llm(ask()), "p1");
  assert.equal(await llm(ask({ task: "process", prompt: "y" })), "Y");
  assert.equal(await llm(ask()), "p2");
  assert.match((await fault(llm(ask()))).message, /run out before request 3, a `plan`/);
  const none = await fault(llm(ask({ task: "process", prompt: "last" })));
  assert.match(none.message, /run out before request 3, a `process`/);
  const unknown = await fault(llm(ask({ task: "rollout" })));
  assert.match(unknown.message, /replies for `plan`, `process` but not for this one, a `rollout`/);
  assert.match((await fault(scripted({})(ask()))).message, /replies for no task/);
});

test("scripted: a signal is honoured, and a request that it ended uses no reply", async () => {
  const reason = new Error("enough");
  const llm = scripted(["a"]);
  assert.equal(await fault(llm(ask({ signal: AbortSignal.abort(reason) }))), reason);
  assert.equal(await llm(ask()), "a");
  const stop = new AbortController();
  const slow = scripted(() => new Promise(() => {}));
  const call = fault(slow(ask({ signal: stop.signal })));
  stop.abort(reason);
  assert.equal(await soon(call), reason);
});

test("a request is named by what the model sees", () => {
  const seen = {
    ...{ system: "s", prompt: "p", task: "plan", temperature: 0.5, seed: 7 },
    schema: { b: [1, { d: null, c: "é" }], a: true, 10: 1, 9: 2 },
  };
  const canonical =
    '{"prompt":"p","schema":{"10":1,"9":2,"a":true,"b":[1,{"c":"é","d":null}]},"seed":7,"system":"s","task":"plan","temperature":0.5}';
  const expected = createHash("sha256").update(canonical).digest("hex");
  assert.equal(requestKey(ask(seen)), expected);
  const host = { id: "other", attempt: 3, signal: AbortSignal.timeout(9), schemaName: "x" };
  assert.equal(requestKey(ask({ ...seen, ...host, previousError: [] })), expected);
  const turned = { schema: { 9: 2, 10: 1, a: true, b: [1, { c: "é", d: null }] } };
  assert.equal(requestKey(ask({ ...seen, ...turned })), expected);
  for (const other of [
    { system: "S" },
    { prompt: "P" },
    { task: "process" },
    { temperature: 0.6 },
    { temperature: undefined },
    { seed: 8 },
    { schema: undefined },
    { schema: { ...seen.schema, a: false } },
  ]) {
    assert.notEqual(requestKey(ask({ ...seen, ...other })), expected);
  }
});

test("the hash is SHA-256, at every length around a block and beyond", () => {
  const key = (prompt) => `{"prompt":${JSON.stringify(prompt)},"system":"Be brief.","task":"plan"}`;
  for (let length = 0; length < 200; length++) {
    const prompt = "aé🌍\n"[length % 4].repeat(length);
    const expected = createHash("sha256").update(key(prompt)).digest("hex");
    assert.equal(requestKey(ask({ prompt })), expected, `length ${length}`);
  }
  const long = "graph ".repeat(100_000);
  const expected = createHash("sha256").update(key(long)).digest("hex");
  assert.equal(requestKey(ask({ prompt: long })), expected);
});

test("a recording is JSON, and is played back in order for each request", async () => {
  const busy = new LlmError("http", "openai", "busy", { status: 429, retryAfter: 2, body: "b" });
  const odd = new RangeError("odd");
  const usage = { inputTokens: 5 };
  const replies = ["a1", "b1", { json: [1], usage }, busy, odd, "a2"];
  const prompts = ["a", "b", "b", "a", "a", "a"];
  const { llm, recording } = record(scripted(replies));
  const live = [];
  for (const prompt of prompts) live.push(await settled(llm(ask({ prompt }))));
  const stored = JSON.parse(JSON.stringify(recording()));
  assert.deepEqual(stored, recording());
  assert.equal(stored.version, 1);
  assert.deepEqual(stored.calls[0], {
    key: requestKey(ask({ prompt: "a" })),
    task: "plan",
    prompt: "a",
    reply: "a1",
  });
  const again = replay(stored);
  // The order between different requests does not matter.
  const order = [1, 0, 3, 2, 4, 5];
  for (const at of order) {
    const played = await settled(again(ask({ prompt: prompts[at], id: "other", attempt: 2 })));
    assert.deepEqual(played, live[at]);
  }
  const miss = await fault(again(ask({ prompt: "b" })));
  assert.deepEqual([miss.name, miss.kind, miss.provider], ["LlmError", "unavailable", "replay"]);
  assert.match(miss.message, /no more replies to.*a `plan` whose prompt begins `b`: record again/);
  const unknown = await fault(again(ask({ prompt: "c", task: "analyze" })));
  assert.match(
    unknown.message,
    /the recording has no reply to this request, a `analyze` whose prompt begins `c`/,
  );
});

/** A reply, or what is told of an error that was recorded. */
async function settled(promise) {
  try {
    return await promise;
  } catch ({ name, message, kind, provider, status, retryAfter }) {
    return { name, message, kind, provider, status, retryAfter };
  }
}

test("calls are recorded in the order in which they begin, and equal ones are told apart by it", async () => {
  let count = 0;
  const { llm, recording } = record(async () => {
    const mine = ++count;
    await new Promise((resolve) => setTimeout(resolve, 30 - 10 * mine));
    return `${mine}`;
  });
  await Promise.all([llm(ask()), llm(ask())]);
  const again = replay(recording());
  assert.deepEqual(await Promise.all([again(ask()), again(ask())]), ["1", "2"]);
});

test("what is running or was aborted is not in a recording, and a recording does not change", async () => {
  const stop = new AbortController();
  const { llm, recording } = record(scripted([{ json: { a: 1 } }, "b"]));
  const reply = await llm(ask());
  const before = recording();
  reply.json.a = 2;
  assert.deepEqual(before.calls[0].reply, { json: { a: 1 } });
  assert.deepEqual(recording(), before);
  const slow = record(() => new Promise(() => {}));
  const call = fault(slow.llm(ask({ signal: stop.signal })));
  assert.deepEqual(slow.recording().calls, []);
  stop.abort(new Error("enough"));
  await soon(call);
  assert.deepEqual(slow.recording().calls, []);
});

test("a recording that is none is misuse", () => {
  for (const wrong of [null, [], {}, { version: 1 }, { version: 2, calls: [] }]) {
    assert.throws(() => replay(wrong), { name: "BynameError", code: "argument" });
  }
  for (const call of [null, {}, { key: "x" }, { key: 1, reply: "a" }]) {
    assert.throws(() => replay({ version: 1, calls: [call] }), { code: "argument" });
  }
});

test("a callback may answer a text, an object, a promise or pieces", async () => {
  async function* pieces() {
    yield "a";
    yield "b";
  }
  assert.deepEqual(await collect(() => "ab", ask()), { text: "ab" });
  assert.deepEqual(await collect(() => ({ json: [] }), ask()), { json: [] });
  assert.deepEqual(await collect(async () => "ab", ask()), { text: "ab" });
  assert.deepEqual(await collect(pieces, ask()), { text: "ab" });
  const { llm, recording } = record(pieces);
  assert.equal(await llm(ask()), "ab");
  assert.equal(await replay(recording())(ask()), "ab");
});

test("what is no piece of a reply is told, with what to do", async () => {
  const one = (piece) =>
    async function* () {
      yield piece;
    };
  const cases = [
    [one({ text: "a" }), /expected strings from the callback, found an Object: yield its text/],
    [one(new Uint8Array([104])), /found a Uint8Array: decode it/],
    [one(undefined), /found undefined/],
  ];
  for (const [llm, expected] of cases)
    assert.match((await fault(collect(llm, ask()))).message, expected);
});

test("a recording holds a reply, and not what else comes with it", async () => {
  const { llm, recording } = record(async () => ({ text: "a", raw: () => 1 }));
  assert.equal((await llm(ask())).text, "a");
  assert.deepEqual(recording().calls[0].reply, { text: "a" });
});

test("pieces are asked for no longer when the signal says so, even by those that are stuck", async () => {
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
  const odd = [ends(() => ({ done: true })), ends(() => assert.fail("at the end"))];
  for (const llm of [endless, stuck, ...odd, () => new Promise(() => {})]) {
    const stop = new AbortController();
    const call = fault(collect(llm, ask({ signal: stop.signal })));
    setTimeout(() => stop.abort(reason), 20);
    assert.equal(await soon(call), reason);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(ended);
  async function* broken() {
    yield "a";
    throw reason;
  }
  assert.equal(await fault(collect(broken, ask())), reason);
});
