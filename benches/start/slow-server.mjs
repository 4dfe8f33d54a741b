// Server of the pages of the first element: compressed files, and an agent that streams.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { a2uiText, bynameText } from "./agent.mjs";

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const texts = { "/agent/byname": bynameText, "/agent/a2ui": a2uiText };

/** Milliseconds until the model writes, and between its chunks; characters of a chunk. */
export const model = { first: 300, between: 6, chunk: 24 };

/** Serves a folder. Returns its URL and a function that closes it. */
export async function serveCompressed(folder) {
  const files = new Map();
  const server = createServer(async ({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    if (texts[path]) return stream(texts[path], response);
    if (!files.has(path)) files.set(path, brotliCompressSync(await readFile(join(folder, path))));
    response.writeHead(200, { "content-type": types[extname(path)], "content-encoding": "br" });
    response.end(files.get(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

async function stream(text, response) {
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  response.flushHeaders();
  const begin = performance.now();
  for (let at = 0, nth = 0; at < text.length; at += model.chunk, nth += 1) {
    // Waits for a time since the start, because a timer may be late.
    const due = begin + model.first + nth * model.between;
    await pause(Math.max(0, due - performance.now()));
    response.write(text.slice(at, at + model.chunk));
  }
  response.end();
}
