// Failed requests with both protocols: each is an error with instructions.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import test from "node:test";
import { anthropic, openai } from "byname/llm";
import {
  chat,
  chatEvent,
  errorOf,
  events,
  expectSettled,
  jsonResponse,
  message,
  messageEvents,
  newRequest,
  rejectionOf,
  startServer,
  text,
} from "./llm-server.mjs";

const apiKey = "sk-secret/0123456789";

const protocols = {
  openai: {
    adapter: (options) => openai({ model: "m", apiKey, ...options }),
    good: jsonResponse(chat("Hi")),
    begun: chatEvent({ content: "half a w" }),
    whole: `${chatEvent({ content: "Grüße, 🌍!\r\n" })}${chatEvent({}, "stop")}data: [DONE]\n\n`,
    marker: /\[DONE\]/,
  },
  anthropic: {
    adapter: (options) => anthropic({ model: "m", apiKey, ...options }),
    good: jsonResponse(message("Hi")),
    begun: messageEvents(["half a w"]).slice(0, 4).join(""),
    whole: messageEvents(["Grüße, 🌍!\r\n"]).join(""),
    marker: /message_stop/,
  },
};

for (const [name, { adapter, good, begun, whole, marker }] of Object.entries(protocols)) {
  test(`${name}: does not retry a busy server by default`, async (t) => {
    const busy = jsonResponse({ error: { message: `slow down ${apiKey}` } }, 429, {
      "retry-after": "0",
    });
    const { baseUrl, seen } = await startServer(t, busy, good);
    const error = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.equal(error.provider, name);
    assert.deepEqual([error.kind, error.status, error.retryAfter], ["http", 429, 0]);
    assert.match(
      error.message,
      /returned 429 \(`slow down •+`\): the server is busy; retry in 0 s/,
    );
    assert.equal(seen.length, 1);
  });

  for (const status of [429, 503, 529]) {
    test(`${name}: with retries, ${status} is requested again after the delay`, async (t) => {
      const busy = jsonResponse({}, status, { "retry-after": "1" });
      const { baseUrl, seen } = await startServer(t, busy, good);
      const start = performance.now();
      assert.equal((await adapter({ baseUrl, retries: 1 })(newRequest())).text, "Hi");
      assert.ok(performance.now() - start > 900);
      assert.equal(seen.length, 2);
    });
  }

  test(`${name}: limits the number of retries, and retries only when a server names a delay`, async (t) => {
    const busy = jsonResponse({}, 429, { "retry-after": "0" });
    const first = await startServer(t, busy);
    await errorOf(adapter({ baseUrl: first.baseUrl, retries: 2 })(newRequest()));
    assert.equal(first.seen.length, 3);
    const answers = [jsonResponse({}, 429), jsonResponse({}, 500, { "retry-after": "0" })];
    for (const answer of answers) {
      const { baseUrl, seen } = await startServer(t, answer);
      await errorOf(adapter({ baseUrl, retries: 2 })(newRequest()));
      assert.equal(seen.length, 1);
    }
  });

  test(`${name}: leaves a delay beyond the limit to the host`, async (t) => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { baseUrl, seen } = await startServer(t, jsonResponse({}, 429, { "retry-after": date }));
    const error = await errorOf(adapter({ baseUrl, retries: 9 })(newRequest()));
    assert.ok(error.retryAfter > 3590 && error.retryAfter <= 3600, String(error.retryAfter));
    assert.equal(seen.length, 1);
    const shorter = await startServer(t, jsonResponse({}, 429, { "retry-after": "3" }));
    await errorOf(adapter({ baseUrl: shorter.baseUrl, retries: 9, maxWait: 2 })(newRequest()));
    assert.equal(shorter.seen.length, 1);
  });

  test(`${name}: an abort ends the delay before a retry`, async (t) => {
    const { baseUrl, seen } = await startServer(t, jsonResponse({}, 429, { "retry-after": "30" }));
    const stop = new AbortController();
    const call = rejectionOf(adapter({ baseUrl, retries: 1 })(newRequest({ signal: stop.signal })));
    await expectSettled(waitUntil(() => seen.length === 1));
    await seen[0].closed;
    const reason = new Error("enough");
    setTimeout(() => stop.abort(reason), 50);
    assert.equal(await expectSettled(call), reason);
    assert.equal(seen.length, 1);
  });

  test(`${name}: reports statuses with the beginning of the response and instructions`, async (t) => {
    for (const [status, advice] of [
      [400, /`body` of the options/],
      [401, /check the key/],
      [403, /check the key/],
      [404, /check `baseUrl` and `model`/],
      [413, /too long/],
      [429, /quota/],
      [500, /the server failed; retry/],
    ]) {
      const { baseUrl } = await startServer(
        t,
        jsonResponse({ error: { message: "so it is" } }, status),
      );
      const error = await errorOf(adapter({ baseUrl })(newRequest()));
      assert.deepEqual([error.kind, error.status], ["http", status]);
      assert.match(error.message, advice);
      assert.match(error.message, /`so it is`/);
      assert.equal(error.retryAfter, undefined);
    }
  });

  test(`${name}: a truncated message contains no half of a key`, async (t) => {
    const reason = `${"x".repeat(190)} ${apiKey}`;
    const { baseUrl } = await startServer(t, jsonResponse({ error: { message: reason } }, 401));
    const { message } = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.match(message, /`x{190} •{9}…`/);
  });

  test(`${name}: truncates a long error response, and masks keys in every notation`, async (t) => {
    const escaped = apiKey.replace("/", "\\/");
    const page = `<h1>${apiKey}</h1>\n${escaped} ${encodeURIComponent(apiKey)} ${"x".repeat(200_000)}`;
    const { baseUrl } = await startServer(t, text(page, 500));
    const error = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.equal(error.body.length, 500);
    assert.match(error.body, /^<h1>•+<\/h1>\n•+ •+ x+$/);
  });

  test(`${name}: masks keys in the escapes of common encoders`, async (t) => {
    const secret = "sk-a+b&c=d'é(1)!x";
    const forms = [
      "sk-a\\u002Bb\\u0026c=d\\u0027\\u00E9(1)!x",
      "sk-a+b\\u0026c=d'é(1)!x",
      "sk-a+b&c=d'\\u00e9(1)!x",
      "sk-a+b&amp;c=d&#39;é(1)!x",
      "sk-a+b&amp;c&#x3D;d&#x27;é(1)!x",
      "sk-a+b&amp;c=d&apos;é(1)!x",
      "sk&#45;a&#43;b&#38;c&#61;d&#39;&#233;&#40;1&#41;&#33;x",
      "sk-a%2Bb%26c%3Dd%27%C3%A9%281%29%21x",
    ];
    const { baseUrl } = await startServer(t, text(forms.join("\n"), 500));
    const error = await errorOf(adapter({ baseUrl, apiKey: secret })(newRequest()));
    assert.match(error.body, /^[•\n]+$/);
  });

  test(`${name}: reports a response that is not JSON, or not of the protocol`, async (t) => {
    const { baseUrl } = await startServer(
      t,
      text("<h1>Welcome</h1>"),
      jsonResponse({ hello: [1] }),
      jsonResponse(null),
    );
    const page = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.deepEqual([page.kind, page.body], ["shape", "<h1>Welcome</h1>"]);
    assert.match(page.message, /not JSON \(text\/html\): check `baseUrl`/);
    for (const body of ['{"hello":[1]}', "null"]) {
      const other = await errorOf(adapter({ baseUrl })(newRequest()));
      assert.deepEqual([other.kind, other.body], ["shape", body]);
      assert.match(other.message, /check `baseUrl`/);
    }
  });

  test(`${name}: reports a response that ends early`, async (t) => {
    const { baseUrl } = await startServer(t, (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
      response.write('{"half": "', () => response.destroy());
    });
    const error = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.deepEqual([error.kind, error.body], ["cut", '{"half": "']);
  });

  for (const [how, rest, end] of [
    ["closed", "", (response) => response.end()],
    ["closed inside an event", 'data: {"type": "content_block_del', (response) => response.end()],
    ["broken", "", (response) => response.destroy()],
    ["broken inside an event", "data: {", (response) => response.destroy()],
  ]) {
    test(`${name}: a stream that is ${how} before its end keeps its text`, async (t) => {
      const { baseUrl } = await startServer(t, events(begun + rest, end));
      const error = await errorOf(adapter({ baseUrl, stream: true })(newRequest()));
      assert.deepEqual([error.kind, error.text], ["cut", "half a w"]);
      assert.match(error.message, marker);
      assert.equal(error.cause instanceof Error, how.startsWith("broken"));
    });
  }

  test(`${name}: a stream that ends inside a character is truncated without a replacement character`, async () => {
    const bytes = new TextEncoder().encode(begun + begun.replace("half", "🌍"));
    const until = bytes.indexOf(0xf0) + 2;
    const error = await errorOf(
      adapter({ baseUrl: "http://localhost/v1", fetch: fetchOfChunks([bytes.slice(0, until)]) })(
        newRequest(),
      ),
    );
    assert.deepEqual([error.kind, error.text], ["cut", "half a w"]);
  });

  test(`${name}: reports an event that is not JSON, and closes the connection`, async (t) => {
    const { baseUrl, seen } = await startServer(
      t,
      events(`${begun}data: {"a":\n\n`, () => {}),
    );
    const error = await errorOf(adapter({ baseUrl, stream: true })(newRequest()));
    assert.deepEqual([error.kind, error.body, error.text], ["shape", '{"a":', "half a w"]);
    assert.ok(await expectSettled(seen[0].closed));
  });

  test(`${name}: parses a stream the same at every chunk size`, async () => {
    for (const stream of [whole, whole.replaceAll("\n", "\r\n"), whole.replaceAll("\n", "\r")]) {
      const bytes = new TextEncoder().encode(stream);
      const cuts = [...bytes.keys()].map((at) => [bytes.slice(0, at), bytes.slice(at)]);
      cuts.push([...bytes].map((byte) => Uint8Array.of(byte)));
      for (const cut of cuts) {
        const llm = adapter({ baseUrl: "http://localhost/v1", fetch: fetchOfChunks(cut) });
        const { text, finishReason } = await llm(newRequest());
        assert.deepEqual([text, finishReason], ["Grüße, 🌍!\r\n", "stop"]);
      }
    }
  });

  test(`${name}: the empty line after the last event may be missing`, async () => {
    const bytes = new TextEncoder().encode(whole.trimEnd());
    const llm = adapter({ baseUrl: "http://localhost/v1", fetch: fetchOfChunks([bytes]) });
    assert.equal((await llm(newRequest())).finishReason, "stop");
  });

  test(`${name}: reports the address of an unreachable server`, async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    const baseUrl = `http://127.0.0.1:${port}/v1?key=${encodeURIComponent(apiKey)}`;
    const error = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.equal(error.kind, "network");
    assert.match(error.message, new RegExp(`no response from http://127.0.0.1:${port}/v1/`));
    assert.match(error.message, /ECONNREFUSED/);
  });

  test(`${name}: removes the key from the error of a fetch`, async () => {
    const fetch = async () => {
      throw new TypeError("failed", { cause: new Error(`${apiKey} is wrong`) });
    };
    const error = await errorOf(adapter({ baseUrl: "http://localhost/v1", fetch })(newRequest()));
    assert.match(error.message, /•+ is wrong/);
    assert.equal(error.cause, undefined);
  });

  test(`${name}: does not follow a redirect, because it would send the key to another server`, async (t) => {
    const other = await startServer(t, good);
    const { baseUrl } = await startServer(t, (response) => {
      response.writeHead(307, { location: `${other.baseUrl}/elsewhere` }).end();
    });
    const error = await errorOf(adapter({ baseUrl })(newRequest()));
    assert.deepEqual([error.kind, error.status], ["http", 307]);
    assert.match(
      error.message,
      /redirects to `http:.*\/elsewhere`, and redirects are not followed: set `baseUrl`/,
    );
    assert.equal(other.seen.length, 0);
  });

  test(`${name}: reports a redirect in a page, which cannot see its target`, async () => {
    let request;
    const fetch = async (_, init) => {
      request = init.redirect;
      const opaque = Response.error();
      Object.defineProperty(opaque, "type", { value: "opaqueredirect" });
      return opaque;
    };
    const error = await errorOf(adapter({ fetch })(newRequest()));
    assert.deepEqual([request, error.kind, error.status], ["manual", "http", undefined]);
    assert.match(error.message, /redirects elsewhere, and redirects are not followed/);
  });

  test(`${name}: an abort rejects with its reason and closes the connection`, async (t) => {
    const silent = () => {};
    const headers = (response) => response.writeHead(200, { "content-type": "application/json" });
    const halfJson = (response) => headers(response).write('{"choices": [');
    const halfStream = events(begun, silent);
    const halfRefusal = (response) => response.writeHead(500).write("oh");
    for (const [answer, stream] of [
      [silent, false],
      [halfJson, false],
      [halfStream, true],
      [halfRefusal, false],
    ]) {
      const { baseUrl, seen } = await startServer(t, answer);
      const stop = new AbortController();
      const call = rejectionOf(adapter({ baseUrl, stream })(newRequest({ signal: stop.signal })));
      await expectSettled(waitUntil(() => seen.length === 1));
      await new Promise((resolve) => setTimeout(resolve, 30));
      const reason = { why: "no error, and still the reason" };
      const start = performance.now();
      stop.abort(reason);
      assert.equal(await expectSettled(call), reason);
      assert.ok(performance.now() - start < 500);
      assert.ok(await expectSettled(seen[0].closed));
    }
  });

  test(`${name}: makes no request after an abort, and a timeout is an abort`, async (t) => {
    const { baseUrl, seen } = await startServer(t, () => {});
    const reason = new Error("never mind");
    const before = adapter({ baseUrl })(newRequest({ signal: AbortSignal.abort(reason) }));
    assert.equal(await expectSettled(rejectionOf(before)), reason);
    assert.equal(seen.length, 0);
    const late = adapter({ baseUrl })(newRequest({ signal: AbortSignal.timeout(30) }));
    assert.equal((await expectSettled(rejectionOf(late))).name, "TimeoutError");
  });

  test(`${name}: does not wait for a fetch that ignores the signal`, async () => {
    let cancelled;
    const closed = new Promise((resolve) => {
      cancelled = resolve;
    });
    const body = new ReadableStream({ cancel: cancelled });
    const fetch = () => new Promise((resolve) => setTimeout(resolve, 100, new Response(body)));
    const llm = adapter({ baseUrl: "http://localhost/v1", fetch });
    const late = llm(newRequest({ signal: AbortSignal.timeout(20) }));
    assert.equal((await expectSettled(rejectionOf(late))).name, "TimeoutError");
    await expectSettled(closed);
  });
}

