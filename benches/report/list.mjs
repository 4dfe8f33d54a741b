// Section on the list benchmark.
import { operations } from "../data/table.mjs";
import { two } from "./rows.mjs";

/** Sides with a table or the basic catalog, and how they are called. */
const sides = {
  vanilla: "vanilla JavaScript",
  solid: "solid-js",
  react: "react",
  lit: "lit",
  "a2ui-lit": "@a2ui/lit, basic catalog",
  "byname-own": "byname, own row component, `windowAbove: Infinity`",
  "byname-basic": "byname, basic catalog, `windowAbove: Infinity`",
  "byname-own-windowed": "byname, own row component",
  "byname-basic-windowed": "byname, basic catalog",
};

/** Pairs with the same markup. */
const pairs = {
  "byname-basic": { title: "basic catalog", solid: "solid-basic" },
  "byname-own": { title: "own row component", solid: "solid-own" },
};

/** Targets of the second table: the geometric mean, and the largest ratio of one operation. */
const MEAN_TARGET = 1.05;
const MOST_TARGET = 1.25;

/** Returns the section. */
export function listSection({ runtime, date, rounds, times }) {
  const names = Object.keys(times);
  const titles = names.map((name) => operations[name].title);
  const baseline = times[names[0]].solid;
  return `## Lists in the page

${runtime}; ${date}. The nine operations of js-framework-benchmark, keyed: CPU time of the main thread from the start of the operation to the second frame after it, from a trace, so layout and
paint are included. All sides run in turn in one page, and the medians of ${rounds} rounds are compared. A side that takes more than five seconds for a round has three rounds. Rows arrive as JSON text on all sides: byname and
@a2ui/lit receive messages, the others parse the rows. byname uses [list edits](ham.md#rule-26) and deletes the nodes of rows that leave.

Time as a multiple of solid-js with a table (${two(baseline)} ms to ${operations[names[0]].title}); less is faster. By default byname renders only the rows near the viewport
([long lists](surface.md#long-lists)); \`windowAbove: Infinity\` renders all.

| | **mean** | ${titles.join(" | ")} |
|---|--:|${names.map(() => "--:|").join("")}
${Object.keys(sides)
  .map((side) => line(sides[side], ratios(times, side, "solid")))
  .join("\n")}

Of these, the basic catalogs draw other elements than a table: a list item with a text and two buttons. So the second table compares byname with solid-js that draws exactly the same elements, attributes
and styles, with all rows in the document. Targets: a mean of at most ${MEAN_TARGET}, and no operation above ${MOST_TARGET}.

| byname / solid-js with the same elements | **mean** | ${titles.join(" | ")} |
|---|--:|${names.map(() => "--:|").join("")}
${Object.entries(pairs)
  .map(([side, { title, solid }]) => pairLine(title, ratios(times, side, solid)))
  .join("\n")}`;
}

/** Returns the ratio of two sides for each operation. */
function ratios(times, side, other) {
  return Object.values(times).map((one) => one[side] / one[other]);
}

function line(title, values) {
  return `| ${title} | **${mean(values).toFixed(2)}** | ${values.map((value) => value.toFixed(2)).join(" | ")} |`;
}

// Bold values reach their target.
function pairLine(title, values) {
  const all = mean(values);
  const cell = (value, target) => (value <= target ? `**${value.toFixed(2)}**` : value.toFixed(2));
  return `| ${title} | ${cell(all, MEAN_TARGET)} | ${values.map((value) => cell(value, MOST_TARGET)).join(" | ")} |`;
}

/** Returns the geometric mean. */
function mean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
