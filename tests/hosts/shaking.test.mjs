// Unused code is not bundled, unless an entry has side effects.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hostModule, hosts, project } from "./project.mjs";

/** Returns the modules of byname in the bundle of this code, with their sizes in bytes. */
async function left(code) {
  const folder = project("shaking", { extra: { "main.js": code } });
  const { rolldown } = await hostModule("rolldown");
  const bundle = await rolldown({ cwd: folder, input: "main.js", platform: "browser" });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  const sizes = Object.entries(output[0].modules).map(([path, { code }]) => [
    path.split("/byname/pkg/")[1],
    code?.length ?? 0,
  ]);
  return new Map(sizes.filter(([path, size]) => path && size > 0));
}

const manifest = JSON.parse(readFileSync(join(hosts, "node_modules/byname/package.json"), "utf8"));
const entries = Object.keys(manifest.exports)
  .filter((path) => !/\.(wasm|json)$/.test(path))
  .map((path) => `byname${path.slice(1)}`);

/** Entries with side effects: they contain WebAssembly, or define an element. */
const acting = ["byname/inline", "byname/ham/inline", "byname/dom"];

for (const entry of entries) {
  const acts = acting.includes(entry);
  test(`an empty import of ${entry} bundles ${acts ? "its side effects" : "nothing"}`, async () => {
    assert.equal((await left(`import "${entry}";`)).size > 0, acts);
  });
}

test("a function of workflows bundles no stores, graphs or models", async () => {
  for (const name of ["resolveTemplate", "detectCollisions"]) {
    const modules = await left(`import { ${name} } from "byname"; console.log(${name});`);
    const known = [
      "byname_bg.js",
      "errors.js",
      "diagnostic-error.js",
      "wasm.js",
      "arguments.js",
      "flow/mappings.js",
      "json-text.js",
      "json-value.js",
    ];
    assert.deepEqual(
      [...modules.keys()].filter((module) => !known.includes(module)),
      [],
    );
  }
});

test("a store bundles no surface, graph or workflow", async () => {
  const modules = await left(
    'import { HamStore, init } from "byname"; console.log(HamStore, init);',
  );
  const others = [...modules.keys()].filter((path) =>
    /surface|reader|gasl|flow|llm|dom/.test(path),
  );
  assert.deepEqual(others, []);
});

// `byname/dom` defines its element on import, so all of it is bundled, but nothing else.
test("a renderer bundles no WebAssembly", async () => {
  for (const [name, entry] of [
    ["safeUrl", "byname/dom"],
    ["SurfaceView", "byname/react"],
  ]) {
    const modules = await left(`import { ${name} } from "${entry}"; console.log(${name});`);
    assert.ok(modules.size > 10);
    for (const path of modules.keys()) {
      assert.doesNotMatch(path, /byname_bg|wasm|store|gasl|llm/);
    }
  }
});

test("a renderer with a catalog bundles the checks of objects, not those of texts", async () => {
  const page =
    'import { basicCatalog, mount } from "byname/dom"; console.log(basicCatalog, mount);';
  const checks = ([path]) => /catalog\/check\/(?:json-error|message-)/.test(path);
  const modules = [...(await left(page))];
  assert.ok(modules.some(([path]) => path.endsWith("catalog/check/values.js")));
  assert.deepEqual(modules.filter(checks), []);
  const asked = `${page} import { checkMessages } from "byname/catalog"; console.log(checkMessages);`;
  assert.notDeepEqual([...(await left(asked))].filter(checks), []);
});

test("one adapter bundles no other adapter", async () => {
  const modules = await left('import { openai } from "byname/llm"; console.log(openai);');
  const others = [...modules.keys()].filter((path) => /anthropic|chrome|webllm|wllama/.test(path));
  assert.deepEqual(others, []);
});