test("openai: reports errors in place of a reply", async (t) => {
  const error = { code: 502, message: "the provider is down" };
  const { baseUrl } = await startServer(
    t,
    jsonResponse({ error }),
    events(`data: ${JSON.stringify({ error })}\n\n`),
  );
  for (const stream of [false, true]) {
    const error = await errorOf(openai({ baseUrl, model: "m", stream })(newRequest()));
    assert.deepEqual([error.kind, error.status], ["http", 502]);
    assert.match(error.message, /`the provider is down`/);
  }
});

test("masks keys that begin like another, or are returned escaped", async (t) => {
  for (const [apiKey, other] of [
    ["sk-abc", "sk-abc-secret"],
    ['sk-"secret\\x', "another-secret"],
  ]) {
    const answer = jsonResponse({ error: { message: `no ${apiKey} and ${other}` } }, 401);
    const { baseUrl } = await startServer(t, answer);
    const error = await errorOf(
      openai({ baseUrl, model: "m", apiKey, headers: { "x-key": other } })(newRequest()),
    );
    assert.match(error.message, /401 \(`no •+ and •+`\)/);
    assert.ok(!error.body.includes(JSON.stringify(apiKey).slice(1, -1)), error.body);
  }
});

test("reports a fetch that throws at once, or returns no promise, as an error", async () => {
  const baseUrl = "http://localhost/v1";
  const failingFetch = () => {
    throw new Error("offline");
  };
  const error = await errorOf(openai({ baseUrl, model: "m", fetch: failingFetch })(newRequest()));
  assert.deepEqual([error.kind, /offline/.test(error.message)], ["network", true]);
  // biome-ignore lint/suspicious/noThenProperty: it is what is tested.
  const stuck = () => ({ then: () => {} });
  const late = openai({ baseUrl, model: "m", fetch: stuck })(
    newRequest({ signal: AbortSignal.timeout(20) }),
  );
  assert.equal((await expectSettled(rejectionOf(late))).name, "TimeoutError");
});

