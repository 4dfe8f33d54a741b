// A secret is placed everywhere it can go, and then searched for in everything that leaves a run, a
// session or an adapter.

import assert from "node:assert/strict";
import test from "node:test";
import { inspect } from "node:util";
import { buildContext, compileFlow, GaslSession, Graph, init } from "byname";
import { linkedNodes, linkedRegistry, subflow } from "byname/flow";
import { aiSdk, anthropic, LlmError, openai, record } from "byname/llm";
import { memoryStorage } from "byname/storage";
import { flowOf } from "../flow/make.mjs";
import { findSecret } from "../secret-search.mjs";
import { events, jsonResponse, newRequest, startServer, text } from "./llm-server.mjs";

await init();

const SECRET = 'sk-9/Zq"73-secret';

/** Fails if a value, or what a console prints of it, contains the secret. */
function assertFree(value, what) {
  assert.deepEqual(findSecret(value, SECRET), [], what);
  assert.ok(!inspect(value, { depth: 20, showHidden: true }).includes(SECRET), what);
}

/** Returns the reason of a rejection. */
async function reasonOf(promise) {
  const reason = await promise.then(
    () => undefined,
    (error) => error,
  );
  assert.ok(reason instanceof Error, "the call was rejected");
  return reason;
}

/** Collects the output of the console during a call. */
async function consoleOf(body) {
  const names = ["log", "info", "warn", "error", "debug"];
  const originals = names.map((name) => console[name]);
  const printed = [];
  for (const name of names) console[name] = (...values) => printed.push(values);
  try {
    await body();
  } finally {
    names.forEach((name, nth) => {
      console[name] = originals[nth];
    });
  }
  return printed;
}

/** Error whose class reveals a private field. */
class RequestError extends Error {
  #request = { headers: { authorization: SECRET } };
  code = "ECONNRESET";

  get request() {
    return this.#request;
  }
}

