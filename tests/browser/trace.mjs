// Processor time of the tasks of a page.

/** Maximum duration of a task of the page in milliseconds. */
export const LONGEST_TASK = 50;

/** Returns the processor time in milliseconds of the longest event in the main thread of a page. */
export function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace);
  const mainThreads = traceEvents
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const times = traceEvents
    .filter(({ pid, tid, tdur }) => tdur !== undefined && mainThreads.includes(`${pid} ${tid}`))
    .map(({ tdur }) => tdur / 1000);
  return Math.max(...times);
}

/** Traces a page while a function runs. Returns its result and the longest task. */
export async function traceTasks(browser, page, act) {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  const result = await act();
  return { result, longest: longestTask((await browser.stopTracing()).toString("utf8")) };
}
