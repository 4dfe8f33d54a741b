// Runs the suites of eval/ with a model or with recorded replies: questions about graphs, interfaces, and workflows.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { importFrom, openModel } from "../eval/models.mjs";
import { publish } from "../eval/page.mjs";
import { reportOf } from "../eval/report.mjs";
import { runTasks, summarize } from "../eval/run.mjs";
import { suites } from "../eval/suites/index.mjs";
import { wrongUse } from "../eval/wrong-use.mjs";
import { build } from "./build.mjs";
import { main, parseCommandLine, printStatus, root, UserError } from "./run.mjs";
import { checkNode, ensureNodeModules, ensureRust, ensureTools } from "./setup.mjs";

const help = `npm run eval -- [options] [task or group…]

Runs tasks with a model and checks their results:
  questions   44 questions about graphs, whose answers are compared with those of NetworkX
  ui          20 interfaces to write or to edit, each in HAM, A2UI and Express; checked by role, label and action
  workflows   15 workflows over node types with equal output keys, which are run

  --suite NAME     questions, ui or workflows; can be repeated (default: all)
  --format NAME    ham, a2ui or express, for ui; can be repeated (default: all)
  --model MODEL    scripted  recorded replies, which need no model (default)
                   openai    any server with chat completions, such as llama.cpp or Ollama
                   anthropic
                   llama     a GGUF file in this process (docs/eval.md)
                   or the path of a module whose default export is a callback
  --name NAME      name of the model, for openai and anthropic
  --url URL        base URL of the server, such as http://localhost:8080/v1
  --key-env NAME   environment variable that contains the API key
  --grammar        sends grammars, which llama-server accepts, for openai
  --gguf PATH      model file, for llama
  --context N      maximum number of tokens of the context, for llama (default: 8192)
  --unconstrained  does not use grammars, for llama
  --max-tokens N   maximum number of tokens of a reply (default: 400)
  --seconds N      maximum duration of a reply (default: 120)
  --repairs N      maximum number of repairs of an interface or workflow (default: 2)
  --out FILE       JSON file of the results; the tables are beside it with the ending .md
                   (default: target/eval/results.json)
  --publish        adds the sums to eval/results.json and docs/eval.md
  --package DIR    folder of another build of the package, to compare it with this one
  --list           lists the tasks
  --help           prints this text

Exit codes: 0 done, 1 a recorded reply has a wrong result or every request failed, 2 wrong use.`;

/** Description of the recorded replies in results. */
const SCRIPTED = { name: "recorded replies" };

await main(async () => {
  const { values, positionals } = readOptions();
  if (values.help) return console.log(help);
  const chosen = chooseSuites(values.suite);
  if (values.list) return console.log(listOf(chosen).join("\n"));
  checkNode();
  const formats = chooseFormats(values.format);
  const selected = selectTasks(chosen, positionals);
  const repairs = repairsOf(values.repairs);
  const folder = await packageFolder(values.package);
  const model = await openModel(values, folder);
  const byname = await importFrom(folder, "index.inline.js");
  await byname.init();
  const modules = { byname, importPart: (file) => importFrom(folder, file) };
  const runs = [];
  for (const { suite, tasks } of selected) {
    for (const format of suite.formats?.filter((one) => formats.includes(one)) ?? [undefined]) {
      const options = { format, repairs };
      const prepared = await suite.prepare(modules, tasks, options);
      if (prepared.tasks.length < tasks.length)
        printStatus(`skipped ${tasks.length - prepared.tasks.length} tasks whose graph is missing`);
      const title = format === undefined ? suite.name : `${suite.name} in ${format}`;
      const results = await runTasks(prepared, {
        llmOf: (task) => model?.llm ?? suite.recorded(task, options),
        onResult: ({ id, isRight }) =>
          printStatus(`${title}: ${id}: ${isRight ? "right" : "wrong"}`),
      });
      const total = summarize(results);
      runs.push({
        suite: suite.name,
        ...(format && { format }),
        model: model?.info ?? SCRIPTED,
        total,
        results,
      });
      console.log(`\n## ${title}\n\n${reportOf(results, total)}`);
      // A long run leaves the results so far.
      writeResults(values.out, runs);
    }
  }
  await model?.dispose();
  if (values.publish) publish(runs);
  throwForFailures(runs, model !== undefined);
});

