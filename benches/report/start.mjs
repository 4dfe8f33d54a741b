// Section on page load.
import { bynameText } from "../start/agent.mjs";
import { model } from "../start/slow-server.mjs";
import { two } from "./rows.mjs";

const layouts = {
  one: "one text in each row",
  four: "four texts in each row",
  "one at once": "one text in each row, in a page that was not idle",
};
const pages = { bundled: "bundled by Vite", "as files": "the files of `pkg/`, by an import map" };

/** Target in milliseconds of main-thread CPU time until ten thousand rows are painted. */
const PAINT_TARGET = 50;

/** Returns the section. */
export function startSection({ runtime, date, load, rows, elements }) {
  return `## Start-up and first paint

${runtime}; ${date}; headless, from a server on the same machine, uncompressed.

Milliseconds from the navigation to the first bound element on the screen (first contentful paint), in a page with only that element. *Cold* is a new profile, *warm* the fourth visit.
"Modules" is the time until the first line of the page runs. Fetching and compiling the WebAssembly overlap. "Surface" is creating and mounting a surface with its messages.

| page | | modules | wasm: fetch | compile | instantiate | surface | **on screen after** |
|---|---|--:|--:|--:|--:|--:|--:|
${Object.entries(load).flatMap(loadLines).join("\n")}

CPU time of the main thread, from a trace, from 1 MB of text to ten thousand painted rows in a virtual list. The page called \`init()\` and was idle for a moment, in which byname
compiles the code of a first message ([The first message](install.md#the-first-message)); no other code of byname has run before. The last line is without that moment. All values are medians, which do not add up. Target: less than ${PAINT_TARGET} ms.

| 10,000 rows | read and bound | mounted | layout | paint | **all** |
|---|--:|--:|--:|--:|--:|
${Object.entries(rows).map(rowLine).join("\n")}${elements ? `\n\n${elementSection(elements)}` : ""}`;
}

/** Titles of the pages of the first element. */
const elementPages = {
  byname: "byname/ham, byname/dom, byname/messages",
  lit: "@a2ui/lit",
  react: "@a2ui/react",
};

/** Targets as multiples of the time of @a2ui/lit: at least with a model, at most without. */
const AGENT_TARGET = 1.5;
const PAGE_TARGET = 1.15;

function elementSection({ agent, page, bytes }) {
  const lines = Object.entries(elementPages).map(
    ([name, title]) =>
      `| ${title} | ${Math.round(bytes[name] / 1000)} | ${two(agent[name])} | ${two(page[name])} |`,
  );
  const earlier = agent.lit / agent.byname;
  const later = page.byname / page.lit;
  const marked = (text, isReached) => (isReached ? `**${text}**` : text);
  return `Milliseconds from the navigation to the title of a page with ${two(bynameText.length / 1000)} kB of messages, on a network with 10 Mbit/s and 40 ms of latency; new profile, bundled by Vite, files compressed with Brotli.
*With a model* the messages stream: after ${model.first} ms, ${model.chunk} characters every ${model.between} ms. All pages ask the agent in a script before their code has loaded, and that of byname preloads the WebAssembly
([Load early](install.md#load-early)). *Without* the page contains the messages. A2UI renders complete messages, byname complete components.

| page | kB of code | with a model | without |
|---|--:|--:|--:|
${lines.join("\n")}

byname is ${marked(`${two(earlier)} times as early`, earlier >= AGENT_TARGET)} as @a2ui/lit with a model (target: ${AGENT_TARGET}), and takes ${marked(`${two(later)} times as long`, later <= PAGE_TARGET)} without (target: at most ${PAGE_TARGET}).`;
}

function loadLines([page, visits]) {
  return Object.entries(visits).map(([visit, times]) => {
    const parts = ["modules", "fetch", "compile", "instantiate", "surface", "painted"];
    const cells = parts.map((name) => two(times[name]));
    return `| ${visit === "cold" ? pages[page] : ""} | ${visit} | ${cells.join(" | ")} |`;
  });
}

function rowLine([layout, { read, mount, layout: laidOut, paint, total }]) {
  const all = total < PAINT_TARGET ? `**${two(total)} ms**` : `${two(total)} ms`;
  const cells = [read, mount, laidOut, paint].map((value) => `${two(value)} ms`);
  return `| ${layouts[layout]} | ${cells.join(" | ")} | ${all} |`;
}
