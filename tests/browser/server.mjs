// Static server for the browser tests: the complete checkout, on a free port, with the content
// types that modules and streaming compilation require.
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves the checkout. `pages` are additional documents by path, and `headers` are added to each response:
 * `serve({ pages: { "/test.html": "<p>hello" }, headers: { "content-security-policy": "…" } })`. The
 * folder `bundle` replaces the modules in `pkg`. Others are not served then, because a page must not load a module twice.
 */
export async function serve({ pages = {}, headers = {}, bundle } = {}) {
  const folders = bundle ? [join(root, bundle), root] : [root];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const [status, type, body] = await respond(path, pages, folders);
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(path, pages, folders) {
  if (Object.hasOwn(pages, path)) return [200, types[".html"], pages[path]];
  for (const folder of folders) {
    const isModule = path.startsWith("/pkg/") && path.endsWith(".js");
    if (folder === root && folders.length > 1 && isModule) break;
    const file = normalize(join(folder, path));
    if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return [403, "text/plain", "outside"];
    const full = await findFile(file);
    if (full)
      return [200, types[extname(full)] ?? "application/octet-stream", await readFile(full)];
  }
  return [404, "text/plain", `${path} does not exist`];
}

/** Returns the path of a file, or of the `index.html` in a folder, if it exists. */
async function findFile(path) {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
  if (isFolder) return await findFile(join(path, "index.html"));
  return isFolder === false ? path : undefined;
}