function readOptions() {
  try {
    return parseCommandLine({
      allowPositionals: true,
      suite: { type: "string", multiple: true },
      format: { type: "string", multiple: true },
      model: { type: "string", default: "scripted" },
      name: { type: "string" },
      url: { type: "string" },
      "key-env": { type: "string" },
      grammar: { type: "boolean" },
      gguf: { type: "string" },
      context: { type: "string" },
      unconstrained: { type: "boolean" },
      "max-tokens": { type: "string", default: "400" },
      seconds: { type: "string", default: "120" },
      repairs: { type: "string", default: "2" },
      out: { type: "string", default: "target/eval/results.json" },
      publish: { type: "boolean" },
      package: { type: "string" },
      list: { type: "boolean" },
      help: { type: "boolean" },
      hint: "the options are listed by --help",
    });
  } catch (error) {
    throw error instanceof UserError ? wrongUse(error.message) : error;
  }
}

function chooseSuites(names) {
  return choose(
    names,
    suites.map(({ name }) => name),
    "suite",
  ).map((name) => suites.find((suite) => suite.name === name));
}

function chooseFormats(names) {
  const all = [...new Set(suites.flatMap(({ formats = [] }) => formats))];
  return choose(names, all, "format");
}

/** Returns the chosen names, or all of them. */
function choose(names, known, option) {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw wrongUse(`expected --${option} ${known.join(", ")}, found "${unknown}"`);
  return names === undefined ? known : known.filter((name) => names.includes(name));
}

function listOf(chosen) {
  return chosen.flatMap((suite) => suite.tasks.map((task) => `${task.id}: ${suite.textOf(task)}`));
}

/** Returns the tasks of each suite that the positional arguments name, or all of them. */
function selectTasks(chosen, names) {
  const matches = (suite, name) =>
    suite.tasks.filter((task) => task.id === name || suite.groupOf(task) === name);
  const unknown = names.find((name) => chosen.every((suite) => matches(suite, name).length === 0));
  if (unknown !== undefined)
    throw wrongUse(`unknown task or group "${unknown}"; list the tasks with --list`);
  const selected = chosen.map((suite) => ({
    suite,
    tasks: names.length === 0 ? suite.tasks : names.flatMap((name) => matches(suite, name)),
  }));
  return selected.filter(({ tasks }) => tasks.length > 0);
}

function repairsOf(text) {
  if (/^\d$/.test(text)) return Number(text);
  throw wrongUse(`expected --repairs to be 0 to 9, found "${text}"`);
}

/** Returns the folder of the package, which is built unless the folder is an argument. */
async function packageFolder(folder) {
  if (folder !== undefined) return resolve(root, folder);
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
  await build();
  return join(root, "pkg");
}

function writeResults(file, runs) {
  write(file, `${JSON.stringify(runs, null, 2)}\n`);
  const tables = runs.map(({ suite, format, results, total }) => {
    const title = format === undefined ? suite : `${suite} in ${format}`;
    return `## ${title}\n\n${reportOf(results, total)}\n`;
  });
  write(file.replace(/(\.json)?$/, ".md"), tables.join("\n"));
}

function write(file, text) {
  const path = resolve(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Throws if recorded replies have wrong results, or if no request of a model has succeeded. */
function throwForFailures(runs, isModel) {
  const results = runs.flatMap((run) => run.results);
  const wrong = results.filter(({ isRight }) => !isRight).map(({ id }) => id);
  if (!isModel && wrong.length > 0)
    throw new UserError(`recorded replies have wrong results: ${wrong.join(", ")}`);
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  if (isModel && failure !== undefined && results.every((result) => result.failure !== undefined))
    throw new UserError(`every request failed: ${failure}`);
}
