// The folders of the examples: what they share is equal, and their README lists their files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const examples = new URL("../../examples/", import.meta.url);
const names = ["chat", "graph-explorer", "workflow-runner"];
const read = (path) => readFileSync(new URL(path, examples), "utf8");

test("the copies of files.mjs are equal, because each example can be copied alone", () => {
  for (const name of names) assert.equal(read(`${name}/files.mjs`), read("chat/files.mjs"), name);
});

for (const name of names) {
  test(`${name} depends on byname only, and its README lists its files`, () => {
    const manifest = JSON.parse(read(`${name}/package.json`));
    assert.equal(manifest.name, name);
    assert.deepEqual(manifest.dependencies, { byname: "file:../.." });
    assert.equal(manifest.private, true);
    const readme = read(`${name}/README.md`);
    const files = readdirSync(new URL(`${name}/`, examples)).filter((file) => /\.mjs$/.test(file));
    const pages = readdirSync(new URL(`${name}/page/`, examples)).filter((file) =>
      /\.js$/.test(file),
    );
    for (const file of [...files, ...pages.map((page) => `page/${page}`)])
      assert.ok(readme.includes(`\`${file}\``), file);
    assert.ok(read("../docs/examples.md").includes(`| \`${name}\` |`));
  });
}
