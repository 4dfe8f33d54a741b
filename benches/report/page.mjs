// docs/benchmarks.md, written from the results.
import { amount, rowsOf, times } from "./rows.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** The whole page. */
export function page(works, results) {
  const parts = [intro(results)];
  for (const [host, title] of Object.entries(hosts)) {
    if (results[host])
      parts.push(`## ${title}\n\n${machine(results[host])}\n\n${table(works, results, host)}`);
  }
  if (results.growth) parts.push(growth(works, results.growth));
  parts.push(method);
  return `${parts.join("\n\n")}\n`;
}

function intro(results) {
  const shared = Object.values(results).some((host) => host.machine?.shared);
  const warning = `\n\n**Read these figures as an impression.** The machine was doing other work on all of its cores at the same time.`;
  return `# Benchmarks

How long \`byname\` takes, through its public API, beside the strongest opponents that we know: a store in plain JavaScript tuned for exactly this work
(\`benches/opponents/tuned\`), and the packages that people use. A ratio of 3× means that the opponent takes three times as long; below 1× it is faster
than we are. **Bold** ratios reach the target. \`npm run bench\` measures again and writes this page.${shared ? warning : ""}

![Ratios of all works in Node and Chromium; right of the line at 1 byname is faster](benchmarks.svg)`;
}

function machine({ machine: { runtime, cpu, cores, memory }, works }) {
  const dates = Object.values(works).map(({ date }) => date);
  const [first, last] = [dates.reduce(least), dates.reduce(greatest)];
  return `${runtime}; ${cpu}, ${cores} cores, ${memory}; ${first === last ? first : `${first} to ${last}`}.`;
}

const least = (a, b) => (a < b ? a : b);
const greatest = (a, b) => (a > b ? a : b);

function table(works, results, host) {
  const lines = rowsOf(works, results, host).flatMap(({ work, ours, opponents, target }) =>
    opponents.map(({ name, figure, ratio, isNamed }, at) => {
      const reached = isNamed && target !== undefined && ratio >= target;
      const shown = reached ? `**${times(ratio)}**` : times(ratio);
      const [title, mine] = at === 0 ? [work.title, amount(ours, work.unit)] : ["", ""];
      const wanted = isNamed && target !== undefined ? `${target.toLocaleString("en")}×` : "";
      return `| ${title} | ${mine} | ${name} | ${amount(figure, work.unit)} | ${shown} | ${wanted} |`;
    }),
  );
  return [
    "| work | byname | opponent | takes | ratio | target |",
    "|---|--:|---|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

function growth(works, measured) {
  const rows = works
    .filter(({ name }) => measured[name])
    .map(({ name, title, unit }) => {
      const runs = measured[name];
      const figures = runs.map(
        (run) => `${amount(run.sides.byname, unit)} (${run.size.toLocaleString("en")})`,
      );
      const [first, last] = [runs[0], runs.at(-1)];
      const factor =
        Math.log(last.sides.byname / first.sides.byname) / Math.log(last.size / first.size);
      return `| ${title} | ${figures.join(", ")} | ${factor.toFixed(2)} |`;
    });
  return `## Growth

The same works at a tenth, once and ten times the size, in Node. Time grows as the size to the power in the last column: 1 is linear, and *n* log *n*
looks like 1.1 to 1.2 here.

| work | byname (size) | power |
|---|---|--:|
${rows.join("\n")}`;
}

const method = `## How it is measured

- All sides of a work run in turn in one process (Python in one of its own), with young garbage collected before each run. The figures are medians.
- In Node the time is CPU time of the whole process, collector and compiler threads included; in Chromium, where a page cannot ask for
  that, the time of a page that does nothing else.
- Before any timing, each side answers once, and the answers are compared. What is not compared says so in its file in \`benches/work\`.
- Opponents are used as their documentation says, each at its best.
- \`npm run bench NAME\` measures the works whose names begin like that, \`npm run bench growth\` at three sizes.`;
