// Values that a provider throws or returns without an error message or a JSON form.
import assert from "node:assert/strict";
import test from "node:test";
import { aiSdk, anthropic, LlmError, openai, record, replay, webllm, wllama } from "byname/llm";
import { errorOf, expectSettled, newRequest, rejectionOf } from "./llm-server.mjs";

const apiKey = "sk-secret/0123456789";

/** Thrown values without an error message. */
function unusualErrors() {
  const says = (message) => Object.assign(new Error("x"), { message });
  const cyclic = new Error("round and round");
  cyclic.cause = cyclic;
  const round = {};
  round.round = round;
  return {
    ...{ cyclic, circular: says(round), big: says(1n), nothing: says(undefined), empty: says("") },
    ...{ bare: Object.create(null), symbol: Symbol("s") },
    ...{ text: "boom", none: undefined },
  };
}

for (const [name, thrown] of Object.entries(unusualErrors())) {
  test(`reports any thrown value as text: ${name}`, async () => {
    const fail = () => {
      throw thrown;
    };
    for (const llm of [
      openai({ model: "m", apiKey, fetch: fail }),
      anthropic({ model: "m", apiKey, fetch: fail }),
      webllm({ chat: { completions: { create: fail } }, interruptGenerate: () => {} }),
      wllama({ createChatCompletion: fail }),
      aiSdk({ generateText: fail, model: "m" }),
    ]) {
      const error = await expectSettled(rejectionOf(llm(newRequest())));
      assert.ok(error instanceof LlmError, String(error));
      assert.equal(typeof error.message, "string");
    }
    const { llm, recording } = record(fail);
    assert.equal(await rejectionOf(llm(newRequest())), thrown);
    const { error } = JSON.parse(JSON.stringify(recording())).calls[0];
    assert.deepEqual([typeof error.name, typeof error.message], ["string", "string"]);
    assert.equal((await rejectionOf(replay(recording())(newRequest()))).message, error.message);
  });
}

test("a circular cause is displayed without the key, or omitted", async () => {
  const withMessage = (message) => {
    const cause = new Error(message);
    cause.cause = new Error("within", { cause });
    return cause;
  };
  const causeOf = async (thrown) =>
    (
      await rejectionOf(
        openai({ model: "m", apiKey, fetch: () => Promise.reject(thrown) })(newRequest()),
      )
    ).cause;
  const clean = withMessage("refused");
  assert.equal(await causeOf(clean), clean);
  assert.equal(await causeOf(withMessage(`refused with ${apiKey}`)), undefined);
  const holding = Object.assign(new Error("x"), { message: { headers: { key: apiKey } } });
  assert.equal(await causeOf(holding), undefined);
});

test("reports a `fetch` with another result", async () => {
  for (const [answer, description] of [
    [undefined, "undefined"],
    [5, "a number"],
    [{ ok: true }, "an Object"],
  ]) {
    const error = await errorOf(openai({ model: "m", apiKey, fetch: () => answer })(newRequest()));
    assert.equal(error.kind, "shape");
    assert.equal(error.message, `expected \`fetch\` to return a Response, found ${description}`);
  }
});

test("rejects a `body` that JSON cannot represent", () => {
  const body = { deep: {} };
  body.deep.body = body;
  for (const one of [body, { big: 1n }]) {
    assert.throws(() => openai({ model: "m", body: one }), {
      code: "argument",
      message: /^expected `body` to be JSON-serialisable: /,
    });
  }
});

test("a recording stores a reply without values that JSON cannot represent", async () => {
  const { llm, recording } = record(() => ({ json: { a: 1, act() {} }, text: "t" }));
  assert.equal((await llm(newRequest())).text, "t");
  assert.deepEqual(recording().calls[0].reply, { text: "t", json: { a: 1 } });
});

test("a response that is nested too deep for a text is an error of the adapter", async () => {
  const text = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const json = JSON.parse(text);
  for (const create of [openai, anthropic])
    for (const body of [text, `{"error":${text}}`, `{"type":"error","error":${text}}`]) {
      const llm = create({ model: "m", apiKey, fetch: async () => new Response(body) });
      const error = await rejectionOf(llm(newRequest()));
      assert.ok(error instanceof LlmError, `${error}`);
    }
  const { llm } = record(() => ({ json }));
  const error = await rejectionOf(llm(newRequest()));
  assert.deepEqual([error.name, error.kind], ["LlmError", "shape"]);
});
