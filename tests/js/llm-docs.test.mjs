// Examples of docs/llm.md that need a model: they run here with fake models and servers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as llm from "byname/llm";
import { chat, chatEvent, message, newRequest } from "./llm-server.mjs";

const page = readFileSync(new URL("../../docs/llm.md", import.meta.url), "utf8");

const reply = { text: "Hi", finishReason: "stop", usage: {}, response: { modelId: "m" } };

async function* chunks() {
  yield { choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] };
}

/** Imports of the examples, by name. */
const modules = {
  "byname/llm": llm,
  ai: {
    generateText: async () => reply,
    jsonSchema: (schema) => schema,
    Output: { object: (options) => options },
  },
  "@ai-sdk/google": { google: (name) => name },
  "@mlc-ai/web-llm": {
    CreateMLCEngine: async () => ({
      chat: { completions: { create: async () => chunks() } },
      interruptGenerate: () => {},
    }),
  },
  "@wllama/wllama": {
    Wllama: class {
      async loadModelFromUrl() {}
      async createChatCompletion({ onData }) {
        for await (const chunk of chunks()) onData(chunk);
      }
    },
  },
};

const LanguageModel = {
  availability: async () => "available",
  create: async () => ({ prompt: async () => "Hi", destroy: () => {} }),
};

/** Servers by the end of their address. */
async function fetch(url, { body }) {
  const address = String(url);
  if (address.endsWith("/messages")) return Response.json(message("Hi"));
  if (!address.endsWith("/chat/completions")) return new Response("Hi");
  if (!JSON.parse(body).stream) return Response.json(chat("Hi"));
  const stream = `${chatEvent({ content: "Hi" })}${chatEvent({}, "stop")}data: [DONE]\n\n`;
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

const AsyncFunction = (async () => {}).constructor;
const names = ["modules", "request", "fetch", "console"];

const examples = [...page.matchAll(/^## ([^\n]*)\n(?:(?!^## ).)*?^```js\n(.*?)^```$/gms)];

test("has an example for each model", () => {
  assert.deepEqual(
    examples.map(([, title]) => title),
    ["A callback of your own", "openai", "anthropic", "aiSdk", "chromeAi", "webllm", "wllama"],
  );
});

for (const [, title, code] of examples) {
  test(`runs the example of ${title}`, async (t) => {
    Object.assign(globalThis, { LanguageModel });
    t.mock.method(globalThis, "fetch", fetch);
    t.after(() => {
      delete globalThis.LanguageModel;
    });
    const body = code.replaceAll(
      /^import (\{.*\}) from "(.*)";$/gm,
      (_, list, module) => `const ${list} = modules["${module}"];`,
    );
    assert.doesNotMatch(body, /^import/m);
    const quiet = { log: () => {} };
    const last = /\btext\b/.test(body) ? "\nreturn text;" : "";
    const run = new AsyncFunction(...names, title.startsWith("A callback") ? body : body + last);
    const text = await run(modules, newRequest(), fetch, quiet);
    if (text !== undefined) assert.equal(text, "Hi");
  });
}

test("the page names every export", () => {
  for (const name of Object.keys(llm)) assert.match(page, new RegExp(`\\b${name}\\b`), name);
});
