// The suites of `npm run eval` with recorded replies. The planner of questions reads its answers from the prompts, so
// that each prompt must contain all rows of the result.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as byname from "byname";
import { publishedResults, withTables } from "../../eval/page.mjs";
import { bundledNames, loadGraph } from "../../eval/questions/graphs.mjs";
import { questions } from "../../eval/questions/index.mjs";
import { readAnswer, recordedPlanner } from "../../eval/questions/planner.mjs";
import { isRight } from "../../eval/questions/score.mjs";
import { reportOf } from "../../eval/report.mjs";
import { runTasks, summarize } from "../../eval/run.mjs";
import { prepareQuestions } from "../../eval/suites/questions.mjs";
import { uiSuite } from "../../eval/suites/ui.mjs";
import { workflowSuite } from "../../eval/suites/workflows.mjs";

await byname.init();

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundled = questions.filter(({ graph }) => bundledNames.includes(graph));
const graphs = Object.fromEntries(
  await Promise.all(bundledNames.map(async (name) => [name, await loadGraph(name)])),
);
const modules = { byname, importPart: (file) => import(`../../pkg/${file}`) };

/** Asks questions about graphs with the callbacks of `llmOf`. */
function evaluate(tasks, { graphs: loaded, llmOf }) {
  return runTasks(prepareQuestions(byname, tasks, loaded), { llmOf });
}

test("recorded plans are accepted and their answers are right", async () => {
  const results = await evaluate(questions, { graphs, llmOf: recordedPlanner });
  const wrong = results.filter((result) => !result.isRight);
  assert.deepEqual(wrong, []);
  const total = summarize(results);
  const { tasks, right, proposals, acceptedAtFirst, repairs, replies } = total;
  // Two questions begin with an invalid reply, and two need two plans.
  assert.deepEqual(
    [tasks, right, proposals, acceptedAtFirst, repairs, replies],
    [40, 40, 42, 40, 2, 84],
  );
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
  const results = await evaluate(others, { graphs: found, llmOf: recordedPlanner });
  assert.ok(results.length > 0);
  assert.deepEqual(
    results.filter((result) => !result.isRight),
    [],
  );
});

/** Runs a suite with recorded replies, or with other callbacks. */
async function runSuite(suite, options, llmOf = (task) => suite.recorded(task, options)) {
  const prepared = await suite.prepare(modules, suite.tasks, { repairs: 1, ...options });
  return runTasks(prepared, { llmOf });
}

for (const [format, first, codes] of [
  ["ham", 15, ["HAM004", "HAM031", "HAM033"]],
  ["a2ui", 15, ["HAM031", "HAM033", "JSON001"]],
  ["express", 15, ["EXP001", "EXP004", "EXP015", "HAM028"]],
]) {
  test(`recorded interfaces in ${format} are right, some after a repair`, async () => {
    const results = await runSuite(uiSuite, { format });
    assert.deepEqual(
      results.filter((result) => !result.isRight),
      [],
    );
    const total = summarize(results);
    assert.deepEqual([total.tasks, total.acceptedAtFirst, total.repairs], [20, first, 20 - first]);
    assert.deepEqual(Object.keys(total.codes).sort(), codes);
  });
}

test("recorded workflows give the expected outputs, some after a repair", async () => {
  const results = await runSuite(workflowSuite, {});
  assert.deepEqual(
    results.filter((result) => !result.isRight),
    [],
  );
  const { tasks, acceptedAtFirst, repairs, codes } = summarize(results);
  assert.deepEqual([tasks, acceptedAtFirst, repairs], [15, 12, 3]);
  assert.deepEqual(Object.keys(codes).sort(), ["FLOW002", "FLOW004", "TPL001"]);
});

test("a wrong interface, a reply without messages and a failed request are not right", async () => {
  const replies = {
    "ui-card":
      '{"createSurface":{"surfaceId":"main","components":[{"id":"root","component":"Text","text":"Paid"}]}}',
    "ui-login": "Here is a form.",
  };
  const llmOf = ({ id }) => {
    if (replies[id] === undefined) throw new Error("no reply");
    return () => replies[id];
  };
  const tasks = uiSuite.tasks.filter(({ id }) => id in replies);
  const prepared = await uiSuite.prepare(modules, tasks, { format: "ham", repairs: 1 });
  const [login, card] = await runTasks(prepared, { llmOf });
  assert.deepEqual([card.isRight, card.acceptedAtFirst], [false, 1]);
  assert.match(card.reason, /"Card".*found 0/);
  assert.deepEqual([login.isRight, login.replies, login.repairs], [false, 2, 1]);
  assert.deepEqual(login.codes, { "no change": 2 });
  const failing = () => () => Promise.reject(new Error("connection refused"));
  const [failed] = await runTasks(prepared, { llmOf: failing });
  assert.deepEqual([failed.isRight, failed.failure], [false, "connection refused"]);
});

test("a workflow that reads the wrong output is not right", async () => {
  const tasks = workflowSuite.tasks.filter(({ id }) => id === "flow-order");
  const [{ workflow }] = tasks;
  const reply = JSON.stringify(workflow).replace("${a_content}", "${b_content}");
  const prepared = await workflowSuite.prepare(modules, tasks, { repairs: 0 });
  const [result] = await runTasks(prepared, { llmOf: () => () => reply });
  assert.deepEqual([result.isRight, result.acceptedAtFirst], [false, 1]);
  assert.match(result.reason, /file b\.txt\) and \(file b\.txt/);
});

test("the page has the tables of the published results", () => {
  const page = readFileSync(new URL("../../docs/eval.md", import.meta.url), "utf8");
  const results = publishedResults();
  assert.ok(results.length > 0);
  assert.equal(withTables(page, results), page);
});

test("answers.py computes the same answers", (t) => {
  const python = (args, input) =>
    spawnSync("python3", args, { cwd: root, encoding: "utf8", input, maxBuffer: 2 ** 24 });
  const version = python(["-c", "import networkx; print(networkx.__version__)"]);
  if (version.status !== 0 || !version.stdout.startsWith("3.")) return t.skip("no NetworkX 3");
  const { status, stdout, stderr } = python(["eval/questions/answers.py"], JSON.stringify(graphs));
  assert.equal(status, 0, stderr);
  const answers = readFileSync(
    new URL("../../eval/questions/answers.json", import.meta.url),
    "utf8",
  );
  assert.deepEqual(JSON.parse(stdout), JSON.parse(answers));
});

test("tokens are those of the model, or estimated", async () => {
  const [question] = bundled;
  const usage = { inputTokens: 1000, outputTokens: 7 };
  const ask = async (reply) => {
    const [result] = await evaluate([question], { graphs, llmOf: () => () => reply });
    return result;
  };
  const counted = await ask({ text: "COMPLETE: 15", usage });
  assert.deepEqual(
    [counted.isRight, counted.proposals, counted.replies, counted.tokensIn, counted.tokensOut],
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
  const llmOf = (asked) => recordedPlanner({ ...asked, plans });
  const [result] = await evaluate([question], { graphs, llmOf });
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
