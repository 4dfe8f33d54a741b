// Examples of the documentation: each is run or compiled.
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

/** Step that covers a block, by its fence: `docs`, `browser`, `hosts`, `frameworks` or `recipes`. */
const FENCES = [
  { fence: /^js run$/ },
  { fence: /^js page$/ },
  { fence: /^ts declares byname\S*$/ },
  { fence: /^ts continues$/ },
  { fence: /^(?:js|tsx?) uses$/ },
  { fence: /^\w+ [\w-]+\/\S+\.\w+$/, path: "docs/install.md" },
  { fence: /^\w+ [\w-]+\/\S+\.\w+$/, path: "docs/recipes.md" },
  { fence: /^\w+ \S+\.\w+$/, path: "docs/frameworks.md" },
  { fence: /^jsx \S+\.jsx$/, path: "README.md" },
  // The output of these is written after them; in the other file, the first of each section runs
  // with a fake model.
  { fence: /^js$/, path: "docs/diagnostic-codes.md", after: /^\n```text\n/ },
  { fence: /^js$/, path: "docs/llm.md" },
];
const CODE = /^(?:[cm]?[jt]sx?|html|vue|svelte)\b/;

/** Returns the lines of the code blocks that no step runs or compiles. */
function uncoveredLines(path, markdown) {
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

test("runs only marked blocks, and knows the line of each", () => {
  const markdown =
    "# Title\n\n```js run\nrun(1);\n```\n\n```js\nshow();\n```\n\n```js run\nrun(2);\n```\n";
  assert.deepEqual(extractExamples(markdown), [
    { line: 3, code: "run(1);\n" },
    { line: 11, code: "run(2);\n" },
  ]);
  assert.deepEqual(uncoveredLines("docs/some.md", markdown), ["docs/some.md:7 js"]);
  for (const fence of ["ts", "tsx", "html", "js runs", "js src/main.js", "ts declares", "vue"]) {
    const block = `\`\`\`${fence}\na\n\`\`\`\n`;
    assert.deepEqual(uncoveredLines("docs/some.md", block), [`docs/some.md:1 ${fence}`]);
  }
});

test("runs or compiles every block of code", () => {
  let count = 0;
  for (const path of documents) {
    const markdown = readFileSync(new URL(path, root), "utf8");
    assert.deepEqual(uncoveredLines(path, markdown), []);
    count += extractTypedBlocks(markdown).length;
  }
  assert.ok(count >= 15, `${count} are compiled`);
});

test("a compiled block has the block that it continues", () => {
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
