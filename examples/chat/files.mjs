// Serves the folder `page`, and the files of the package under /byname/.
import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const page = join(import.meta.dirname, "page");
const byname = dirname(fileURLToPath(import.meta.resolve("byname")));

/** Responds to a GET request with a file, or with the status 404. */
export async function serveFile({ url }, response) {
  try {
    const file = fileOf(new URL(`http://localhost${url}`).pathname);
    const bytes = await readFile(file);
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    response.end(bytes);
  } catch {
    response.writeHead(404).end("not found");
  }
}

/** Returns the file of a path, which contains no `..` because it is that of a parsed URL. */
function fileOf(pathname) {
  if (pathname.startsWith("/byname/")) return join(byname, pathname.slice("/byname".length));
  return join(page, pathname === "/" ? "index.html" : pathname);
}
