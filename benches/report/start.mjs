// The section on how soon a page is there.
import { two } from "./rows.mjs";

const layouts = {
  one: "one text in each row",
  four: "four texts in each row",
  "one at once": "one text in each row, in a page that was not idle",
};
const pages = { bundled: "bundled by Vite", "as files": "the files of `pkg/`, by an import map" };

/** At most this many milliseconds of the main thread until ten thousand rows are painted. */
const PAINT_TARGET = 50;

/** The section. */
export function startSection({ runtime, date, load, rows }) {
  return `## Start-up and first paint

${runtime}; ${date}; headless, from a server on the same machine that sends everything uncompressed.

From the navigation to the first bound element on the screen (first contentful paint), in milliseconds. *Cold* is a new profile, *warm* the fourth visit. The page has nothing
but that element. "Modules" is the time until the first line of the page runs; fetching and compiling the WebAssembly overlap, because it
is compiled while it arrives; "surface" is making one, its messages and mounting it.

| page | | modules | wasm: fetch | compile | instantiate | surface | **on screen after** |
|---|---|--:|--:|--:|--:|--:|--:|
${Object.entries(load).flatMap(loadLines).join("\n")}

What the main thread works (CPU time out of a trace) from 1 MB of text in hand to ten thousand bound rows painted, in a list that keeps only the rows near
the viewport in the document. The page called \`init()\` and was idle for a moment, in which byname has the engine compile what a first message needs
([The first message](install.md#the-first-message)); nothing else has run in it before. The last line is without such a moment. All are medians, which do not add up. Target: less than ${PAINT_TARGET} ms.

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
