// Misspelled and missing options: they are reported at once by name, everywhere in the package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, compileFlow, GaslSession, Graph, HamStore, init, Surface } from "byname";
import { FromA2ui, ToA2ui, toA2uiAction, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog, mount } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { linkedNodes } from "byname/flow";
import { cypherAdapter, search } from "byname/gasl";
import {
  aiSdk,
  anthropic,
  chromeAi,
  collect,
  openai,
  record,
  replay,
  scripted,
  webllm,
  wllama,
} from "byname/llm";

await init();

const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] });
const session = () => new GaslSession({ graph });
const surface = new Surface({ catalog: basicCatalog });
const container = { append() {} };
const model = () => "";
const engine = { chat: { completions: { create() {} } } };
const csv = { nodes: "id\na", edges: "source,target\na,a" };
const action = { name: "x", surfaceId: "s", sourceComponentId: "c", timestamp: "t", context: {} };
const plan = { plan_id: "p", why: "", commands: [] };
const run = async () => "";

/** Calls, each with the message of its error. */
const wrong = {
  openai: [
    [() => openai(), /expected the options of `openai` to be an object, found undefined/],
    [() => openai("gpt"), /to be an object, found a string/],
    [() => openai([]), /to be an object, found an Array/],
    [() => openai({}), /expected `model` to be a string, found undefined/],
    [() => openai({ model: 5 }), /`model`/],
    [() => openai({ model: "m", apikey: "k" }), /unknown key `apikey` .*`apiKey`/],
    [() => openai({ model: "m", temperature: 1 }), /unknown key `temperature`/],
    [() => openai({ model: "m", retries: -1 }), /`retries`/],
    [() => openai({ model: "m", maxWait: "x" }), /`maxWait`/],
    [
      () => openai({ model: "m", stream: "x" }),
      /expected `stream` to be a boolean, found a string/,
    ],
    [() => openai({ model: "m", strict: 1 }), /`strict`/],
    [() => openai({ model: "m", headers: "x" }), /`headers`/],
    [() => openai({ model: "m", headers: new Headers() }), /plain object, found a Headers/],
    [() => openai({ model: "m", headers: { a: 5 } }), /expected `a` of `headers` to be a string/],
    [() => openai({ model: "m", body: "x" }), /`body`/],
    [() => openai({ model: "m", baseUrl: "localhost:8080" }), /such as `http:\/\/localhost/],
    [() => openai({ model: "m", fetch: "x" }), /`fetch`/],
    [() => openai({ model: "m", onToken: "x" }), /`onToken`/],
  ],
  anthropic: [
    [() => anthropic({}), /`model`/],
    [() => anthropic({ model: "m" }), /expected `apiKey` to be a string, found undefined/],
    [() => anthropic({ model: "m", apiKey: "k", maxTokens: "x" }), /`maxTokens`/],
    [() => anthropic({ model: "m", apiKey: "k", browser: "x" }), /`browser`/],
  ],
  chromeAi: [
    [() => chromeAi({ downlod: true }), /unknown key `downlod`/],
    [() => chromeAi({ download: "x" }), /`download`/],
  ],
  aiSdk: [
    [() => aiSdk(), /found undefined/],
    [() => aiSdk({ model: "m" }), /expected `generateText` to be a function/],
  ],
  webllm: [
    [() => webllm(), /of the engine to be a function/],
    [() => webllm(engine, { gramar: true }), /unknown key `gramar`/],
  ],
  wllama: [
    [() => wllama(), /of the instance to be a function/],
    [() => wllama({ createChatCompletion() {} }, { onToken: 5 }), /`onToken`/],
  ],
  scripted: [
    [() => scripted(), /a script is a list of replies or a function, not undefined/],
    [() => scripted({ plans: [] }), /unknown task `plans`; available: plan/],
    [() => scripted({ plan: "x" }), /the script of `plan`/],
  ],
  record: [[() => record("x"), /the callback to be a function/]],
  replay: [[() => replay('{"version":1,"calls":[]}'), /parse its JSON text first/]],
  collect: [
    [() => collect("x", {}), /the callback to be a function/],
    [() => collect(model, { prompt: "" }), /missing `signal` of the request/],
    [() => collect(model), /missing `signal` of the request/],
  ],
  GaslSession: [
    [() => new GaslSession(), /to be an object, found undefined/],
    [
      () => GaslSession.replay(session().recording(), { graph, strct: false }),
      /unknown key `strct`/,
    ],
    [() => GaslSession.replay(session().recording()), /found undefined/],
    [() => session().run(), /expected a plan as an object with `commands`/],
    [() => session().run(plan, { maxPlans: "x" }), /`maxPlans`/],
    [() => session().execute("FIND nodes AS x", { timeout: "x" }), /`timeout`/],
  ],
  ask: [
    [() => ask(), /expected a question to be a string/],
    [() => ask("q"), /expected the options of `ask` to be an object/],
    [
      () => ask("q", { graph, llm: model, maxPlan: 1 }),
      /unknown key `maxPlan` in .*; available: .*`maxPlans`/,
    ],
  ],
  search: [
    [() => search(), /to be a GaslSession, found undefined/],
    [() => search(session()), /expected a question to be a string/],
    [() => search(session(), "q", { iteration: 1 }), /unknown key `iteration`/],
    [() => search(session(), "q", { seed: "x" }), /`seed`/],
  ],
  Graph: [
    [() => Graph.fromCsv({ ...csv, direted: true }), /unknown key `direted`/],
    [() => Graph.fromCsv({ ...csv, directed: "yes" }), /`directed`/],
    [() => Graph.fromCsv(), /expected the tables to be an object/],
  ],
  cypherAdapter: [
    [() => cypherAdapter(), /found undefined/],
    [() => cypherAdapter({ runn: run }), /unknown key `runn`/],
    [() => cypherAdapter({}), /expected `run` to be a function/],
    [() => cypherAdapter({ run, idKey: 5 }), /`idKey`/],
  ],
  a2ui: [
    [() => new FromA2ui({ stor: new HamStore() }), /unknown key `stor`/],
    [() => new FromA2ui({ store: {} }), /expected `store` to be a HamStore/],
    [() => new ToA2ui({ versoin: "v1.0" }), /unknown key `versoin`/],
    [() => toA2uiAction(), /expected an action to be an object/],
    [() => toA2uiAction({}), /`context` of an action/],
    [() => toA2uiAction(action, { versoin: "v1.0" }), /unknown key `versoin`/],
    [() => toA2uiDataModel({ s: 1 }), /expected `s` to be a `HamStore`, found a number/],
    [() => toA2uiDataModel({}, 1), /`version`/],
  ],
  linkedNodes: [[() => linkedNodes(), /to be an object/]],
  mount: [
    [() => mount(surface, container, { windowAbov: 1 }), /unknown key `windowAbov`/],
    [() => mount(surface, container, { windowAbove: "x" }), /`windowAbove`/],
    [() => mount(surface, container, { words: "de" }), /`words`/],
    [() => mount(surface, container, { words: { laoding: "" } }), /unknown key `laoding`/],
    [
      () => mount(surface, container, { words: { loading: 5 } }),
      /`loading` of `words` to be a string/,
    ],
    [() => mount(surface, container, { hydrate: "yes" }), /`hydrate`/],
    [() => mount(surface, container, { components: [] }), /`components`/],
    [
      () => mount(surface, container, { components: { Text: "x" } }),
      /expected `Text` to be a function/,
    ],
    [() => mount(surface, container, { locale: "x y" }), /`locale`/],
  ],
  catalog: [
    [() => basicCatalog.prompt({ list: "x" }), /expected `list` to be a boolean/],
    [
      () => basicCatalog.schema({ lst: true }),
      /unknown key `lst` in .*; available: `messages`, `surfaceId`, `list`/,
    ],
    [
      () => basicCatalog.prompt({ messages: [] }),
      /expected `messages` to be a list of message names/,
    ],
    [() => basicCatalog.prompt({ messages: ["x"] }), /unknown message `x`/],
  ],
  flow: [
    [() => compileFlow({ nodes: [] }, {}, []), /expected the options of a flow to be an object/],
  ],
  renderToString: [
    [() => renderToString(surface, { hydrate: true }), /unknown key `hydrate`/],
    [() => renderToString(surface, { nonce: 5 }), /`nonce`/],
    [() => renderToString(surface, { locale: "x y" }), /`locale`/],
  ],
};

for (const [name, calls] of Object.entries(wrong)) {
  test(`checks the options of ${name}`, async () => {
    for (const [call, message] of calls) {
      const misuse = { name: "BynameError", code: "argument", message };
      await assert.rejects(async () => call(), misuse, String(call));
    }
  });
}

test("an option of a session may be undefined", async () => {
  const usage = { inputTokens: undefined, outputTokens: 1 };
  const llm = () => ({ text: "COMPLETE: yes", json: undefined, finishReason: undefined, usage });
  const caps = { max_results: undefined, max_excerpt_items: 1 };
  const one = new GaslSession({
    graph,
    llm,
    caps,
    ceilings: { timeout_ms: undefined },
    seed: undefined,
  });
  const commands = [{ command: "FIND nodes AS x", why: undefined }];
  const why = "w";
  for (const config of [undefined, { stop_on_error: undefined }]) {
    const { status, diagnostics } = await one.run({ plan_id: "p", why, commands, config });
    assert.deepEqual([status, diagnostics], ["completed", []]);
  }
  assert.equal((await one.solve("q", { maxCalls: undefined })).answer, "yes");
  await assert.rejects(
    one.run({ plan_id: "p", why, commands: [undefined] }),
    /no value for `undefined`/,
  );
});

test("an optional field may be undefined", () => {
  openai({ model: "m", apiKey: undefined, headers: undefined, retries: undefined });
  anthropic({ model: "m", apiKey: "k", headers: { "x-a": "b" }, body: { top_k: undefined } });
  webllm(engine, { grammar: undefined });
  scripted({ plan: [], rollout: () => "" });
  renderToString(surface, { words: undefined, locale: undefined });
  new ToA2ui({ version: undefined });
});

test("reports a callback without a reply, and the expected result", async () => {
  const { signal } = new AbortController();
  for (const [answer, message] of [
    [5, /from the callback, found a number: return a string/],
    [undefined, /found undefined/],
    [new Response("x"), /found a Response: pass `await response.text\(\)`/],
    [new Map(), /found a Map/],
  ]) {
    await assert.rejects(
      collect(async () => answer, { signal }),
      message,
    );
  }
});

test("a surface distinguishes a catalog from its components", () => {
  const { components } = basicCatalog;
  assert.throws(() => new Surface({ catalog: components }), {
    code: "argument",
    message: /missing `components` in `catalog`/,
  });
  for (const catalog of [{}, { components }, { functions: {} }, basicCatalog]) {
    assert.equal(new Surface({ catalog }).tree(), null);
  }
});
