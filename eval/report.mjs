// Readable table of results.
import { markdownTable } from "./table.mjs";

const COLUMNS = [
  ["task", ({ id }) => id],
  ["right", (result) => (result.isRight ? "yes" : "NO")],
  ["proposals", ({ proposals }) => proposals],
  ["accepted at first", ({ acceptedAtFirst }) => acceptedAtFirst],
  ["repairs", ({ repairs }) => repairs],
  ["replies", ({ replies }) => replies],
  ["tokens in", ({ tokensIn }) => tokensIn],
  ["of prompts", ({ tokensPrompts }) => tokensPrompts],
  ["tokens out", ({ tokensOut }) => tokensOut],
];

/** Returns a Markdown table of results with their sums, the wrong results, and the codes of rejected replies. */
export function reportOf(results, total) {
  const rows = results.map((result) => COLUMNS.map(([, cell]) => String(cell(result))));
  const sums = COLUMNS.map(([, cell]) => String(cell({ ...total, id: "all" })));
  sums[1] = `${total.right} of ${total.tasks}`;
  const table = markdownTable([COLUMNS.map(([name]) => name), ...rows, sums]);
  const wrong = results.filter(({ isRight }) => !isRight).map(wrongResult);
  const codes = codesText(total.codes);
  return [
    ...table,
    ...(wrong.length > 0 ? ["", ...wrong] : []),
    ...(codes === "" ? [] : ["", `codes of rejected replies: ${codes}`]),
  ].join("\n");
}

/** Returns codes with their counts, the most frequent first. */
export function codesText(codes) {
  const sorted = Object.entries(codes).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([code, count]) => `${code} ${count}`).join(", ");
}

function wrongResult({ id, expected, reason }) {
  return `${id}: expected ${expected}, found ${reason}`;
}
