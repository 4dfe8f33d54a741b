// docs/benchmarks.md, written from the results.
import { grownRows, short } from "./growth.mjs";
import { javascriptSection } from "./javascript.mjs";
import { byMachine, mark, marksOf } from "./machines.mjs";
import { amount, rowsOf, times, two } from "./rows.mjs";
import { startSection } from "./start.mjs";
import { tried } from "./tried.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** The whole page. */
export function page(workloads, results) {
  const parts = [intro];
  for (const [host, title] of Object.entries(hosts)) {
    if (results[host])
      parts.push(
        `## ${title}\n\n${machines(workloads, results, host)}\n\n${table(workloads, results, host)}`,
      );
  }
  parts.push(javascriptSection(workloads, results));
  if (results.start) parts.push(startSection(results.start));
  if (results.growth) parts.push(growth(workloads, results));
  parts.push(tried, method(mostRounds(results)));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

// Fewer are the slow ones'.
function mostRounds({ node, chromium }) {
  const workloads = [node, chromium].flatMap((host) => Object.values(host?.works ?? {}));
  return Math.max(...workloads.flatMap(({ sides }) => Object.values(sides).map((side) => side.rounds)));
}

const intro = `# Benchmarks

How long \`byname\` takes, through its public API, beside the strongest opponents that we know: a store in plain JavaScript tuned for exactly this work
(\`benches/baselines/tuned\`), and the packages that people use. A ratio of 3× means that the opponent takes three times as long; below 1× it is faster
than we are. **Bold** ratios reach the target; targets were set by a prototype and by wishes before there was this package. \`npm run bench\` measures again and writes this page.

"The source's Python" are the functions that the proposal for pflow prints, which [flow](flow.md) follows; what they do less than byname stands at the end.

![Ratios of all works in Node and Chromium; right of the line at 1 byname is faster](benchmarks.svg)`;

function machines(workloads, results, host) {
  const lines = byMachine(workloads, results, host).map(([machine, group], nth) => {
    const line = `${machine}; ${datesOf(group, results[host].works)}.`;
    return nth === 0 ? line : `${mark(nth)} on another one: ${line}`;
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
      const shown = ratio >= target ? `**${times(ratio)}**` : below(ratio, target);
      const [title, mine] =
        at === 0
          ? [`${workload.title}${marks.get(workload.name)}`, amount(ours, workload.unit)]
          : ["", ""];
      const wanted = target === undefined ? "" : `${target.toLocaleString("en")}×`;
      return `| ${title} | ${mine} | ${name} | ${amount(figure, workload.unit)} | ${shown} | ${wanted} |`;
    }),
  );
  return [
    "| work | byname | opponent | takes | ratio | target |",
    "|---|--:|---|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

// A ratio that misses its target by less than two digits tell has three.
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

The same works at a tenth, once and ten times their size, in Node. A tenfold size should take no more than *n* log *n* does,
which is 12 to 13 times as long: the column "times as long" says what it took, and beside that what *n* log *n* would. Where the last step is above *n* log *n* by more than a seventh, which is what
measurements differ by, it is marked **worse**; what is small fits into the caches of the processor, so the first step says less. "JavaScript" is how many times as long the last step takes our opponent in
plain JavaScript, in the same run: where that grows as much, the mark is the machine's. The power is that of the line through the three: time grows as the size to that power. They are measured apart,
by \`npm run bench growth\`: ${runtime}; ${cpu}; ${date}. Between machines, and between hours of one that others use too, figures differ more than ratios.

![Time against size for each work, both scales logarithmic; the dashed line is n log n](benchmarks-growth.svg)

| work | sizes | byname | times as long (*n* log *n*) | | JavaScript | power |
|---|---|---|---|---|--:|--:|
${rows.join("\n")}

What the marks are, looked at with sizes between and beyond those of the table (one that no line explains may be the machine's: measure it again):

- Reading a message is linear. A store that takes 4 MB more than twice what is alive is compacted, and copying that takes less time than reading it: an update at which that is
  due takes so much longer.
- 10,000 rows fit into the second cache of the processor, 2 MB a core here, and 100,000 do not: what touches all of them, or any, takes up to half as long again for each. Since the small sizes have
  become faster, that shows more.
- A graph of a million nodes takes longer to load than ten of a hundred thousand: every edge looks up two ids, and a million of them fit into no cache. They are looked up sixty-four
  edges at a time, so that memory is waited for once for many of them, which took a quarter off.
- \`CONTAINS\` reads the texts that may hold what is looked for, here a tenth of them: those of a hundred thousand nodes are in a cache of the processor, those of a million are waited for, a tenth of a
  microsecond each. graphology takes 11 times as long for ten times as many, and with a million still 4 to 5 times as long as we do.
- A shuffle finds a longest rising sequence, *n* log *n*, and touches every instance in an order that no cache foresees: 10,000 of them fit into the
  second cache of the processor, 2 MB a core here, and 30,000 do not.`;
}

const method = (rounds) => `## How it is measured

- All sides of a work run in turn in one process (Python in one of its own), with young garbage collected before each run. The figures are medians of ${rounds} runs, of
  fewer where a run is slow, after ten that do not count, where the first takes less than 100 ms, else three: engines compile well only what has run often. What takes more than
  three seconds is measured once. Each work has a process, or a page, of its own; the questions to the graph, and then its
  loading, share one. byname and graphology are asked each question ten times a run, for most answers take less than a clock tells well.
- In Node the time is CPU time of the whole process, collector and compiler threads included; in Chromium, where a page cannot ask for
  that, the time of a page that does nothing else.
- Before any timing, each side answers once, and the answers are compared. What is not compared says so in its file in \`benches/work\`.
- Ratios differ by a tenth from run to run on a quiet machine, twice as much or more on a busy one and after fewer rounds, and more where an opponent's do: in five runs of one day CONTAINS was 4.6 to 7.4 times as fast as graphology in Chromium.
- Opponents are used as their documentation says, each at its best. "tuned JS" gives \`JSON.parse\` the whole message and splits a message of one node under 4 kB by
  hand; "cut by hand" cuts every message into its nodes, which is faster and wants the same space everywhere. On the stream "tuned JS" is a push parser, and
  "borders only" looks for the ends of nodes and hands each to \`JSON.parse\`.
- kuzu-wasm runs in its synchronous build with one thread, tables filled by \`COPY\`, prepared statements; like ours, its answers stay in its memory. oxigraph answers in TSV,
  its quickest form, and loads N-Triples that were made of the CSV before the clock ran. graphology and NetworkX answer with lists.
  Before the clock runs byname has found the edges that are grouped, all of them, which takes it a millisecond.
- On flows the source's Python, and "the same in JavaScript", do less than byname: they name outputs that collide, and that is all. They do not check the workflow, see whether a
  name that they make is taken, let those that read find what was renamed (so the workflow no longer means what it did), follow edges, branches, loops and templates, or plan the
  run. "a line, in JavaScript" is what somebody would write for workflows without any of these: it checks ids and types, keeps names apart and wires each read to the last writer,
  and its mappings are compared with all of ours. Each run has a workflow that is new to the core, which would else remember how it named it. "The core alone" is the call into
  WebAssembly with the request as bytes, reading it included. The source leaves open how it finds a node: in a dict, or in its list of nodes. The target is held against the first,
  though to read the request alone takes longer than a tenth of what the Python takes.
- Not measured: the memory of kuzu-wasm and oxigraph, whose modules tell only what they have reserved; NetworkX and the source's Python in Chromium.
- \`npm run bench NAME\` measures the works whose names begin like that, \`npm run bench start\` how soon a page is there, \`npm run bench growth\` all works at three sizes.
- That nothing becomes slower unnoticed is checked by counting, not by time: see \`counts\` in [CONTRIBUTING.md](../CONTRIBUTING.md).`;
