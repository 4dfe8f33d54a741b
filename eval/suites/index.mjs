// Suites in the order of the page.
import { questionSuite } from "./questions.mjs";
import { uiSuite } from "./ui.mjs";
import { workflowSuite } from "./workflows.mjs";

/**
 * Each suite is `{ name, tasks, formats?, textOf(task), groupOf(task), recorded(task, options), prepare(modules, tasks,
 * options) }`. `recorded` returns a callback with recorded replies, `prepare` the tasks that can run and a function that
 * runs one: `run(task, llm)`.
 */
export const suites = [questionSuite, uiSuite, workflowSuite];
