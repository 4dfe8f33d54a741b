// Asks a model, or a planner of recorded plans, the questions of eval/ and compares its answers with the true ones.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundledNames, loadGraph } from "../eval/graphs.mjs";
import { recordedPlanner } from "../eval/planner.mjs";
import { questions } from "../eval/questions.mjs";
import { reportOf } from "../eval/report.mjs";
import { evaluate, summarize } from "../eval/run.mjs";
import { build } from "./build.mjs";
import { main, parseCommandLine, printStatus, root, UserError } from "./run.mjs";
import { checkNode, ensureNodeModules, ensureRust, ensureTools } from "./setup.mjs";

const help = `npm run eval -- [options] [question or graph…]

Asks 40 questions about the graphs of the playground, and more about published graphs in
../shared/data/graphs. Without an adapter, recorded plans are replayed, which needs no model.

  --adapter NAME   openai or anthropic of byname/llm, or a module whose default export is a
                   callback for a model
  --url URL        base URL of the server, such as http://localhost:8080/v1
  --model NAME     name of the model
  --key-env NAME   environment variable that contains the API key
  --out FILE       JSON file of the results; the table is beside it with the ending .md
                   (default: target/eval/results.json)
  --package DIR    folder of another build of the package, to compare it with this one
  --list           lists the questions and graphs
  --help           prints this text`;

await main(async () => {
  const { values, positionals } = parseCommandLine({
    allowPositionals: true,
    adapter: { type: "string" },
    url: { type: "string" },
    model: { type: "string" },
    "key-env": { type: "string" },
    out: { type: "string", default: "target/eval/results.json" },
    package: { type: "string" },
    list: { type: "boolean" },
    help: { type: "boolean" },
  });
  if (values.help) return console.log(help);
  if (values.list) {
    for (const { id, question } of questions) console.log(`${id}: ${question}`);
    return;
  }
  checkNode();
  const folder = await packageFolder(values.package);
  const selected = selectQuestions(positionals);
  const graphs = await loadGraphs(selected);
  const byname = await importFrom(folder, "index.inline.js");
  await byname.init();
  const model = values.adapter && (await adapterOf(values, folder));
  const plannerOf = model ? () => model : recordedPlanner;
  const onResult = ({ id, isRight }) => printStatus(`${id}: ${isRight ? "right" : "wrong"}`);
  const results = await evaluate(byname, selected, { graphs, plannerOf, onResult });
  const total = summarize(results);
  const report = reportOf(results, total);
  write(values.out, `${JSON.stringify({ total, results }, null, 2)}\n`);
  write(values.out.replace(/(\.json)?$/, ".md"), `${report}\n`);
  console.log(report);
});

/** Returns the folder of the package, which is built unless the folder is an argument. */
async function packageFolder(folder) {
  if (folder !== undefined) return resolve(root, folder);
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
  await build();
  return join(root, "pkg");
}

async function importFrom(folder, file) {
  try {
    return await import(pathToFileURL(resolve(folder, file)).href);
  } catch (error) {
    throw new UserError(`cannot import ${resolve(folder, file)}: ${error.message}`);
  }
}

function selectQuestions(names) {
  const matches = (name) => questions.filter(({ id, graph }) => id === name || graph === name);
  const unknown = names.find((name) => matches(name).length === 0);
  if (unknown !== undefined)
    throw new UserError(`unknown question or graph "${unknown}"; list them with --list`);
  return names.length === 0 ? questions : names.flatMap(matches);
}

/** Returns the graphs of questions by name, without those whose file is missing. */
async function loadGraphs(selected) {
  const graphs = {};
  for (const name of new Set(selected.map(({ graph }) => graph))) {
    const graph = await loadGraph(name);
    if (graph) graphs[name] = graph;
    else printStatus(`skipped the questions about ${name}, whose file is missing`);
  }
  if (Object.keys(graphs).length === 0)
    throw new UserError(`no graph is available; the bundled ones are ${bundledNames.join(", ")}`);
  return graphs;
}

/** Returns the callback of an adapter by its name, or of a module. */
async function adapterOf({ adapter, url, model, "key-env": keyName }, folder) {
  const apiKey = keyName && process.env[keyName];
  if (keyName && !apiKey) throw new UserError(`the environment variable ${keyName} is not set`);
  if (["openai", "anthropic"].includes(adapter)) {
    const { [adapter]: create } = await importFrom(folder, "llm.js");
    if (!model) throw new UserError(`missing --model, the name of the model for ${adapter}`);
    return create({ model, ...(url && { baseUrl: url }), ...(apiKey && { apiKey }) });
  }
  const module = await importFrom("", resolve(adapter));
  if (typeof module.default !== "function")
    throw new UserError(`expected a callback as the default export of ${adapter}`);
  return module.default;
}

function write(file, text) {
  const path = resolve(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
