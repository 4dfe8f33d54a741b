// Published results: sums in results.json, and their tables in docs/eval.md.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { codesText } from "./report.mjs";
import { markdownTable } from "./table.mjs";

const resultsFile = new URL("results.json", import.meta.url);
const pageFile = new URL("../docs/eval.md", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Lines around the tables in the page. */
const BEGIN = "<!-- results -->";
const END = "<!-- end of results -->";

/** Adds the sums of runs to the published ones, and writes the page. A run replaces an earlier one of the same kind. */
export function publish(runs) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores`;
  const added = runs.map(({ suite, format, model, total }) => ({
    suite,
    ...(format && { format }),
    model,
    version,
    date,
    ...(model.library && { machine }),
    total,
  }));
  const isReplaced = (old) => added.some((run) => keyOf(run) === keyOf(old));
  const all = [...publishedResults().filter((old) => !isReplaced(old)), ...added];
  const sorted = all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(resultsFile, `${JSON.stringify(sorted, null, 2)}\n`);
  writeFileSync(pageFile, withTables(readFileSync(pageFile, "utf8"), sorted));
}

/** Returns the published sums. */
export function publishedResults() {
  return JSON.parse(readFileSync(resultsFile, "utf8"));
}

/** Returns the page with the tables of these results. */
export function withTables(page, results) {
  const [before, rest] = page.split(BEGIN);
  const after = rest.split(END)[1];
  return `${before}${BEGIN}\n\n${tablesOf(results).join("\n")}\n\n${END}${after}`;
}

/** Returns the identity of a run: suite, format and model. */
function keyOf({ suite, format = "", model }) {
  return `${suite} ${format} ${modelName(model)}`;
}

const COLUMNS = [
  ["suite", ({ suite, format }) => (format === undefined ? suite : `${suite}, ${format}`)],
  ["model", ({ model }) => modelName(model)],
  ["right", ({ total }) => `${total.right} of ${total.tasks}`],
  ["accepted at first", ({ total }) => `${total.acceptedAtFirst} of ${total.proposals}`],
  ["repairs", ({ total }) => total.repairs],
  ["tokens in", ({ total }) => total.tokensIn],
  ["tokens out", ({ total }) => total.tokensOut],
  ["too long", ({ total }) => total.tooLong],
];

function tablesOf(results) {
  const rows = results.map((run) => COLUMNS.map(([, cell]) => String(cell(run))));
  const table = markdownTable([COLUMNS.map(([name]) => name), ...rows], { textColumns: [0, 1] });
  const rejected = results
    .filter(({ total }) => Object.keys(total.codes).length > 0)
    .map(
      (run) => `- ${COLUMNS[0][1](run)}, ${modelName(run.model)}: ${codesText(run.total.codes)}`,
    );
  const models = new Map(results.map((run) => [modelName(run.model), run]));
  return [
    ...table,
    "",
    "Codes of the rejected replies:",
    "",
    ...rejected,
    "",
    "Runs:",
    "",
    ...[...models].map(([name, run]) => `- ${name}: ${detailsOf(run)}`),
  ];
}

function modelName({ name, library, constrained }) {
  return library && !constrained ? `${name}, without grammars` : name;
}

function detailsOf({ model, version: own, date, machine }) {
  const { library, context, maxTokens, seconds } = model;
  const parts = [
    `byname ${own}`,
    date,
    machine,
    library,
    context && `a context of ${context} tokens`,
    maxTokens && `at most ${maxTokens} tokens and ${seconds} seconds for a reply`,
  ];
  return parts.filter(Boolean).join(", ");
}
