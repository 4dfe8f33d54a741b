// Keys that a server repeats in escapes, in chunks, or in a text that is cut off.
import assert from "node:assert/strict";
import test from "node:test";
import { aiSdk, anthropic, openai, record, replay, scripted } from "byname/llm";
import { errorOf, newRequest } from "./llm-server.mjs";

const baseUrl = "http://localhost/v1";

/** Returns an event stream with these texts; it ends with `end`, or breaks if there is none. */
const streams = {
  openai: (texts, finish) => [
    ...texts.map((content) => ({ choices: [{ delta: { content } }] })),
    ...(finish === undefined ? [] : [{ choices: [{ delta: {}, finish_reason: finish }] }, null]),
  ],
  anthropic: (texts, finish) => [
    ...texts.map((text) => ({ type: "content_block_delta", delta: { text } })),
    ...(finish === undefined
      ? []
      : [{ type: "message_delta", delta: { stop_reason: finish } }, { type: "message_stop" }]),
  ],
};
const adapters = { openai, anthropic };

/** Returns a fetch with the events of texts. */
function fetchOf(name, texts, finish) {
  const events = streams[name](texts, finish);
  const lines = events.map((event) => `data: ${event ? JSON.stringify(event) : "[DONE]"}\n\n`);
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(lines.join(""), { headers });
}

/** Returns the body of the error of a server that responds with this text. */
async function bodyOf(apiKey, text, options = {}) {
  const fetch = async () => new Response(text, { status: 401 });
  return (await errorOf(openai({ model: "m", apiKey, baseUrl, fetch, ...options })(newRequest())))
    .body;
}

const json = (text) => JSON.stringify(text).slice(1, -1);
const unicode = (text, characters, format = (hex) => hex) =>
  text.replace(
    characters,
    (one) => `\\u${format(one.charCodeAt(0).toString(16).padStart(4, "0"))}`,
  );
