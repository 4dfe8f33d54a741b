// The questions of `npm run eval` with recorded plans. The planner reads its answers from the prompts, so that each
// prompt must contain all rows of the result.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as byname from "byname";
import { bundledNames, loadGraph } from "../../eval/graphs.mjs";
import { readAnswer, recordedPlanner } from "../../eval/planner.mjs";
import { questions } from "../../eval/questions.mjs";
import { reportOf } from "../../eval/report.mjs";
import { evaluate, summarize } from "../../eval/run.mjs";
import { isRight } from "../../eval/score.mjs";

await byname.init();

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundled = questions.filter(({ graph }) => bundledNames.includes(graph));
const graphs = Object.fromEntries(
  await Promise.all(bundledNames.map(async (name) => [name, await loadGraph(name)])),
);

test("recorded plans are accepted and their answers are right", async () => {
  const results = await evaluate(byname, questions, { graphs, plannerOf: recordedPlanner });
  const wrong = results.filter((result) => !result.isRight);
  assert.deepEqual(wrong, []);
  const total = summarize(results);
  const { questions: asked, right, plans, acceptedAtFirst, replies } = total;
  // Two questions begin with an invalid reply, and two need two plans.
  assert.deepEqual([asked, right, plans, acceptedAtFirst, replies], [40, 40, 42, 40, 84]);
  const perPrompt = total.tokensPrompts / replies;
  assert.ok(perPrompt < 420, `${perPrompt} tokens per prompt without the language reference`);
  assert.match(reportOf(results, total), /^\| all +\| 40 of 40 \| +42 \| +40 \|/m);
});

test("published graphs are read beside the repository or skipped", async (t) => {
  const others = questions.filter(({ graph }) => !bundledNames.includes(graph));
  const found = {};
  for (const { graph } of others) {
    const json = await loadGraph(graph);
    if (json) found[graph] = json;
  }
  if (Object.keys(found).length === 0) return t.skip("no graphs beside the repository");
  const results = await evaluate(byname, others, { graphs: found, plannerOf: recordedPlanner });
  assert.ok(results.length > 0);
  assert.deepEqual(
    results.filter((result) => !result.isRight),
    [],
  );
});

test("answers.py computes the same answers", (t) => {
  const python = (args, input) =>
    spawnSync("python3", args, { cwd: root, encoding: "utf8", input, maxBuffer: 2 ** 24 });
  const version = python(["-c", "import networkx; print(networkx.__version__)"]);
  if (version.status !== 0 || !version.stdout.startsWith("3.")) return t.skip("no NetworkX 3");
  const { status, stdout, stderr } = python(["eval/answers.py"], JSON.stringify(graphs));
  assert.equal(status, 0, stderr);
  const answers = readFileSync(new URL("../../eval/answers.json", import.meta.url), "utf8");
  assert.deepEqual(JSON.parse(stdout), JSON.parse(answers));
});

test("tokens are those of the model, or estimated", async () => {
  const [question] = bundled;
  const usage = { inputTokens: 1000, outputTokens: 7 };
  const ask = async (reply) => {
    const plannerOf = () => () => reply;
    const [result] = await evaluate(byname, [question], { graphs, plannerOf });
    return result;
  };
  const counted = await ask({ text: "COMPLETE: 15", usage });
  assert.deepEqual(
    [counted.isRight, counted.plans, counted.replies, counted.tokensIn, counted.tokensOut],
    [true, 0, 1, 1000, 7],
  );
  const estimated = await ask("COMPLETE: 16");
  assert.deepEqual([estimated.isRight, estimated.tokensOut], [false, 3]);
  assert.ok(estimated.tokensPrompts > 100 && estimated.tokensIn > estimated.tokensPrompts + 400);
});

test("each question has a true answer and names an existing graph", () => {
  assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
  assert.equal(bundled.length, 40);
  for (const { id, truth, answer } of questions) {
    const isNumber = typeof truth === "number";
    assert.ok(answer === "number" ? isNumber : truth.length > 0, id);
  }
});

