// Markdown tables with aligned columns.

/** Returns the lines of a table: the first row is its header, and all columns but the first are numbers. */
export function markdownTable([header, ...rows], { textColumns = [0] } = {}) {
  const isText = header.map((_, at) => textColumns.includes(at));
  const rules = header.map((_, at) => (isText[at] ? "---" : "---:"));
  const lines = [header, rules, ...rows];
  const widths = header.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (cell, at) => {
    if (cell.startsWith("---"))
      return cell.replace("---", "-".repeat(widths[at] - cell.length + 3));
    return isText[at] ? cell.padEnd(widths[at]) : cell.padStart(widths[at]);
  };
  return lines.map((line) => `| ${line.map(pad).join(" | ")} |`);
}