const adapters = {
  openai: (options) => openai({ model: "m", apiKey: SECRET, ...options }),
  anthropic: (options) => anthropic({ model: "m", apiKey: SECRET, ...options }),
};
const half = SECRET.slice(0, 7);
const rest = SECRET.slice(7);
const replies = {
  openai: {
    whole: {
      model: SECRET,
      choices: [{ message: { role: "assistant", content: `Your key is ${SECRET}!` } }],
    },
    chunks: [half, rest, "!"].map(
      (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
    ),
    end: "data: [DONE]\n\n",
  },
  anthropic: {
    whole: { model: SECRET, content: [{ type: "text", text: `Your key is ${SECRET}!` }] },
    chunks: [half, rest, "!"].map(
      (part) =>
        `data: ${JSON.stringify({ type: "content_block_delta", delta: { text: part } })}\n\n`,
    ),
    end: 'data: {"type":"message_stop"}\n\n',
  },
};

for (const [name, adapter] of Object.entries(adapters)) {
  const { whole, chunks, end } = replies[name];
  const faults = {
    "an error with the key": jsonResponse({ error: { message: `bad ${SECRET}`, SECRET } }, 401),
    "a page with the key": text(`<h1>${SECRET}</h1>`, 500),
    "a reply of another form": jsonResponse({ echo: SECRET }),
    "a stream that ends early": events(chunks.join("")),
    "a stream that breaks": events(chunks.join(""), (response) => response.destroy()),
    "an event that is not JSON": events(`${chunks.join("")}data: ${SECRET}\n\n`),
    "an error in the stream": events(
      `${chunks.join("")}data: ${JSON.stringify({ type: "error", error: { message: SECRET } })}\n\n`,
    ),
    "a redirect": (response) => response.writeHead(302, { location: `/?${SECRET}` }).end(),
  };
  for (const [what, answer] of Object.entries(faults)) {
    test(`${name}: no error contains the key: ${what}`, async (t) => {
      const { baseUrl } = await startServer(t, answer);
      const tokens = [];
      const llm = adapter({ baseUrl, onToken: (token) => tokens.push(token) });
      const { llm: recorded, recording } = record(llm);
      const printed = await consoleOf(async () => {
        assertFree(await reasonOf(recorded(newRequest())), what);
      });
      assertFree([recording(), printed, tokens.join("")], what);
    });
  }

  test(`${name}: a custom fetch that fails with its request reveals no key`, async () => {
    for (const thrown of [
      new Error("x", { cause: { config: { headers: { authorization: `Bearer ${SECRET}` } } } }),
      Object.assign(new Error("x"), {
        request: new Request("http://x", { headers: { k: SECRET } }),
      }),
      `failed with ${SECRET}`,
      { config: { key: SECRET } },
      new AggregateError([new Error(SECRET)], "all failed"),
      new Error("x", { cause: { retry: Object.assign(() => SECRET, { key: SECRET }) } }),
      new LlmError("http", "gateway", `401 for ${SECRET}`, { body: SECRET }),
      new RequestError("x"),
      new Error("x", { cause: [new RequestError("x")] }),
      new RequestError(SECRET),
      new DOMException(`no ${SECRET}`, "NetworkError"),
      new DOMException("x", SECRET),
    ]) {
      const fetch = () => Promise.reject(thrown);
      const error = await reasonOf(
        adapter({ baseUrl: "http://localhost/v1", fetch })(newRequest()),
      );
      assertFree(error, inspect(thrown));
      for (let one = error.cause; one !== undefined; one = one.cause)
        assert.ok(!(one instanceof RequestError), inspect(thrown));
    }
  });

  test(`${name}: a cause of a class of the host is a plain error with its texts`, async () => {
    const thrown = new TypeError("fetch failed", { cause: new RequestError("reset") });
    const fetch = () => Promise.reject(thrown);
    const { cause } = await reasonOf(adapter({ baseUrl: "http://x/v1", fetch })(newRequest()));
    assert.deepEqual([cause.name, cause.message], ["TypeError", "fetch failed"]);
    assert.deepEqual([cause.cause.message, cause.cause.code], ["reset", "ECONNRESET"]);
    assert.equal(cause.cause.request, undefined);
    for (const known of [new DOMException("x", "NetworkError"), new AggregateError([], "x")]) {
      const failing = adapter({ baseUrl: "http://x/v1", fetch: () => Promise.reject(known) });
      assert.equal((await reasonOf(failing(newRequest()))).cause, known);
    }
  });

  test(`${name}: a key with the line break of its file is redacted`, async (t) => {
    const refusal = jsonResponse({ error: { message: `bad ${SECRET}` } }, 401);
    const answers = [refusal, jsonResponse(whole)];
    const { baseUrl } = await startServer(t, ...answers, ...answers);
    for (const apiKey of [`${SECRET}\n`, ` ${SECRET}\r\n`]) {
      const llm = adapter({ baseUrl, apiKey });
      assertFree(await reasonOf(llm(newRequest())), "an error");
      assertFree(await llm(newRequest()), "a reply");
    }
  });

  test(`${name}: a reply that repeats the key is redacted, also in recordings and chunks`, async (t) => {
    const stream = events(chunks.join("") + end);
    const { baseUrl } = await startServer(t, jsonResponse(whole), stream);
    const { llm, recording } = record(adapter({ baseUrl }));
    assert.match((await llm(newRequest())).text, /^Your key is •+!$/);
    const tokens = [];
    const streaming = adapter({ baseUrl, onToken: (token) => tokens.push(token) });
    const reply = await streaming(newRequest());
    assert.match(reply.text, /^•+!$/);
    assert.equal(tokens.join(""), reply.text);
    assertFree([recording(), reply, tokens], "replies");
  });

  test(`${name}: a key that JSON escapes, or the reason of the end, is redacted`, async (t) => {
    const escaped = JSON.stringify({ items: [SECRET] }).replace("sk-9", "\\u0073k-9");
    const text = JSON.stringify(escaped).slice(1, -1);
    const parts = whole.content
      ? {
          ...whole,
          content: [{ type: "text", text: JSON.parse(`"${text}"`) }],
          stop_reason: SECRET,
        }
      : {
          ...whole,
          choices: [{ message: { content: JSON.parse(`"${text}"`) }, finish_reason: SECRET }],
        };
    const { baseUrl } = await startServer(t, jsonResponse(parts));
    const { llm, recording } = record(adapter({ baseUrl }));
    const schema = { type: "object", properties: { items: { type: "array" } } };
    const reply = await llm({ ...newRequest(), schema });
    assert.match(reply.json.items[0], /^•+$/);
    assertFree([recording(), reply], "replies");
    assert.ok(!JSON.stringify(recording()).includes("u0073k-9"));
  });

  test(`${name}: a session stores, records and shows no key`, async (t) => {
    const answers = [jsonResponse(whole), jsonResponse({ error: { message: SECRET } }, 401)];
    const { baseUrl } = await startServer(t, ...answers);
    const storage = memoryStorage();
    const saved = [];
    const backend = {
      load: () => storage.load(),
      save: (state, options) => {
        saved.push(state);
        return storage.save(state, options);
      },
    };
    const graph = Graph.fromCsv({ edges: "source,target\na,b\n" });
    const prompts = [];
    const llm = adapter({ baseUrl });
    const asking = (request) => {
      prompts.push(request.prompt);
      return llm(request);
    };
    const session = new GaslSession({ graph, llm: asking, backend, retries: 1 });
    const printed = await consoleOf(async () => {
      await session.execute("FIND nodes AS x");
      const record = await session.execute('PROCESS x USING "who?" AS y');
      const solved = await session.solve("who?");
      assertFree([record, solved], "results");
    });
    assertFree([session.recording(), session.state, saved, prompts, printed], "stored");
  });
}

for (const [name, adapter] of Object.entries(adapters)) {
  test(`${name}: a page in HTML that repeats the key is redacted`, async (t) => {
    const apiKey = "sk<9>/Z&q\"73'key";
    const forms = [
      "sk&lt;9&gt;/Z&amp;q&quot;73&#39;key",
      "sk&lt;9&gt;/Z&amp;q&#34;73&#x27;key",
      "sk&lt;9&gt;&#x2F;Z&amp;q&quot;73&#x27;key",
      encodeURIComponent(apiKey).replaceAll(/%../g, (found) => found.toLowerCase()),
    ];
    for (const form of forms) {
      const { baseUrl } = await startServer(t, text(`<p>Invalid key ${form}</p>`, 401));
      const error = await reasonOf(adapter({ baseUrl, apiKey })(newRequest()));
      assert.match(error.body, /^<p>Invalid key •+<\/p>$/, form);
      assert.ok(!inspect(error, { depth: 20 }).includes(form), form);
    }
  });

  test(`${name}: the credentials of a basic authorization are redacted when a server decodes them`, async (t) => {
    const credentials = "ann:pässword-1";
    const encoded = Buffer.from(credentials).toString("base64");
    const answer = `no access for ${credentials} with pässword-1 (${encoded})`;
    const { baseUrl } = await startServer(t, text(answer, 401));
    const headers = { authorization: `Basic ${encoded}` };
    const error = await reasonOf(adapter({ baseUrl, headers })(newRequest()));
    for (const part of ["pässword-1", encoded])
      assert.ok(!inspect(error, { depth: 20 }).includes(part), part);
  });
}

for (const [name, adapter] of Object.entries(adapters)) {
  test(`${name}: the parts of a cookie or a digest are redacted`, async (t) => {
    const headers = {
      cookie: "theme=dark; session=c00kie-value",
      authorization: 'Digest username="ann", response="d1gest-value"',
    };
    const body = "no session c00kie-value, no digest d1gest-value";
    const { baseUrl } = await startServer(t, text(body, 401));
    const error = await reasonOf(adapter({ baseUrl, headers })(newRequest()));
    assert.match(error.body, /^no session •+, no digest •+$/);
  });
}

test("aiSdk: an error that repeats a header of the settings reveals no key", async () => {
  const failed = Object.assign(new Error(`401 for ${SECRET}`), {
    name: "AI_APICallError",
    statusCode: 401,
    responseBody: `{"key":"${SECRET}"}`,
    requestHeaders: { authorization: SECRET },
  });
  const settings = { headers: { authorization: `Bearer ${SECRET}` } };
  const failing = aiSdk({ generateText: () => Promise.reject(failed), model: "m", settings });
  assertFree(await reasonOf(failing(newRequest())), "the error");
  const generateText = async () => ({ text: `it is ${SECRET}`, finishReason: "stop" });
  assertFree(await aiSdk({ generateText, model: "m", settings })(newRequest()), "the reply");
});

const inputs = { key: { secret: true, type: "string", required: true }, topic: { default: "t" } };

/** Outcomes of a node that uses a secret. */
const outcomes = {
  returned: (key) => ({ outputs: { token: `got ${key}`, list: [key, { [key]: key }] } }),
  "an error": (key) => {
    throw new Error(`401 for ${key}`, { cause: new Error(key) });
  },
  "a thrown text": (key) => Promise.reject(`no ${key}`),
  "an undeclared output": (key) => ({ outputs: { [key]: 1, token: 1, list: [] } }),
  "an unknown action": (key) => ({ outputs: { token: 1, list: [] }, action: key }),
  "an invalid result": (key) => ({ [key]: key }),
  "a property that is not JSON": (key) => ({ outputs: { token: { [key]: () => key }, list: [] } }),
};

for (const [what, outcome] of Object.entries(outcomes)) {
  test(`a run reveals no secret input: ${what}`, async () => {
    const nodes = [
      ["login", "key", "token", { params: { header: "Bearer $key", nested: [{ a: "$key" }] } }],
      ["fetch", "token", "page", { batch: { items: ["$key", "b"] } }],
    ];
    const work = ({ id, inputs: given }) =>
      id === "login" ? outcome(given.key) : { outputs: { page: `${given.token} is read` } };
    const flow = flowOf(nodes, { inputs });
    const seen = [];
    const printed = await consoleOf(async () => {
      const { trace, diagnostics, status } = await flow.run({
        nodes: { work },
        inputs: { key: SECRET },
        onEvent: (event) => seen.push(event),
        onCheckpoint: (checkpoint) => {
          seen.push(structuredClone(checkpoint));
        },
      });
      seen.push(trace, diagnostics, status);
    });
    assertFree([seen, printed, flow.toJSON(), flow.toMermaid(), flow.fingerprint], what);
  });
}

test("wrong values of secret inputs are reported without them", async () => {
  const flow = flowOf([["login", "key", "token"]], {
    inputs: { key: { secret: true, type: "number" }, list: { secret: true, type: "array" } },
  });
  const work = () => ({ outputs: { token: 1 } });
  const result = await flow.run({ nodes: { work }, inputs: { key: SECRET, list: SECRET } });
  assert.equal(result.status, "failed");
  assertFree([result.diagnostics, result.trace], "the diagnostics");
});

test("a workflow with secret defaults is compiled and described without them", () => {
  const workflow = {
    nodes: [{ id: "a", type: "work", params: { header: "Bearer $key", other: "$kye" } }],
    inputs: { key: { secret: true, default: SECRET, type: "number", description: `is ${SECRET}` } },
  };
  const registry = { work: { inputs: ["key"], outputs: ["token"], description: SECRET } };
  const compiled = compileFlow(workflow, registry);
  const { flow, ...others } = compiled;
  assertFree(others, "the diagnostics");
  if (flow) assertFree([flow.toJSON(), flow.toMermaid()], "the exports");
  assertFree(buildContext(workflow, registry), "the context");
});

test("nested workflows and linked nodes reveal no secret", async () => {
  const fails = ({ inputs: given }) => {
    throw new Error(`no ${given.key}`);
  };
  const inner = flowOf([["login", "key", "token"]], { inputs, outputs: { token: {} } });
  const registry = {
    ...linkedRegistry,
    inner: { inputs: ["key"], outputs: ["token"] },
  };
  const workflow = {
    nodes: [
      { id: "ask", type: "llm", params: { prompt: "Use $key" } },
      { id: "in", type: "inner" },
    ],
    inputs,
  };
  const { flow } = compileFlow(workflow, registry);
  const llm = async ({ prompt }) => `I read: ${prompt}`;
  const seen = [];
  const { trace, diagnostics } = await flow.run({
    nodes: { ...linkedNodes({ llm }), inner: subflow(inner, { nodes: { work: fails } }) },
    inputs: { key: SECRET },
    onEvent: (event) => seen.push(event),
  });
  assertFree([trace, diagnostics, seen], "the run");
});