test("a plan that loses a row is wrong", async () => {
  const question = bundled.find(({ id }) => id === "coast-kestrel");
  const [[find, ...rest]] = question.plans;
  const plans = [[find.replace(" AS staff", " LIMIT 2 AS staff"), ...rest]];
  const plannerOf = (asked) => recordedPlanner({ ...asked, plans });
  const [result] = await evaluate(byname, [question], { graphs, plannerOf });
  assert.equal(result.isRight, false);
  assert.match(reportOf([result], summarize([result])), /coast-kestrel: expected .*Mina Haddad/);
});

test("scores names, rankings and numbers", () => {
  const ids = ["Ann", "Bo", "Apollo 1", "Apollo 11", "Kelp", "Kelp after the storm"];
  const score = (answer, truth, text, question = "Who met Bo?") =>
    isRight({ question, answer, truth }, text, ids);
  assert.equal(score("names", ["Ann", "Apollo 11"], "Apollo 11 and Ann met Bo."), true);
  assert.equal(score("names", ["Ann"], "Ann and Apollo 1"), false);
  assert.equal(score("names", ["Apollo 1"], "Apollo 11"), false);
  assert.equal(score("names", ["Kelp after the storm"], "Kelp after the storm"), true);
  assert.equal(score("names", ["Ann", "Kelp"], "Ann"), false);
  assert.equal(score("names", ["Ann"], null), false);
  assert.equal(score("ranking", ["Ann", "Kelp"], "1. Ann 2. Kelp"), true);
  assert.equal(score("ranking", ["Ann", "Kelp"], "Kelp, Ann"), false);
  assert.equal(score("number", 12, "There are 12 on Apollo 11."), true);
  assert.equal(score("number", 1234.5, "about 1,235 hours"), true);
  assert.equal(score("number", 12, "13"), false);
  assert.equal(score("number", 12, "12 or 13"), false);
  assert.equal(score("number", 12, "12 after 1930", "How many after 1930?"), true);
});

test("reads a column of a table from a prompt", () => {
  const table = "SHOW v: 2 rows\n|id|a\\|b\n|x\\|y|1\n|z|\n\nThe plan ended";
  assert.deepEqual(readAnswer(table, { show: "v", column: "id" }), ["x|y", "z"]);
  assert.deepEqual(readAnswer(table, { show: "v", column: "a|b" }), ["1", ""]);
  assert.deepEqual(readAnswer(table, { show: "w", column: "id" }), []);
  const metrics = '2. SHOW v → success {"count":2,"rows":[{"id":"x"},{"id":"y"},{"i…';
  assert.deepEqual(readAnswer(metrics, { show: "v", column: "id" }), ["x", "y"]);
});

test("the command asks the callback of a module and writes a table", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "byname-eval-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const adapter = join(folder, "model.mjs");
  writeFileSync(adapter, 'export default async () => "COMPLETE: 15";');
  const out = join(folder, "results.json");
  const args = ["--package", "pkg", "--adapter", adapter, "--out", out];
  const options = { cwd: root, encoding: "utf8" };
  const names = ["coast-people", "coast-most-cited"];
  execFileSync(process.execPath, ["scripts/eval.mjs", ...args, ...names], options);
  const { total, results } = JSON.parse(readFileSync(out, "utf8"));
  assert.deepEqual([total.questions, total.right, total.plans], [2, 1, 0]);
  assert.equal(results[0].answer, "15");
  assert.match(readFileSync(join(folder, "results.md"), "utf8"), /^\| all +\| 1 of 2 \|/m);
});

test("the command explains itself and rejects unknown names", () => {
  const run = (...args) =>
    execFileSync(process.execPath, ["scripts/eval.mjs", ...args], { cwd: root, encoding: "utf8" });
  assert.match(run("--help"), /^npm run eval -- \[options\]/);
  assert.match(run("--list"), /^coast-people: How many people/);
  const failure = (...args) => {
    try {
      return run("--package", "pkg", ...args);
    } catch ({ status, stderr }) {
      return `${status} ${stderr}`;
    }
  };
  assert.match(failure("nosuch"), /^1 .*unknown question or graph "nosuch"/s);
  assert.match(failure("--key-env", "BYNAME_MISSING", "--adapter", "openai"), /is not set/);
});
