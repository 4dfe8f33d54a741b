// Runs the packed package in Node, Deno, Bun and workerd; none of them reads the .wasm file.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import {
  expected,
  expectedOfHam,
  fetchFrom,
  freePort,
  hostModule,
  hostProgram,
  project,
  run,
  start,
} from "./project.mjs";

const kinds = [
  ["byname", expected],
  ["byname/ham", expectedOfHam],
];

for (const [of, answer] of kinds) {
  test(`Node imports and requires ${of}`, async () => {
    const folder = project("node", { of });
    for (const file of ["main.js", "main.cjs"]) {
      assert.deepEqual(JSON.parse(await run(folder, process.execPath, file)), answer, file);
    }
  });

  test(`Deno runs ${of} without any permission`, async (t) => {
    const deno = hostProgram("@deno", "deno");
    if (!deno) return t.skip("npm has no Deno for this machine");
    const folder = project("node", { of, as: "deno" });
    const printed = await run(folder, deno, "run", "--no-prompt", "--no-remote", "main.js");
    assert.deepEqual(JSON.parse(printed), answer);
  });

  test(`Bun runs ${of}, and compiles it to one file`, async (t) => {
    const bun = hostProgram("@oven", "bin/bun");
    if (!bun) return t.skip("npm has no Bun for this machine");
    const folder = project("node", { of, as: "bun" });
    assert.deepEqual(JSON.parse(await run(folder, bun, "run", "main.js")), answer);
    await run(folder, bun, "build", "--compile", "main.js", "--outfile", "alone");
    // An empty folder, so that the compiled file cannot read the package.
    assert.deepEqual(JSON.parse(await run("/", join(folder, "alone"))), answer);
  });

  test(`workerd serves the result of ${of}`, async (t) => {
    const workerd = hostProgram("@cloudflare", "bin/workerd");
    if (!workerd) return t.skip("npm has no workerd for this machine");
    const folder = project("workerd", { of });
    const bundled = await bundleWorker(folder);
    assert.deepEqual(bundled.map((name) => /\.\w+$/.exec(name)[0]).sort(), [".js", ".wasm"]);
    const port = await freePort();
    writeFileSync(join(folder, "out/config.capnp"), workerConfig(bundled, port));
    const server = await start(join(folder, "out"), workerd, "serve", "config.capnp");
    try {
      const response = await fetchFrom(server, `http://127.0.0.1:${port}`);
      assert.deepEqual(JSON.parse(await response.text()), answer, server.said());
    } finally {
      await server.stop();
    }
  });
}

test("a worker calls a model over HTTP, and a redirect does not receive the key", async (t) => {
  const workerd = hostProgram("@cloudflare", "bin/workerd");
  if (!workerd) return t.skip("npm has no workerd for this machine");
  const asked = [];
  const model = createServer((request, response) => {
    asked.push(request.url);
    if (request.url.startsWith("/moved")) {
      return response.writeHead(308, { location: "/v1/chat/completions" }).end();
    }
    const choices = [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ choices }));
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  t.after(() => model.close());
  const code = `import { openai } from "byname/llm";
    const { signal } = new AbortController();
    const request = { id: "r", task: "plan", system: "", prompt: "Hello", attempt: 1, signal };
    export default {
      async fetch({ url }) {
        const baseUrl = "http://127.0.0.1:${model.address().port}" + new URL(url).pathname;
        const llm = openai({ model: "m", apiKey: "sk-secret", baseUrl });
        return Response.json(await llm(request).catch(({ kind, message }) => ({ kind, message })));
      },
    };`;
  const folder = project("workerd", { as: "workerd-llm", extra: { "worker.js": code } });
  const bundled = await bundleWorker(folder);
  const port = await freePort();
  writeFileSync(join(folder, "out/config.capnp"), workerConfig(bundled, port));
  const server = await start(join(folder, "out"), workerd, "serve", "config.capnp");
  try {
    const answer = async (path) =>
      (await fetchFrom(server, `http://127.0.0.1:${port}${path}`)).json();
    assert.deepEqual(await answer("/v1"), { text: "Hi", finishReason: "stop" }, server.said());
    const { kind, message } = await answer("/moved");
    assert.equal(kind, "http", message);
    assert.match(message, /redirects to `\/v1\/chat\/completions`, and redirects are not followed/);
    assert.deepEqual(asked, ["/v1/chat/completions", "/moved/chat/completions"]);
  } finally {
    await server.stop();
  }
});

test("entries of one module share their classes, and init of one initialises all", async () => {
  const code = `import assert from "node:assert/strict";
    import * as inline from "byname/inline";
    import * as web from "byname/web";
    import * as byname from "byname";
    assert.equal(byname.HamStore, web.HamStore);
    assert.equal(byname.HamStore, inline.HamStore);
    await byname.init();
    new byname.Surface({ store: new inline.HamStore() });
    const ham = await import("byname/ham/inline");
    assert.equal(ham.BynameError, byname.BynameError);
    assert.throws(() => new byname.Surface({ store: new ham.HamStore() }), /copy/);`;
  const folder = project("node", { as: "node-entries", extra: { "main.js": code } });
  await run(folder, process.execPath, "main.js");
  // Conditions of test runners that simulate a browser.
  await run(folder, process.execPath, "--conditions=browser", "main.js");
});

/** Bundles a worker as wrangler does: with esbuild for `workerd`, and the WebAssembly as a separate module. */
async function bundleWorker(folder) {
  const { build } = await hostModule("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["worker.js"],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    outdir: "out",
    metafile: true,
  }).then(({ metafile }) => ({ outputFiles: Object.keys(metafile.outputs) }));
  return outputFiles.map((path) => path.replace("out/", ""));
}

function workerConfig(names, port) {
  const modules = names.map((name) => {
    const kind = name.endsWith(".wasm") ? "wasm" : "esModule";
    return `(name = "${name}", ${kind} = embed "${name}")`;
  });
  // The first module is the entry of the worker.
  modules.sort((a) => (a.includes("esModule") ? -1 : 1));
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(", ")}],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}
