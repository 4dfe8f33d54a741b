// Requests to an adapter: an invalid one is reported by the name of its field.
import assert from "node:assert/strict";
import test from "node:test";
import { aiSdk, anthropic, openai, webllm, wllama } from "byname/llm";
import { chat, jsonResponse, newRequest, startServer } from "./llm-server.mjs";

const apiKey = "sk-secret/0123456789";

test("rejects an invalid request, and accepts one without a signal", async (t) => {
  const { baseUrl } = await startServer(t, jsonResponse(chat("Hi")));
  const adapters = {
    openai: openai({ model: "m", baseUrl }),
    anthropic: anthropic({ model: "m", apiKey }),
    aiSdk: aiSdk({ generateText: async () => ({ text: "Hi" }), model: "m" }),
    webllm: webllm({ chat: { completions: { create: async () => chat("Hi") } } }),
    wllama: wllama({ createChatCompletion: async () => chat("Hi") }),
  };
  for (const [name, adapter] of Object.entries(adapters)) {
    for (const [request, message] of [
      [undefined, "expected a request to be a plain object, found undefined"],
      ["Hi", "expected a request to be a plain object, found a string"],
      [
        { ...newRequest(), prompt: undefined },
        "expected `prompt` of a request to be a string, found undefined",
      ],
      [{ ...newRequest(), signal: 5 }, "expected `signal` to be an AbortSignal, found a number"],
    ]) {
      await assert.rejects(adapter(request), { code: "argument", message }, name);
    }
  }
  const { signal, ...request } = newRequest();
  assert.equal((await adapters.openai(request)).text, "Hi");
  assert.equal(signal.aborted, false);
});
