// Runs the tasks of a suite with a model, and sums the results.

/** Numbers of a result that are summed. */
const SUMMED = [
  "isRight",
  "proposals",
  "acceptedAtFirst",
  "repairs",
  "replies",
  "isTooLong",
  "tokensIn",
  "tokensPrompts",
  "tokensOut",
  "milliseconds",
];

/**
 * Runs prepared tasks one after the other. `llmOf(task)` returns the callback of the model, `onResult` receives each
 * result: `{ id, isRight, proposals, acceptedAtFirst, repairs, replies, tokensIn, tokensPrompts, tokensOut, codes,
 * isTooLong, milliseconds, reason, expected }`. A proposal is a plan, an interface or a workflow, with its repairs.
 */
export async function runTasks({ tasks, run }, { llmOf, onResult = () => {} }) {
  const results = [];
  for (const task of tasks) {
    const begin = performance.now();
    const result = await run(task, llmOf(task));
    const milliseconds = Math.round(performance.now() - begin);
    results.push({ id: task.id, ...result, milliseconds });
    onResult(results.at(-1));
  }
  return results;
}

/** Returns the sums of all results. */
export function summarize(results) {
  const total = { tasks: results.length };
  for (const key of SUMMED)
    total[key] = results.reduce((sum, result) => sum + Number(result[key] ?? 0), 0);
  const { isRight: right, isTooLong: tooLong, ...sums } = total;
  const codes = {};
  for (const result of results)
    for (const [code, count] of Object.entries(result.codes))
      codes[code] = (codes[code] ?? 0) + count;
  return { ...sums, right, tooLong, codes };
}
