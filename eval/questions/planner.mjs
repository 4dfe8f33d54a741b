// Planner of recorded plans. Its answers are read from the prompt, so that they are right only if the prompt contains
// every row that the question needs.

/** Returns a callback for a model that replies with the recorded plans of a question, then with its answer. */
export function recordedPlanner({ id, plans, read }) {
  let next = 0;
  return ({ prompt }) => {
    const plan = plans[next];
    next += 1;
    if (plan === undefined) return `COMPLETE: ${readAnswer(prompt, read).join(", ")}`;
    if (typeof plan === "string") return plan;
    return JSON.stringify({ plan_id: `${id}-${next}`, why: "test the hypothesis", commands: plan });
  };
}

/** Returns the values of a column of a SHOW in a prompt. */
export function readAnswer(prompt, { show, column }) {
  const lines = prompt.split("\n");
  const heading = lines.findLastIndex((line) => line.startsWith(`SHOW ${show}: `));
  if (heading < 0) return readMetrics(lines, show, column);
  const [header, ...rows] = lines.slice(heading + 1).map(cellsOf);
  const at = header?.indexOf(column) ?? -1;
  // The table ends at the first line that has no cells.
  const table = [...rows, undefined];
  return at < 0 ? [] : table.slice(0, table.indexOf(undefined)).map((row) => row[at]);
}

/** Returns the cells of a line, or undefined for other lines. */
function cellsOf(line) {
  if (!line.startsWith("|")) return undefined;
  const cells = [...line.matchAll(/\|((?:[^\\|]|\\.)*)/g)].map(([, cell]) => cell);
  return cells.map((cell) => cell.replaceAll(/\\([\\|])/g, "$1"));
}

/** Returns the values of a column in the metrics of a step, as prompts without tables contain them. */
function readMetrics(lines, show, column) {
  const metrics = lines.findLast((line) => line.includes(`. SHOW ${show} → `)) ?? "";
  const values = metrics.matchAll(
    new RegExp(`"${column}":("(?:[^"\\\\]|\\\\.)*"|[-0-9.e+]+)`, "g"),
  );
  return [...values].map(([, value]) => String(JSON.parse(value)));
}
