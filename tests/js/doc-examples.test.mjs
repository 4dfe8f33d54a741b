// The extraction of runnable examples from Markdown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { examplesIn } from "../../scripts/doc-examples.mjs";

test("only marked blocks run, and each knows its line", () => {
  const markdown =
    "# Title\n\n```js run\nrun(1);\n```\n\n```js\nshow();\n```\n\n```js run\nrun(2);\n```\n";
  assert.deepEqual(examplesIn(markdown), [
    { line: 3, code: "run(1);\n" },
    { line: 11, code: "run(2);\n" },
  ]);
});
