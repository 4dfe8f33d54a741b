// Long and hostile texts of Express: the time is proportional to the length. The bounds are exceeded
// many times over by a reader that repeats its work.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { compileExpress, expressStream } from "byname/express";
import { isExpress } from "../../pkg/cli/format.js";

await init();
const options = { catalog: basicCatalog };
const codesOf = ({ diagnostics }) => diagnostics.map(({ code }) => code);

/** Checks the seconds of processor time that a task takes. Returns its result. */
function expectWithin(seconds, task) {
  const start = process.cpuUsage();
  const result = task();
  const { user, system } = process.cpuUsage(start);
  const spent = (user + system) / 1e6;
  assert.ok(spent < seconds, `${spent} s`);
  return result;
}

/** Returns the result of a stream of these chunks. */
function streamOf(chunks, target = new Surface()) {
  const stream = expressStream(target, options);
  for (const chunk of chunks) stream.push(chunk);
  return stream.end();
}

test("opening tags without an end take linear time, whole and as a stream", () => {
  const text = "<a2ui ".repeat(100_000);
  expectWithin(4, () => {
    assert.ok(codesOf(compileExpress(text, options)).includes("EXP001"));
    assert.deepEqual(codesOf(streamOf([text])), ["EXP002"]);
  });
});

test("an opening tag has at most 900 characters of attributes, whole and in any chunks", () => {
  for (const [length, isTag] of [
    [900, true],
    [901, false],
  ]) {
    const text = `Here:\n<a2ui ${"a".repeat(length)}>\nroot = Text("a")\n</a2ui>`;
    assert.equal(compileExpress(text, options).diagnostics.length === 0, isTag);
    assert.equal(streamOf(text.match(/.{1,7}/gs)).ok, isTag);
  }
});

test("white space in a closing tag is limited, and takes linear time", () => {
  const blocks = (space) => `<a2ui>\nroot = Text("a")\n</a2ui${space}>`;
  assert.deepEqual(codesOf(streamOf(blocks(" \n".repeat(50)))), []);
  const chunks = blocks(" ".repeat(300_000)).match(/.{1,10}/gs);
  const found = expectWithin(4, () => codesOf(streamOf(chunks)));
  assert.equal(found.at(-1), "EXP013");
});

test("the format of many blank lines is found in linear time", () => {
  expectWithin(1, () => assert.equal(isExpress(`x${"\n".repeat(100_000)}`), false));
  assert.ok(isExpress('Text:\n\n \t\n  root = Text("a")'));
});
