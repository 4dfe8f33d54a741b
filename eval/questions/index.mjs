// Questions with their true answers and the recorded plans of each.
import { readFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const answers = read("answers.json");

/**
 * Each question is `{ id, graph, question, answer, truth, plans, read }`. `answer` is `number`, `names` (in any order)
 * or `ranking`. A recorded plan is a list of commands, or a reply that is not a plan. `read` names the variable and the
 * column of the final SHOW that contain the answer.
 */
export const questions = [
  ...read("coast.json").map((question) => ({ graph: "coast", ...question })),
  ...read("flights.json").map((question) => ({ graph: "flights", ...question })),
  ...read("published.json"),
].map((question) => ({ ...question, truth: answers[question.id] }));
