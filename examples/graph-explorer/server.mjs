// Serves the page and one graph: node server.mjs FILE

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { serveFile } from "./files.mjs";

const file = process.argv[2] ?? join(import.meta.dirname, "apollo.json");
// The page reads the bytes, in any format of byname.
const graph = await readFile(file);

const server = createServer((request, response) => {
  if (request.url !== "/graph") return serveFile(request, response);
  response.setHeader("X-File-Name", encodeURIComponent(basename(file)));
  response.end(graph);
});
await once(server.listen(process.env.PORT ?? 3000, "127.0.0.1"), "listening");
console.log(`http://127.0.0.1:${server.address().port}/`);
