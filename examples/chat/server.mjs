// Chat server: passes the text and the surfaces of a model to the page as server-sent events.
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { answer } from "./answer.mjs";
import { serveFile } from "./files.mjs";
import { createModel } from "./model.mjs";

const model = createModel(process.env);
/** Messages of each conversation by its id, as long as the server runs. */
const conversations = new Map();

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return serveFile(request, response);
  const { id, content } = await json(request).catch(() => ({}));
  if (typeof id !== "string" || typeof content !== "string") {
    return response.writeHead(400).end('send {"id": TEXT, "content": TEXT}');
  }
  const conversation = conversations.get(id) ?? [];
  conversations.set(id, conversation);
  conversation.push({ role: "user", content });

  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const send = (event, data) => {
    const lines = data.split(/\r\n|[\r\n]/).map((line) => `data: ${line}\n`);
    response.write(`event: ${event}\n${lines.join("")}\n`);
  };
  // A page that is closed ends the request to the model.
  const stop = new AbortController();
  response.on("close", () => stop.abort());
  try {
    await answer(model, conversation, {
      sendText: (text) => send("text", text),
      sendMessage: (message) => send("message", message),
      signal: stop.signal,
    });
  } catch (error) {
    if (!stop.signal.aborted) send("text", `The model failed: ${error.message}`);
  }
  response.end();
});
await once(server.listen(process.env.PORT ?? 3000, "127.0.0.1"), "listening");
console.log(`http://127.0.0.1:${server.address().port}/`);
