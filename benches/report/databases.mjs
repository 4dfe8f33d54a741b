// The section of docs/benchmarks.md about databases.

/** Returns the section with the results of `npm run bench databases`. */
export function databasesSection({ date, cpu, nodes, edges, seconds, results }) {
  const milliseconds = (time) => `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
  const rows = results.map(
    ({ name, adapter, hand, rows: sent, handRows }) =>
      `| ${name} | ${milliseconds(adapter)} | ${milliseconds(hand)} | ${sent} | ${handRows} |`,
  );
  const count = (number) => number.toLocaleString("en");
  return `## Databases

Commands over ArcadeDB by Bolt (\`byname/databases\`), and a hand-written statement for the same rows by \`neo4j-driver\`, over ${count(nodes)} nodes and ${count(edges)} relations. \`loadGraph\` wrote them in ${Math.round(seconds)} s. Rows are those that the database sent for the command; the rows of the variable before it stay in the database.

| command | byname | by hand | rows | rows by hand |
|---|--:|--:|--:|--:|
${rows.join("\n")}

${cpu}, ${date}; medians. Differences below a factor of 2 are noise.
`;
}
