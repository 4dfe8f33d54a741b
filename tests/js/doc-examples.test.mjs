// The examples of the documentation: which are run and which are compiled, and that none is neither.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { extractExamples } from "../../scripts/doc-examples.mjs";
import { extractTypedBlocks } from "../../scripts/doc-types.mjs";

const root = new URL("../../", import.meta.url);
const documents = [
  "README.md",
  ...readdirSync(new URL("docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** What takes a block by what its fence says: the steps `docs`, `browser`, `hosts` and `frameworks`. */
const FENCES = [
  { fence: /^js run$/ },
  { fence: /^js page$/ },
  { fence: /^ts declares byname\S*$/ },
  { fence: /^ts continues$/ },
  { fence: /^(?:js|tsx?) uses$/ },
  { fence: /^\w+ [\w-]+\/\S+\.\w+$/, path: "docs/install.md" },
  { fence: /^\w+ \S+\.\w+$/, path: "docs/frameworks.md" },
  { fence: /^jsx \S+\.jsx$/, path: "README.md" },
  // What these print stands behind them; the first of each section of the other is run with a stand-in for its model.
  { fence: /^js$/, path: "docs/diagnostic-codes.md", after: /^\n```text\n/ },
  { fence: /^js$/, path: "docs/llm.md" },
];
const CODE = /^(?:[cm]?[jt]sx?|html|vue|svelte)\b/;

/** The blocks of code that nothing runs and nothing compiles, by their lines. */
function uncovered(path, markdown) {
  return [...markdown.matchAll(/^```(.+)\n[\s\S]*?^```$\n?/gm)]
    .filter(([, info]) => CODE.test(info))
    .filter(({ 0: block, 1: info, index }) => {
      const rest = markdown.slice(index + block.length);
      return !FENCES.some(
        ({ fence, path: only = path, after }) =>
          fence.test(info) && only === path && (after?.test(rest) ?? true),
      );
    })
    .map(({ 1: info, index }) => `${path}:${markdown.slice(0, index).split("\n").length} ${info}`);
}

test("only marked blocks run, and each knows its line", () => {
  const markdown =
    "# Title\n\n```js run\nrun(1);\n```\n\n```js\nshow();\n```\n\n```js run\nrun(2);\n```\n";
  assert.deepEqual(extractExamples(markdown), [
    { line: 3, code: "run(1);\n" },
    { line: 11, code: "run(2);\n" },
  ]);
  assert.deepEqual(uncovered("docs/some.md", markdown), ["docs/some.md:7 js"]);
  for (const fence of ["ts", "tsx", "html", "js runs", "js src/main.js", "ts declares", "vue"]) {
    const block = `\`\`\`${fence}\na\n\`\`\`\n`;
    assert.deepEqual(uncovered("docs/some.md", block), [`docs/some.md:1 ${fence}`]);
  }
});

test("every block of code is run or compiled", () => {
  let count = 0;
  for (const path of documents) {
    const markdown = readFileSync(new URL(path, root), "utf8");
    assert.deepEqual(uncovered(path, markdown), []);
    count += extractTypedBlocks(markdown).length;
  }
  assert.ok(count >= 15, `${count} are compiled`);
});

test("a block that is compiled has what it says it goes on with", () => {
  const before = "```js run\nconst a = 1;\nconst b = 2;\n```\n";
  const [block] = extractTypedBlocks(
    `${before}\n\`\`\`ts continues\nconst c: number = a;\n\`\`\`\n`,
  );
  assert.equal(block.line, 6);
  assert.equal(block.code, 'import { a } from "#before";\nconst c: number = a;\n');
  assert.equal(block.before, "const a = 1;\nconst b = 2;\n\nexport { a,b };\n");
  const [declared] = extractTypedBlocks("```ts declares byname/llm\ntype LlmTask = 1;\n```\n");
  assert.match(declared.code, /Same<Documented.LlmTask, from.LlmTask> = true;/);
});