test("accepts a server with small deviations", async (t) => {
  const stream = text(
    `${chatEvent({ content: "Hi" })}${chatEvent({}, "stop")}data: [DONE]\n\n`,
    200,
    "Text/Event-Stream; charset=utf-8",
  );
  const spent = chat(null, "length");
  const { baseUrl } = await startServer(t, stream, jsonResponse(spent));
  const llm = openai({ baseUrl, model: "m", stream: true });
  assert.equal((await llm(newRequest())).text, "Hi");
  const { text: partialText, finishReason } = await llm(newRequest());
  assert.deepEqual([partialText, finishReason], ["", "length"]);
  // A negative delay is invalid.
  for (const after of ["-1", "-1.5", "2001"]) {
    const { baseUrl, seen } = await startServer(
      t,
      jsonResponse({}, 429, { "retry-after": after }),
      jsonResponse(chat("Hi")),
    );
    const error = rejectionOf(
      openai({ baseUrl, model: "m", retries: 1, maxWait: 0 })(newRequest()),
    );
    assert.equal((await expectSettled(error)).status, 429, after);
    assert.equal(seen.length, 1);
  }
});

/** Returns a fetch whose body arrives in these chunks. */
function fetchOfChunks(list) {
  return async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of list) controller.enqueue(chunk);
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

async function waitUntil(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
