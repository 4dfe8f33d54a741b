// Generates docs/benchmarks.md from the results.

import { databasesSection } from "./databases.mjs";
import { designNotes } from "./design-notes.mjs";
import { grownRows, short } from "./growth.mjs";
import { javascriptSection } from "./javascript.mjs";
import { listSection } from "./list.mjs";
import { byMachine, mark, marksOf } from "./machines.mjs";
import { amount, rowsOf, times, two } from "./rows.mjs";
import { startSection } from "./start.mjs";
import { textStreamSection } from "./text-stream.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** Returns the page. */
export function page(workloads, results) {
  const parts = [intro];
  for (const [host, title] of Object.entries(hosts)) {
    if (results[host])
      parts.push(
        `## ${title}\n\n${machines(workloads, results, host)}\n\n${table(workloads, results, host)}`,
      );
  }
  parts.push(javascriptSection(workloads, results));
  if (results.list) parts.push(listSection(results.list));
  if (results.text) parts.push(textStreamSection(results.text));
  if (results.databases) parts.push(databasesSection(results.databases));
  if (results.start) parts.push(startSection(results.start));
  if (results.growth) parts.push(growth(workloads, results));
  parts.push(designNotes, method(mostRounds(results)));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

// Slow workloads have fewer rounds.
function mostRounds({ node, chromium }) {
  const workloads = [node, chromium].flatMap((host) => Object.values(host?.works ?? {}));
  return Math.max(
    ...workloads.flatMap(({ sides }) => Object.values(sides).map((side) => side.rounds)),
  );
}

const intro = `# Benchmarks

Time of \`byname\` through its public API, compared with strong baselines: a plain JavaScript store tuned for exactly these workloads (\`benches/baselines/tuned\`), and widely used
packages. A ratio of 3× means that the baseline takes three times as long; below 1× the baseline is faster. **Bold** ratios reach their target. The targets were set from a prototype
before this package existed. \`npm run bench\` measures again and writes this page.

"The source's Python" is the code in the pflow proposal that [flow](flow.md) follows; the last section lists what it omits.

![Ratios of all workloads in Node and Chromium; byname is faster right of the line at 1](benchmarks.svg)`;

function machines(workloads, results, host) {
  const lines = byMachine(workloads, results, host).map(([machine, group], nth) => {
    const line = `${machine}; ${datesOf(group, results[host].works)}.`;
    return nth === 0 ? line : `${mark(nth)} on another machine: ${line}`;
  });
  return lines.join(" ");
}

function datesOf(workloads, measured) {
  const dates = workloads.map(({ name }) => measured[name].date);
  const [first, last] = [dates.reduce(least), dates.reduce(greatest)];
  return first === last ? first : `${first} to ${last}`;
}

const least = (a, b) => (a < b ? a : b);
const greatest = (a, b) => (a > b ? a : b);

function table(workloads, results, host) {
  const marks = marksOf(workloads, results, host);
  const lines = rowsOf(workloads, results, host).flatMap(({ workload, ours, baselines }) =>
    baselines.map(({ name, figure, ratio, target }, at) => {
      const ratioText = ratio >= target ? `**${times(ratio)}**` : below(ratio, target);
      const [title, bynameTime] =
        at === 0
          ? [`${workload.title}${marks.get(workload.name)}`, amount(ours, workload.unit)]
          : ["", ""];
      const targetText = target === undefined ? "" : `${target.toLocaleString("en")}×`;
      return `| ${title} | ${bynameTime} | ${name} | ${amount(figure, workload.unit)} | ${ratioText} | ${targetText} |`;
    }),
  );
  return [
    "| workload | byname | baseline | time | ratio | target |",
    "|---|--:|---|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

// Shows three digits if two would round the ratio up to its target.
function below(ratio, target) {
  return Number(two(ratio)) >= target ? `${ratio.toPrecision(3)}×` : times(ratio);
}

function growth(workloads, { growth: measured, grown: { runtime, cpu, date } }) {
  const rows = grownRows(workloads, measured).map(
    ({ workload, runs, steps, beside, power, isWorse }) => {
      const figures = runs.map(({ figure }) => amount(figure, workload.unit));
      const sizes = `${runs.map(({ size }) => short(size)).join(", ")} ${workload.of}`;
      const factors = steps.map(({ factor, most }) => `${two(factor)} (${two(most)})`);
      const verdict = isWorse ? "**worse**" : "";
      const script = beside === undefined ? "" : two(beside);
      return `| ${workload.short} | ${sizes} | ${figures.join(", ")} | ${factors.join(", ")} | ${verdict} | ${script} | ${power.toFixed(2)} |`;
    },
  );
  return `## Growth

The workloads at a tenth, once and ten times their size, in Node. *n* log *n* predicts 12 to 13 times as long for ten times the size. The column "factor" shows the measured factors with
those of *n* log *n* in parentheses. A last step more than a seventh above *n* log *n*, which is the variation of measurements, is marked **worse**. Small sizes fit into the processor
caches, so the first step is less meaningful. "JavaScript" is the last factor of the plain JavaScript baseline in the same run: if it grows as much, the machine is the cause. The power is
the slope of the regression line in log-log scale. \`npm run bench growth\` measures this separately: ${runtime}; ${cpu}; ${date}. Absolute times vary more between machines than ratios.

![Time against size of each workload in logarithmic scales; the dashed line is n log n](benchmarks-growth.svg)

| workload | sizes | byname | factor (*n* log *n*) | | JavaScript | power |
|---|---|---|---|---|--:|--:|
${rows.join("\n")}

Causes of the marks (a mark without a cause here may come from the machine, so measure again):

- Parsing is linear. A store that uses 4 MB more than twice its live data is compacted, and that update takes longer.
- 10,000 rows fit into the second-level cache, 2 MB per core here, and 100,000 do not: each row access takes up to half as long again.
- A graph with a million nodes loads more than ten times as slowly as one with 100,000, because each edge looks up two ids in tables that exceed the caches. Look-ups in batches of 64 edges reduced this by a quarter.
- \`CONTAINS\` reads the texts that may match, here a tenth of them: with a million nodes these are not in a cache. graphology has a factor of 11, and with a million nodes still takes 4 to 5 times as long.
- A shuffle computes a longest increasing subsequence in *n* log *n* and accesses the instances in random order. 10,000 instances fit into the second-level cache, 30,000 do not.`;
}

const method = (rounds) => `## Method

- All sides of a workload run in turn in one process (Python in its own), with a collection of the young generation before each run. Values are medians of ${rounds} runs, fewer for slow sides, after
  ten warm-up runs if the first run takes less than 100 ms, else three. A side of more than three seconds is measured once. Each workload has its own process or page, except the graph
  queries and graph loading, which share one. byname and graphology repeat each query ten times per run, because most are too short for the clock.
- In Node the time is CPU time of the process, including garbage collection and compiler threads; in Chromium it is the elapsed time of a page without other work.
- Before the measurement each side runs once and the results are compared. Exceptions are explained in the file in \`benches/workloads\`.
- Ratios vary by a tenth between runs on an idle machine, and by twice as much or more on a busy one. In five runs of one day CONTAINS was 4.6 to 7.4 times as fast as graphology in Chromium.
- Baselines are used as documented, each in its fastest way. "tuned JS" passes complete messages to \`JSON.parse\` and splits a message of one node under 4 kB by hand. "cut by hand" splits
  every message into its nodes, which is faster but depends on uniform white space. For streams "tuned JS" is a push parser, and "borders only" finds the ends of nodes and passes each to \`JSON.parse\`.
- kuzu-wasm runs its synchronous build with one thread, tables filled by \`COPY\` and prepared statements. Its results stay in its memory, like those of byname. oxigraph returns TSV, its
  fastest format, and loads N-Triples that are converted from the CSV before the measurement. graphology and NetworkX return lists. byname selects the edges for grouping before the measurement, which takes about a millisecond.
- For workflows, the source's Python and "the same in JavaScript" only rename colliding outputs. They do not validate the workflow, check that new names are free, update readers (so the workflow changes its
  meaning), follow edges, branches, loops and templates, or plan the run. "a line, in JavaScript" handles workflows without these. It checks ids and types, renames outputs and wires each read to the
  last writer. All its mappings are compared with those of byname. Each run uses a workflow that byname has not cached. "only the core" is the WebAssembly call with the request as bytes, including
  parsing. The source does not specify how a node is found: by a dict, or in its list of nodes. The target refers to the dict, although parsing the request alone takes more than a tenth of the time of the Python code.
- Not measured: the memory of kuzu-wasm and oxigraph, whose modules report only reserved memory; NetworkX and the source's Python in Chromium.
- \`npm run bench NAME\` measures the workloads whose names begin with NAME, and \`npm run bench growth\` all workloads at three sizes. \`npm run bench list\` measures the lists in the page, \`npm run bench text\` the text that streams, and \`npm run bench start\` the page load. \`npm run bench databases\` measures commands over ArcadeDB.
- Regressions are detected by instruction counts, not by time: see \`counts\` in [CONTRIBUTING.md](../CONTRIBUTING.md).`;
