// Examples of docs/ham.md, docs/gasl.md and docs/flow.md as tests: see tests/spec/blocks.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as api from "byname";
import { actionsOf, specBlocks, splitLine } from "../spec/blocks.mjs";
import { runFlowBlock } from "../spec/flow.mjs";
import { runGaslBlock } from "../spec/gasl.mjs";
import { runHamBlock } from "../spec/ham.mjs";

await api.init();
const page = (name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

test("a line contains an action and its expectations", () => {
  assert.deepEqual(splitLine("read a.b  # value: 3 # ref: x"), {
    text: "read a.b",
    expected: [
      ["value", "3"],
      ["ref", "x"],
    ],
  });
  assert.deepEqual(splitLine("FIND nodes AS n # all of them"), {
    text: "FIND nodes AS n # all of them",
    expected: [],
  });
  const [block] = specBlocks('# t\n\n```ham\n{\n  "a": 1\n}\nread a\n# value: 1\n```\n', "ham");
  const actions = actionsOf(block);
  assert.deepEqual(
    actions.map(({ line, text }) => [line, text]),
    [
      [4, '{\n  "a": 1\n}'],
      [7, "read a"],
    ],
  );
  assert.deepEqual(actions[1].expected, [["value", "1"]]);
});

test("a block whose expectation differs fails", async () => {
  const block = (code, info = "") => ({ line: 1, info, code });
  assert.throws(() => runHamBlock(block('{"a": 1}\nread a # value: 2\n'), api), /line 3/);
  assert.throws(() => runHamBlock(block('{"*a": 1}\n'), api), /HAM002/);
  await assert.rejects(runGaslBlock(block("FIND nodes AS n # count: 7\n"), api), /line 2/);
  await assert.rejects(runGaslBlock(block("FIND nodez AS n\n"), api), /GASL/);
  const flow = block('{"nodes": [\n  {"id": "a", "type": "b"} # warning: [FLOW001]\n]}\n', "r");
  await assert.rejects(runFlowBlock(flow, { r: { a: { outputs: [] } } }, api), /line 3/);
});

const SUITES = [
  { name: "ham", least: 10, run: (block) => runHamBlock(block, api) },
  { name: "gasl", least: 15, run: (block) => runGaslBlock(block, api) },
  { name: "flow", least: 10, run: (block, text) => runFlowBlock(block, registriesOf(text), api) },
];

/** Returns the registries of a page: its ```json registry NAME blocks. */
function registriesOf(markdown) {
  const blocks = specBlocks(markdown, "json").filter(({ info }) => info.startsWith("registry "));
  return Object.fromEntries(blocks.map(({ info, code }) => [info.slice(9), JSON.parse(code)]));
}

for (const { name, least, run } of SUITES) {
  const text = page(name);
  const blocks = specBlocks(text, name);
  for (const block of blocks) {
    test(`docs/${name}.md:${block.line}`, () => run(block, text));
  }
  test(`docs/${name}.md has examples`, () => assert.ok(blocks.length >= least, `${blocks.length}`));
}
