// docs/benchmarks.md, written from the results.
import { grownRows, short } from "./growth.mjs";
import { javascriptSection } from "./javascript.mjs";
import { amount, rowsOf, times, two } from "./rows.mjs";
import { startSection } from "./start.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** The whole page. */
export function page(works, results) {
  const parts = [intro(results)];
  for (const [host, title] of Object.entries(hosts)) {
    if (results[host])
      parts.push(`## ${title}\n\n${machine(results[host])}\n\n${table(works, results, host)}`);
  }
  parts.push(javascriptSection(works, results));
  if (results.start) parts.push(startSection(results.start));
  if (results.growth) parts.push(growth(works, results.growth));
  parts.push(failed, method(mostRounds(results)));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

// Fewer are the slow ones'.
function mostRounds({ node, chromium }) {
  const works = [node, chromium].flatMap((host) => Object.values(host?.works ?? {}));
  return Math.max(...works.flatMap(({ sides }) => Object.values(sides).map((side) => side.rounds)));
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
  const lines = rowsOf(works, results, host).flatMap(({ work, ours, opponents }) =>
    opponents.map(({ name, figure, ratio, target }, at) => {
      const shown = ratio >= target ? `**${times(ratio)}**` : times(ratio);
      const [title, mine] = at === 0 ? [work.title, amount(ours, work.unit)] : ["", ""];
      const wanted = target === undefined ? "" : `${target.toLocaleString("en")}×`;
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
  const rows = grownRows(works, measured).map(({ work, runs, steps, power, isWorse }) => {
    const figures = runs.map(({ figure }) => amount(figure, work.unit));
    const sizes = `${runs.map(({ size }) => short(size)).join(", ")} ${work.of}`;
    const factors = steps.map(({ factor, most }) => `${two(factor)} of ${two(most)}`);
    const verdict = isWorse ? "**worse**" : "";
    return `| ${work.short} | ${sizes} | ${figures.join(", ")} | ${factors.join(", ")} | ${power.toFixed(2)} | ${verdict} |`;
  });
  return `## Growth

The same works at a tenth, once and ten times their size, in Node, ours alone. A tenfold size should take no more than *n* log *n* does,
which is 12 to 13 times as long: the column "times as long" says what it took, of what *n* log *n* would. The power is that of the line through the
three: time grows as the size to that power. Where the last step is above *n* log *n* by more than a seventh, which is what measurements differ by, it is
marked **worse**; what is small fits into the caches of the processor, so the first step says less. They are measured apart,
by \`npm run bench growth\`, and may be older than the tables above.

![Time against size for each work, both scales logarithmic; the dashed line is n log n](benchmarks-growth.svg)

| work | sizes | byname | times as long | power | |
|---|---|---|---|--:|---|
${rows.join("\n")}

What the marks are, looked at with sizes between and beyond those of the table:

- Reading a message is linear. A store that takes 4 MB more than twice what is alive is compacted, and copying that takes less time than reading it: an update at which that is
  due takes so much longer.
- 10,000 rows fit into the second cache of the processor, 2 MB a core here, and 100,000 do not: what touches all of them, or any, takes up to a quarter longer for each. Since the small sizes have
  become faster, that shows more.
- A graph of a million nodes takes longer to load than ten of a hundred thousand: every edge looks up two ids, and a million of them fit into no cache. They are looked up sixty-four
  edges at a time, so that memory is waited for once for many of them, which took a quarter off.
- A shuffle finds a longest rising sequence, *n* log *n*, and touches every instance in an order that no cache foresees: 10,000 of them fit into the
  second cache of the processor, 2 MB a core here, and 30,000 do not.`;
}

const failed = `## What did not help

- A proxy in place of the children of a long list: it cannot be cloned, and a console shows what stands behind it. A getter can.
- The measured height of a row as a field of that row: ten thousand objects of one kind become objects of another when the first of them holds a fraction, which took 18 ms of the
  first paint. The few that are measured stand in a table of their own.
- Fewer rows in JavaScript make the first paint a third to a half shorter, and no more: what was left was mostly WebAssembly that ran for the first time,
  with no function that stood out. Since then an idle page has it compiled ahead.
- To hold back the beginning of a row that a piece of a stream ends in, and to read it at a glance with the next piece: an eighth fewer instructions, a twenty-fifth of the time.
- Functions with one caller put back where they are called, by wasm-opt: engines compile them no sooner, and the module is a fifteenth larger. Hints of which functions to
  compile first (\`metadata.code.compilation_priority\`): Chromium does not heed them.
- The names of nodes right behind what is known of them, so that looking one up waits for one place in memory and not for two: a shuffle took a tenth longer, at 10,000 rows and at 100,000.
- Two lists of numbers compared in blocks of sixteen: no faster than one by one, for 64 bytes are compared by a call to \`memcmp\`, byte by byte. Blocks of 32 bytes are compared as two
  vectors, and take a third of the time.
- To let rows keep their keys to themselves for every listener: the first change of a row took a microsecond longer, and a thousand updates half as long again. Only the renderer is
  told of rows that nobody has looked at; whoever else subscribes has all keys from then on.
- All of the core compiled for speed, and not for size as everything but HAM is: 10,000 flow nodes took a quarter less, and the module is a fifth larger.
- Items of two lists, which have three numbers each, compared eight at a time: no fewer instructions than one by one. What helped with long lists is not to read again what is written as it
  was before, and to walk through each as seldom as can be.
- Small functions put in where they are called by wasm-opt, up to ten times the size that it takes for small: a thousand updates, a stream and 10,000 flow nodes take 3 to 10 % less, and the module is a twentieth
  larger.
- \`base\` compiled like HAM: nothing that could be measured, for 7 kB more. What did help for 0.2 kB is to compile \`memchr\` for speed: its loops called a function for each vector.
- Changes to the glue that wasm-bindgen writes, by patterns over its text: 0.8 kB of JavaScript less, to be found anew with each of its versions.
- A loop in place of the encoder for messages of up to 96 letters in Node: a tenth slower on a stream of 64-byte pieces.
- What did help an update: a short way of its own for rows that come again, one function where there were a hundred. An update takes 0.75 µs where it took 1.2 once all is compiled, and a third less in a
  new store, where most of it is waiting for memory. To look for who shows a row before the row is read, so that both are waited for at once, takes a twentieth off. Half of the objects that JavaScript
  made for an update made no difference that could be measured.
- What did help a stream: pieces that nobody looks at are joined, and read when somebody does. To find in each of them which bytes are beyond ASCII took as long as reading it, until sixteen were looked at at
  once. To find where each of the joined pieces ends, in bytes, took a sixth of all the time with pieces of a kilobyte, as soon as there was an \`é\` among them, letter by letter behind it: what a profile
  of native code, or of a text in ASCII, does not show. Pieces of which nothing is to be said, which is looked at for all of them first, need no more than their nodes set and a step of undo, and the nodes
  that a stream has set are a bit each: a seventh less with pieces of 64 bytes, a tenth with a kilobyte.
- Profile-guided optimisation, with counters read from the memory of an instrumented module after the works of this page: a thousand updates a third faster, 10,000 flow nodes as well, a stream a
  seventh, for 540 kB instead of 424; with everything compiled for size or for speed as it is now, a tenth faster for 40 kB. There is no way to tell rustc to compile for size what is cold.
- What did help strings: where one ends is looked for sixteen bytes at a time, and the last bytes together with those before them. 10,000 flow nodes take a seventh less; elsewhere it is hardly measured.
- What did help flow nodes: the known parts of a node are taken without a call for each token, the names of types are made once, and a name that is made is looked up once. 10,000 nodes take an eighth less.
  After that a fifth less: the names of all nodes stand in one list, who keeps a name that collides is noted while names are made, types are told apart by where their names stand, tables have their room at once, and
  small functions on the way are written out where they are called. All of the mapping compiled for speed had taken a fifth off as well, for 18 kB, before that; what is left is spread over a hundred functions.
- What did help a \`CONTAINS\`: two of its letters are looked for, the two that texts have most seldom, first in which blocks of 64 places they may stand, without a jump that depends on it, and then where
  in them. It takes a tenth less than memchr's search where case counts, and a quarter of what it took with \`v\` and \`V\` looked for one by one where it does not; one search for both leaves 3 kB out of the module.
  A single letter that stands in every text six times takes half as long again. The vectors are made of two halves, which compiles to one load and needs no \`unsafe\`.
- And which pairs of letters each text has, sixty-four kinds of them, a bit each: texts without the pairs that are looked for are not read. To find nothing among 100,000 takes 0.09 ms where it took 0.36, to find
  10,000 of them 0.46 where it took 0.7 (0.87 ignoring case); what is left is waiting for the texts that have it. It costs eight bytes a text, nothing that could be measured when a graph is loaded, and helps
  where texts have 24 to 128 bytes on average: longer ones have most kinds of pairs, and have no such bits. To look at the first blocks of sixty-four likely texts before what is in them was slower.
- What did help updates: HAM at \`opt-level = 2\`, where \`s\` is a tenth slower. Without loops unrolled or made into vectors, and with fewer of the functions marked \`#[inline]\` put in, the module is 10 kB smaller,
  reading and updates as bytes a twentieth slower, and a shuffle a tenth: not worth three dials.
- What did help large messages: a message of 64 kB or more leaves room for one like it, so that what is there is not moved for the next one (a tenth less; a thousand updates behind it take up to a twentieth longer, for the room
  is cold), and what is short is copied word by word: \`memory.copy\` is a call out of WebAssembly, at ten nanoseconds each. The values of a map are put where they stay, and \`true\` is compared as one number.
- What did help browsers: their decoder takes half a microsecond for a text of twenty letters that stands in the memory of the WebAssembly, a loop over its bytes a fifth of that, and texts with letters such as
  \`é\` are written by a loop as plain ones were. In Chromium updates take about a tenth less. Node calls both faster than a loop is.
- What did help bursts: the rows of a message are looked up sixty-four at a time, 6 to 10 % less, and to touch the old values of those rows as well, for nothing but to have them near, another 8 %. A row that comes twice among them had all of them read again. To sort the fifty by sinking each to its place, and not by a heap, made no difference.
- What did help numbers of sixteen digits and more, which divisions leave: one exact division of 128 bits by 64 in place of one bit after the other, and a product in place of a long division to write them. A
  megabyte of rows with such a number each is read in 1.9 ms where it took 7.8, and without tables the module is no larger. No row of this page has such numbers, so it was not seen here.
- What did help messages that are not compact ASCII, which one row of this page shows: a map is compared with the keys of the last one as that was spaced (\`json.dumps\` and pretty print put space in), texts with escapes are
  taken on the same way, letters beyond ASCII do not stop the search for the end of a text, numbers of a list are read in one go, and eight digits at once. The same 10,000 rows with space take 1.6 ms where they took 3.0,
  Chinese 2.7 (6.5), with \`\\u\` escapes 4.4 (9.7), with \`\\n\` and \`\\"\` 3.1 (4.7), 200,000 integers in lists 2.4 (4.5); small updates with space or escapes half as long. That is 4.3 kB more of WebAssembly.
- What did help a store that is new: the memory that a message is written into is one for all stores, what reading takes is given back, and a large message leaves room for one like it. An
  untouched page of memory costs two microseconds when it is first written; a first megabyte touches 660 of them where it touched 1,020.
- What did help bytes in small pieces: they wait for somebody who looks, as pieces of text do, and are read together: a megabyte in pieces of 64 bytes takes 6 ms where it took 10.
- All of the module compiled for speed (\`opt-level = 3\`, functions put in as usual): a thousand updates a fifth faster, a stream a quarter, 10,000 flow nodes a third, for 670 kB instead of 416.
- Small functions on the way of an update, fifty of them, written out where they are called: a thousand updates a seventh faster, for 2.5 kB more of WebAssembly. All of HAM compiled
  for speed gives as much for 23 kB.
- Room for ten thousand instances made at once, as it is made for the nodes of a large message: no difference that could be measured.
- The pointers of a long list looked up 64 at a time, as the ends of edges are: a quarter slower with 10,000, and no faster with 100,000.
- A hash table of our own for ids, with the whole hash beside the number: as fast as hashbrown, which then stayed. One kind of entry for all its uses makes the module 2 kB smaller.
- What did help: no function is made for each update of a surface, or for each stream. What V8 compiles of such functions is lost with the surface or the stream that they belong to, and was compiled
  again for the next one, on another thread, whose time counts too: a third of that of an update.`;

const method = (rounds) => `## How it is measured

- All sides of a work run in turn in one process (Python in one of its own), with young garbage collected before each run. The figures are medians of ${rounds} runs, of
  fewer where a run is slow, after ten that do not count, where one takes less than 30 ms, else three: engines compile well only what has run often. What takes more than
  three seconds is measured once. Each work has a process, or a page, of its own; the questions to the graph, and then its
  loading, share one. byname and graphology are asked each question ten times a run, for most answers take less than a clock tells well.
- In Node the time is CPU time of the whole process, collector and compiler threads included; in Chromium, where a page cannot ask for
  that, the time of a page that does nothing else.
- Before any timing, each side answers once, and the answers are compared. What is not compared says so in its file in \`benches/work\`.
- Ratios differ by a tenth from run to run, and more where an opponent's do: in five runs of one day CONTAINS was 4.6 to 7.4 times as fast as graphology in Chromium.
- Opponents are used as their documentation says, each at its best. "tuned JS" gives \`JSON.parse\` the whole message and splits a message of one node under 4 kB by
  hand; "cut by hand" cuts every message into its nodes, which is faster and wants the same space everywhere. On the stream "tuned JS" is a push parser, and
  "borders only" looks for the ends of nodes and hands each to \`JSON.parse\`.
- kuzu-wasm runs in its synchronous build with one thread, tables filled by \`COPY\`, prepared statements; like ours, its answers stay in its memory. oxigraph answers in TSV,
  its quickest form, and loads N-Triples that were made of the CSV before the clock ran. graphology and NetworkX answer with lists.
- On flows the source's Python, and "the same in JavaScript", do less than byname: they name outputs that collide, and that is all. They do not check the workflow, see whether a
  name that they make is taken, let those that read find what was renamed (so the workflow no longer means what it did), follow edges, branches, loops and templates, or plan the
  run. "a line, in JavaScript" is what somebody would write for workflows without any of these: it checks ids and types, keeps names apart and wires each read to the last writer,
  and its mappings are compared with all of ours. Each run has a workflow that is new to the core, which would else remember how it named it. "The core alone" is the call into
  WebAssembly with the request as bytes, reading it included. The source leaves open how it finds a node: in a dict, or in its list of nodes. The target is held against the first.
- Not measured: the memory of kuzu-wasm and oxigraph, whose modules tell only what they have reserved; NetworkX and the source's Python in Chromium.
- \`npm run bench NAME\` measures the works whose names begin like that, \`npm run bench start\` how soon a page is there, \`npm run bench growth\` all works at three sizes.
- That nothing becomes slower unnoticed is checked by counting, not by time: see \`counts\` in [CONTRIBUTING.md](../CONTRIBUTING.md).`;
