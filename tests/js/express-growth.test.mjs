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

/** Returns a text of variables, each of which contains the one before. */
const chainOf = (count, first, next, last) =>
  [`v0 = ${first}`, ...Array.from({ length: count }, (_, at) => `v${at + 1} = ${next(`v${at}`)}`)]
    .concat(last(`v${count}`))
    .join("\n");

/** Chains of variables: a name, its first value, the next one, and the use of the last one. */
const CHAINS = [
  ["lists", "1", (one) => `[${one}]`, (one) => `root = Text(${one})`],
  ["names", "1", (one) => one, (one) => `root = Text(${one})`],
  ["data", "1", (one) => `{k: ${one}}`, (one) => `root = Text("a")\n$/x = ${one}`],
  ["components", "[Divider()]", (one) => `[Column(${one})]`, (one) => `root = Column(${one})`],
];

for (const [name, ...parts] of CHAINS)
  test(`variables that are nested deeper than a text may be are refused: ${name}`, () => {
    const text = chainOf(3_000, ...parts);
    const { messages, diagnostics } = compileExpress(text, options);
    assert.deepEqual(messages, []);
    const [{ code, message, location }] = diagnostics;
    assert.equal(code, "EXP016");
    assert.match(message, /nested deeper than 64 levels/);
    assert.equal(location.kind, "text");
    assert.ok(codesOf(streamOf([text])).includes("EXP016"));
    assert.deepEqual(
      codesOf(compileExpress(chainOf(20, ...parts), options)).includes("EXP016"),
      false,
    );
  });

test("variables that are nested and repeated are refused, also as checks and as components", () => {
  const repeated = (one) => `[${Array(10).fill(one).join(", ")}]`;
  for (const [first, next, last] of [
    ["[?required]", repeated, (one) => `root = TextField("a", $/a, ${one})`],
    ["[Divider()]", (one) => repeated(`Column(${one})`), (one) => `root = Column(${one})`],
    ["1", repeated, (one) => `root = Text("a")\n$/x = ${one}`],
  ]) {
    const text = chainOf(8, first, next, last);
    assert.deepEqual(codesOf(expectWithin(8, () => compileExpress(text, options))), ["EXP016"]);
  }
});

test("checks in variables: a name in itself, and a list that is used twice", () => {
  const { diagnostics } = compileExpress('v = [v]\nroot = TextField("a", $/a, checks: v)', options);
  assert.ok(diagnostics.some(({ severity }) => severity === "error"));
  const text = 'one = [?required]\ntwo = [one, one]\nroot = TextField("a", $/a, two)';
  const [{ createSurface }] = compileExpress(text, options).messages;
  assert.equal(createSurface.components[0].checks.length, 2);
});

test("150,000 faults, and as many components in one another, are compiled", () => {
  const count = 150_000;
  const faults = "x = Txet(1)\n".repeat(count);
  assert.equal(compileExpress(faults, options).diagnostics.length, count);
  assert.ok(streamOf([faults]).diagnostics.length >= count);
  const { messages } = compileExpress(`root = Column([${"Divider(),".repeat(count)}])`, options);
  assert.equal(messages[0].createSurface.components.length, count + 1);
});

test("a shared variable that is assigned again compiles no component that waits for another", () => {
  const count = 4_000;
  const lines = (line) => Array.from({ length: count }, (_, at) => line(at)).join("\n");
  const waiting = lines((at) => `c${at} = Text([w, u${at}])`);
  for (const before of ["", `w = "x"\n${lines((at) => `c${at} = Text(w)`)}\n`]) {
    const text = `root = Column([c0])\n${before}${waiting}\n${lines((at) => `w = "x${at}"`)}`;
    expectWithin(6, () => streamOf([text]));
  }
});

test("a component waits for a variable through another one, which may be assigned again", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const stream = expressStream(surface, options);
  const shown = () => surface.tree()?.props.text;
  stream.push("root = Text(a)\na = b\n");
  assert.equal(shown(), undefined);
  stream.push('a = "first"\n');
  assert.equal(shown(), "first");
  stream.push("root = Text(c)\nc = d\nd = e\n");
  assert.equal(shown(), "first");
  stream.push('e = "second"\n');
  assert.equal(shown(), "second");
  stream.push('d = "third"\n');
  assert.equal(shown(), "third");
  stream.push("root = Text(missing)\n");
  assert.equal(shown(), "third");
  stream.end();
  assert.equal(shown(), "missing");
});