const percent = (text, characters) =>
  text.replace(characters, (one) =>
    [...new TextEncoder().encode(one)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );

/** Encoders of servers. */
const encoders = {
  "Gson, safe in HTML": (key) => unicode(json(key), /[<>&='\u2028]/g),
  "JSON of Go": (key) => unicode(json(key), /[<>&]/g),
  "JSON of .NET": (key) => unicode(json(key), /[<>&'`+]|[^ -~]/g, (hex) => hex.toUpperCase()),
  "JSON of PHP": (key) => json(key).replaceAll("/", "\\/"),
  "JSON of PHP in a log": (key) => json(json(key).replaceAll("/", "\\/")),
  "JSON in JSON in JSON": (key) => json(json(json(key))),
  "a form": (key) => new URLSearchParams({ key }).toString().slice(4),
  encodeURI,
  "an address": (key) => new URL(`http://x/?k=${key}`).search.slice(3),
  "quote of Python": (key) => percent(key, /[^\w.~/-]/g),
  "PathEscape of Go": (key) => percent(key, /[^\w.~$&+:=@-]/g),
  "percent in lower case": (key) => percent(key, /\W/g).replace(/%../g, (one) => one.toLowerCase()),
  "an address in JSON": (key) => unicode(percent(key, /[^\w&=~-]/g), /[&=]/g),
  "percent of percent": (key) => encodeURIComponent(encodeURIComponent(key)),
  "HTML of Go": (key) => key.replace(/[&<>"'+]/g, (one) => `&#${one.charCodeAt(0)};`),
  "HTML with names": (key) =>
    key.replace(/[&<>"'/=+]/g, (one) => `&${htmlNames[one]};`).replaceAll("`", "&#x60;"),
  "HTML in JSON": (key) => json(key.replace(/[&<>]/g, (one) => `&${htmlNames[one]};`)),
  "a literal of Rust": (key) => json(key).replace(/[^ -~]/g, (one) => `\\u{${hexOf(one)}}`),
  "a literal of Python": (key) => json(key).replace(/[^ -~]/g, (one) => `\\x${hexOf(one)}`),
  "a shell": (key) => `'${key.replaceAll("'", "'\\''")}'`,
};
const hexOf = (one) => one.charCodeAt(0).toString(16);
const htmlNames = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
Object.assign(htmlNames, { "/": "sol", "=": "equals", "+": "plus" });

const keys = [
  "c2stYWJj-ZGVm+Z2g/aWo==",
  "abc8Q~Rz.x-yTTq/9",
  'sk-9/Zq"73-secret',
  "sk<9>&'x+y=z~`\"\\q",
  "nvapi-é%41Ä&lt;x\\u0041/end",
];

for (const [encoder, encode] of Object.entries(encoders)) {
  test(`a key is redacted in the output of encoders: ${encoder}`, async () => {
    for (const key of keys) {
      const body = await bodyOf(key, `{"message":"bad key","request":"${encode(key)}"}`);
      assert.match(body, /^\{"message":"bad key","request":"'?•+'?[&=]?"\}$/, key);
    }
  });
}

test("a key is redacted with any of its characters escaped", async () => {
  const forms = [
    (one) => one,
    (one) => `\\${one}`,
    (one) => `\\u00${hexOf(one)}`,
    (one) => `%${hexOf(one).toUpperCase()}`,
    (one) => `%${hexOf(one)}`,
    (one) => `&#${one.charCodeAt(0)};`,
    (one) => `&#X${hexOf(one)};`,
    (one) => `\\\\u00${hexOf(one)}`,
    (one) => `%25${hexOf(one)}`,
  ];
  // Of the letters only those may follow a backslash that do not form an escape with it.
  const key = "SK-AC=/+~.D:GH_K;LMP&QS";
  for (let seed = 0; seed < 200; seed++) {
    const text = [...key].map((one, nth) => forms[(seed * 31 + nth * nth * (seed + 7)) % 9](one));
    assert.match(await bodyOf(key, `no ${text.join("")}, no`), /^no •+, no$/, text.join(""));
  }
});

test("a key is redacted with the names of punctuation, and with other forms of numbers", async () => {
  const key = "sk!_\"#$%&'()*,./:;<=>?@[\\]^`{|}";
  const names =
    "excl lowbar quot num dollar percnt amp apos lpar rpar ast comma period sol colon semi " +
    "lt equals gt quest commat lsqb bsol rsqb Hat grave lcub verbar rcub";
  const octal = (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`;
  for (const text of [
    `sk${names.replace(/\w+ ?/g, (name) => `&${name.trim()};`)}`,
    key.replace(/./g, (one) => `&#${one.charCodeAt(0)}`),
    key.replace(/./g, (one) => `&#${one.charCodeAt(0).toString().padStart(9, "0")};`),
    key.replace(/./g, (one) => `&#x${hexOf(one).padStart(8, "0")};`),
    key.replace(/./g, octal),
    json(key.replace(/./g, octal)),
  ]) {
    assert.match(await bodyOf(key, `no ${text} no`), /^no •+ no$/, text);
    for (const size of [1, 3, 7]) {
      const chunks = `no ${text} no`.match(new RegExp(`[^]{1,${size}}`, "g"));
      const tokens = [];
      const fetch = fetchOf("openai", chunks, "stop");
      const onToken = (token) => tokens.push(token);
      await openai({ model: "m", apiKey: key, baseUrl, fetch, onToken })(newRequest());
      assert.match(tokens.join(""), /^no •+[a-z;]* no$/, text);
    }
  }
});

test("a text without the key keeps its escapes", async () => {
  const text = '{"a":"x\\n\\u0073k-\\\\ %41 &amp; \'\\\'\' &unknown; &#9999999; %C3%28 %"}';
  assert.equal(await bodyOf("sk-other", text), text);
});

test("a key is redacted without the scheme with which it is given", async () => {
  for (const [apiKey, word] of [
    ["Bearer sk-1234567", "sk-1234567"],
    ["Bearer  abcd", "abcd"],
  ])
    assert.match(await bodyOf(apiKey, `no ${word}!`), /^no •+!$/);
});

test("the keys of an address are redacted, also two of one name and those with a space", async () => {
  const body = "no first-key-1, second-key-2, one+two+key";
  const query = "key=first-key-1&key=second-key-2&other=one+two+key";
  const options = { baseUrl: `${baseUrl}?${query}` };
  assert.match(await bodyOf("", body, options), /^no •+, •+, •+$/);
});

for (const [name, adapter] of Object.entries(adapters)) {
  test(`${name}: a key is redacted in chunks, wherever they are split`, async () => {
    const key = 'sk/9"é&=73-secret';
    for (const encode of [(one) => one, ...Object.values(encoders)]) {
      const text = `{"k": "${encode(key)}"} ${encode(key).slice(0, -1)}`;
      for (const size of [1, 2, 3, 5, 7]) {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g"));
        const tokens = [];
        const fetch = fetchOf(name, chunks, "stop");
        const onToken = (token) => tokens.push(token);
        const llm = adapter({ model: "m", apiKey: key, baseUrl, fetch, onToken });
        const reply = await llm(newRequest());
        assert.match(reply.text, /^\{"k": "'?•+'?"\} /, text);
        assert.equal(tokens.join(""), reply.text);
      }
    }
  });

  test(`${name}: a key is redacted if an escape ends inside of another escape`, async () => {
    for (const [key, chunks] of [
      ["sk-abc<def-0123456789", ["?k=sk-abc%26lt%3", "Bdef-0123456789 x"]],
      ["sk-abc<def-0123456789", ["?k=sk-abc%26%2360%3", "Bdef-0123456789 x"]],
      ["sk-abc<def-0123456789", ["?k=sk-abc%2526lt%253", "Bdef-0123456789 x"]],
      ['sk-abc"def-0123456789', ["?k=sk-abc%5Cu00%3", "22def-0123456789 x"]],
      ["sk-abc/def-0123456789", ["?k=sk-abc%5C%2", "Fdef-0123456789 x"]],
    ]) {
      const tokens = [];
      const fetch = fetchOf(name, chunks, "stop");
      const onToken = (token) => tokens.push(token);
      await adapter({ model: "m", apiKey: key, baseUrl, fetch, onToken })(newRequest());
      assert.match(tokens.join(""), /^\?k=•+ x$/, chunks[0]);
    }
  });

  test(`${name}: a character whose bytes are complete does not wait for the next chunk`, async () => {
    const tokens = [];
    const fetch = fetchOf(name, ["a %C3%A9", "b %E2%82%AC", "c %F0%9F%98%80", "d"], "stop");
    const onToken = (token) => tokens.push(token);
    await adapter({ model: "m", apiKey: "sk-12345", baseUrl, fetch, onToken })(newRequest());
    assert.deepEqual(tokens, ["a %C3%A9", "b %E2%82%AC", "c %F0%9F%98%80", "d"]);
  });

  test(`${name}: a chunk that begins no key is passed on at once`, async () => {
    const tokens = [];
    const fetch = fetchOf(name, ["a s", "b & ", "c\\u00", "e9 100%", " d"], "stop");
    const onToken = (token) => tokens.push(token);
    await adapter({ model: "m", apiKey: "sk-12345", baseUrl, fetch, onToken })(newRequest());
    assert.deepEqual(tokens, ["a ", "sb & ", "c", "\\u00e9 100", "% d"]);
  });

  test(`${name}: a text that is cut off inside of a key does not contain its beginning`, async () => {
    const key = "sk-proj-AbCdEf0123456789ghij/KLMN";
    const finish = { openai: "length", anthropic: "max_tokens" }[name];
    for (const part of [key.slice(0, 31), key.slice(0, 4), key.replace("/", "\\/").slice(0, -1)]) {
      const texts = ["Your key ", part];
      const tokens = [];
      const adapt = (end) =>
        adapter({
          ...{ model: "m", apiKey: key, baseUrl, fetch: fetchOf(name, texts, end) },
          onToken: (token) => tokens.push(token),
        });
      const error = await errorOf(adapt(undefined)(newRequest()));
      assert.deepEqual([error.kind, error.text.includes(part.slice(0, 4))], ["cut", false]);
      assert.match(error.text, /^Your key •+/);
      assert.equal(tokens.splice(0).join(""), "Your key ");
      const { llm, recording } = record(adapt(finish));
      const { text, finishReason } = await llm(newRequest());
      assert.match(text, /^Your key •+/);
      assert.deepEqual([finishReason, tokens.join("")], ["length", text]);
      assert.equal(recording().calls[0].reply.text, text);
    }
  });

  test(`${name}: a response that is cut off inside of a key does not contain its beginning`, async () => {
    const key = "sk-proj-AbCdEf0123456789";
    for (const status of [200, 401]) {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`{"error":"bad ${key.slice(0, -1)}`));
        },
        pull: (controller) => controller.error(new Error("reset")),
      });
      const fetch = async () => new Response(body, { status });
      const llm = adapter({ model: "m", apiKey: key, baseUrl, fetch });
      assert.match((await errorOf(llm(newRequest()))).body, /^\{"error":"bad •+$/);
    }
  });

  test(`${name}: a complete reply may end like the beginning of a key`, async () => {
    const fetch = fetchOf(name, ["It is a test"], { openai: "stop", anthropic: "end_turn" }[name]);
    const llm = adapter({ model: "m", apiKey: "test-key-1", baseUrl, fetch });
    assert.equal((await llm(newRequest())).text, "It is a test");
  });
}

test("only a reply with the finish reason of a cut loses an end that begins a secret", async () => {
  const replyOf = async (finishReason) => {
    const cut = { text: "visit https", finishReason };
    const { llm, recording } = record(scripted([cut]), { secrets: ["https://example.com/app"] });
    await llm(newRequest());
    return recording().calls[0].reply.text;
  };
  for (const reason of "stop STOP eos end_turn stop_sequence tool_calls tool-calls tool_use".split(
    " ",
  ))
    assert.equal(await replyOf(reason), "visit https", reason);
  for (const reason of [
    ...["length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "content_filter"],
    ...["content-filter", "SAFETY", "refusal", "pause_turn", "error", "abort", "model_length"],
  ])
    assert.equal(await replyOf(reason), "visit •••••", reason);
});

test("a reply that is cut off inside of a secret is redacted by `aiSdk` and `record` too", async () => {
  const secret = "hidden-0123456789";
  const settings = { headers: { authorization: `Bearer ${secret}` } };
  const generateText = async () => ({
    text: `it is ${secret.slice(0, -1)}`,
    finishReason: "length",
  });
  const reply = await aiSdk({ generateText, model: "m", settings })(newRequest());
  assert.match(reply.text, /^it is •+$/);
  const cut = { text: `it is ${secret.slice(0, -1)}`, finishReason: "length" };
  const { llm, recording } = record(scripted([cut]), { secrets: [secret] });
  assert.deepEqual(await llm(newRequest()), cut);
  assert.match(recording().calls[0].reply.text, /^it is •+$/);
});

test("long texts are redacted in linear time", async () => {
  const size = 1_000_000;
  for (const unit of [
    "\\",
    "\\u0073",
    "%25",
    "&amp;",
    "s",
    "sk-",
    "&#",
    "'",
    "%f0%9f",
    "%e0%80%80",
  ]) {
    const text = unit.repeat(size / unit.length);
    const start = performance.now();
    const fetch = async () => Response.json({ choices: [{ message: { content: text } }] });
    const reply = await openai({ model: "m", apiKey: "sk-12345", baseUrl, fetch })(newRequest());
    assert.equal(reply.text.length, text.length);
    const spent = performance.now() - start;
    // A search that is quadratic takes minutes.
    assert.ok(spent < 5000, `${unit}: ${Math.round(spent)} ms`);
  }
});

test("a periodic secret is redacted in linear time", async () => {
  const secret = "a".repeat(40_000);
  for (const [own, text] of [
    [secret, "a".repeat(400_000)],
    [`${secret}b`, `${"a".repeat(400_000)}c`],
  ]) {
    const start = performance.now();
    const { llm, recording } = record(scripted([text]), { secrets: [own] });
    await llm(newRequest());
    assert.equal(recording().calls[0].reply.includes("a"), own !== secret);
    const spent = performance.now() - start;
    assert.ok(spent < 3000, `${Math.round(spent)} ms`);
  }
});

test("a request needs no signal, also of `record`, `replay` and `scripted`", async () => {
  const { signal: _, ...request } = newRequest();
  const fetch = async () => new Response("x", { status: 401 });
  const failing = record(openai({ model: "m", apiKey: "sk-1234567", baseUrl, fetch }));
  const error = await errorOf(failing.llm(request));
  assert.deepEqual([error.kind, error.status], ["http", 401]);
  assert.equal(failing.recording().calls[0].error.status, 401);
  const { llm, recording } = record(scripted(["a"]));
  assert.equal(await llm(request), "a");
  assert.equal(await replay(recording())(request), "a");
});
