// Readable table of results.

const COLUMNS = [
  ["question", ({ id }) => id],
  ["right", (result) => (result.isRight ? "yes" : "NO")],
  ["plans", ({ plans }) => plans],
  ["accepted at first", ({ acceptedAtFirst }) => acceptedAtFirst],
  ["replies", ({ replies }) => replies],
  ["tokens in", ({ tokensIn }) => tokensIn],
  ["of prompts", ({ tokensPrompts }) => tokensPrompts],
  ["tokens out", ({ tokensOut }) => tokensOut],
];

/** Returns a Markdown table of results with their sums, and the wrong answers. */
export function reportOf(results, total) {
  const rows = results.map((result) => COLUMNS.map(([, cell]) => String(cell(result))));
  const sums = { ...total, id: "all", isRight: true };
  const last = COLUMNS.map(([, cell]) => String(cell(sums)));
  last[1] = `${total.right} of ${total.questions}`;
  const header = COLUMNS.map(([name]) => name);
  const lines = [header, header.map((_, at) => (at === 0 ? "---" : "---:")), ...rows, last];
  const widths = header.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const table = lines.map(
    (line) => `| ${line.map((cell, at) => pad(cell, widths[at], at)).join(" | ")} |`,
  );
  const wrong = results.filter(({ isRight }) => !isRight).map(wrongAnswer);
  return [...table, ...(wrong.length > 0 ? ["", ...wrong] : [])].join("\n");
}

function pad(cell, width, at) {
  if (cell.startsWith("---")) return at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`;
  return at === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function wrongAnswer({ id, status, answer, truth, diagnostics }) {
  const reason = answer === null ? `${status}, ${diagnostics.join("; ")}` : JSON.stringify(answer);
  return `${id}: expected ${JSON.stringify(truth)}, found ${reason}`;
}
