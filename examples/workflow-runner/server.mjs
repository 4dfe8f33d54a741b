// Runs the workflow, and streams its surface to every open page.
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileStorage } from "byname/storage";
import { serveFile } from "./files.mjs";
import { createRunner } from "./runner.mjs";
import { createView } from "./view.mjs";

const pages = new Set();
const toEvent = (message) => `data: ${JSON.stringify(message)}\n\n`;

let view;
const runner = await createRunner({
  storage: fileStorage(process.env.STATE ?? join(import.meta.dirname, "run.state")),
  workMs: Number(process.env.WORK_MS ?? 500),
  onEvent: (event) => view.addEvent(event),
  onEnd: (result) => view.end(result),
});
view = createView(runner.trace(), (message) => {
  for (const response of pages) response.write(toEvent(message));
});

const actions = {
  run: () => start(),
  approve: () => start({ approve: true }),
  reject: () => start({ approve: false }),
  stop: () => runner.stop(),
  reset: async () => {
    await runner.reset();
    view.begin();
  },
};

/** Starts or continues the run, without waiting for its end. */
function start(answers) {
  view.setStatus("running");
  runner.run(answers).catch((error) => view.setStatus(`failed: ${error.message}`));
}

const server = createServer(async (request, response) => {
  if (request.method === "GET" && request.url === "/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    for (const message of view.export()) response.write(toEvent(message));
    pages.add(response);
    response.on("close", () => pages.delete(response));
  } else if (request.method === "POST") {
    const { name } = await json(request).catch(() => ({}));
    if (!Object.hasOwn(actions, name)) return response.writeHead(400).end("unknown action");
    await actions[name]();
    response.end();
  } else await serveFile(request, response);
});
await once(server.listen(process.env.PORT ?? 3000, "127.0.0.1"), "listening");
console.log(`http://127.0.0.1:${server.address().port}/`);
