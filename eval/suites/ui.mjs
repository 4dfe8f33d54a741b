// Suite of interfaces: a model writes or edits one, and roles, labels, values and actions of the surface are checked.
import { readFileSync } from "node:fs";
import { failureText, propose } from "../attempts.mjs";
import { taskCatalog } from "../ui/catalog.mjs";
import { formatNames, formatOf } from "../ui/formats.mjs";
import { recordedReplies } from "../ui/replies.mjs";
import { failedStep } from "../ui/steps.mjs";

const readJson = (name) =>
  JSON.parse(readFileSync(new URL(`../ui/${name}.json`, import.meta.url), "utf8"));
const starts = readJson("starts");
const modules = {};

export const uiSuite = {
  name: "ui",
  formats: formatNames,
  tasks: [...readJson("create"), ...readJson("edit")],
  textOf: ({ request }) => request,
  groupOf: ({ start }) => start ?? "create",
  recorded: (task, { format }) => recordedReplies(task, format, modules),

  async prepare({ importPart }, tasks, { format: name, repairs }) {
    for (const part of ["dom", "catalog", "a2ui", "express", "testing"])
      modules[part] ??= await importPart(`${part}.js`);
    const { dom, catalog: byCatalog } = modules;
    modules.taskCatalog ??= taskCatalog(dom, byCatalog);
    const format = formatOf(name, { ...modules, catalog: modules.taskCatalog });
    const { repairPrompt } = byCatalog;
    return { tasks, run: (task, llm) => write(task, llm, { format, repairs, repairPrompt }) };
  },
};

async function write(task, llm, { format, repairs, repairPrompt }) {
  const { system, grammar } = format;
  const start = task.start === undefined ? [] : starts[task.start];
  const request = { id: task.id, system, grammar, prompt: promptOf(task, format, start) };
  const read = (text) => {
    const view = format.open(start);
    const before = new Set(view.diagnostics);
    const found = [...format.read(view, text), ...view.surface.diagnostics({ isDone: true })];
    const diagnostics = found.filter((one) => !before.has(one) && isRejection(one));
    if (diagnostics.length === 0 && view.changes.length === 0) diagnostics.push(NOTHING);
    return { diagnostics: distinct(diagnostics), value: view };
  };
  const {
    value: view,
    diagnostics,
    ...counts
  } = await propose(llm, request, {
    read,
    repairs,
    repairPrompt,
  });
  const failed =
    view === undefined ? failureText({ ...counts, diagnostics }) : failedStep(view, task.steps);
  return {
    isRight: failed === undefined,
    ...counts,
    expected: `all of ${task.steps.length} steps`,
    reason: failed ?? "all",
  };
}

/** Returns the prompt of a task, with the current interface if it is an edit. */
function promptOf({ request }, { textOf }, start) {
  const current = start.length > 0 ? `The current interface:\n${textOf(start)}\n\n` : "";
  return `${current}${request}\nThe surface id is main.`;
}

/** Diagnostic of a reply that changes nothing. */
const NOTHING = {
  code: "no change",
  severity: "error",
  message: "the reply changes nothing",
  help: "return the interface, and no other text",
};

/** Returns whether a diagnostic makes a reply invalid: an error, or a warning about missing names or wrong types. */
function isRejection({ code, severity }) {
  return severity === "error" || (severity === "warning" && /^CAT|^HAM0(?:28|31|33)$/.test(code));
}

function distinct(diagnostics) {
  const known = new Map(diagnostics.map((one) => [`${one.code} ${one.message}`, one]));
  return [...known.values()];
}
