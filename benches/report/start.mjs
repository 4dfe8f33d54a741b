// Section on page load.
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
export function startSection({ runtime, date, load, rows }) {
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
${Object.entries(rows).map(rowLine).join("\n")}`;
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
