// The example `chat` with a server of chat completions; `pages.test.mjs` has its page.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { readEvents, startExample } from "./server.mjs";

const wrong = `Here it is.
{"createSurface": {"surfaceId": "s"}}
{"updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Txt", "text": "Hi"}]}}`;
const corrected = wrong.replace("Here it is.\n", "").replace("Txt", "Text");

test("a server of chat completions gets the conversation, and errors to correct", async () => {
  const model = await startModel([wrong, corrected, "Goodbye."]);
  const env = { OPENAI_MODEL: "m", OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "secret" };
  const chat = await startExample("chat", { env });
  const send = async (content) => {
    const body = JSON.stringify({ id: "c1", content });
    return await readEvents(await fetch(`${chat.url}chat`, { method: "POST", body }));
  };
  try {
    const events = await send("Say hi");
    const textOf = (events) => events.filter(([type]) => type === "text").map(([, data]) => data);
    assert.equal(textOf(events).join("").trim(), "Here it is.");
    const messages = events.filter(([type]) => type === "message").map(([, data]) => data);
    assert.ok(messages.some((message) => message.includes('"component": "Text"')));

    assert.deepEqual(textOf(await send("Bye")).join(""), "Goodbye.");
    const [first, second, third] = model.requests;
    assert.deepEqual(
      model.requests.map(({ headers, body }) => [headers.authorization, body.model]),
      Array(3).fill(["Bearer secret", "m"]),
    );
    assert.deepEqual(
      first.body.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.match(first.body.messages[0].content, /Text\(text: string/);
    assert.match(second.body.messages.at(-1).content, /did you mean `Text`/);
    assert.deepEqual(third.body.messages.at(-1), { role: "user", content: "Bye" });

    // The script of the model has ended, so it responds with an error.
    assert.match(textOf(await send("More")).join(""), /^The model failed: .*500/);
  } finally {
    assert.equal(await chat.stop(), "");
    await model.stop();
  }
});

test("an invalid request has the status 400, and other files are not served", async () => {
  const chat = await startExample("chat");
  try {
    const response = await fetch(`${chat.url}chat`, { method: "POST", body: "{" });
    assert.equal(response.status, 400);
    for (const path of ["server.mjs", "byname/..%2fpackage.json", "/"])
      assert.equal((await fetch(chat.url + path)).status, 404, path);
  } finally {
    assert.equal(await chat.stop(), "");
  }
});

/** Starts a server of chat completions that streams these replies in order. */
async function startModel(replies) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    requests.push({ headers: request.headers, body });
    const reply = replies[requests.length - 1];
    if (reply === undefined) return response.writeHead(500).end("no reply is left");
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (delta, finish_reason = null) =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    for (const content of reply.match(/.{1,30}/gs)) send({ content });
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, requests, stop };
}
