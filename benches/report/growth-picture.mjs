// docs/benchmarks-growth.svg: one plot per workload with equal logarithmic scales, of time and size
// relative to the first values.
import { logLinear } from "../growth.mjs";
import { grownRows, short } from "./growth.mjs";
import { escaped, palette } from "./picture.mjs";
import { amount } from "./rows.mjs";

const columns = 4;
const cell = { width: 215, height: 160 };
const plot = { left: 14, top: 24, width: 184, height: 104 };
const head = 62;
/** Decades of each axis, and those below the first value. */
const decades = { x: 2, y: 2.8 };
const below = 0.4;

/** Returns the picture as SVG for light and dark backgrounds. */
export function growthPicture(workloads, growth) {
  const rows = grownRows(workloads, growth);
  const width = columns * cell.width + 16;
  const height = head + Math.ceil(rows.length / columns) * cell.height + 8;
  const cells = rows.map((row, at) => {
    const [x, y] = [8 + (at % columns) * cell.width, head + Math.floor(at / columns) * cell.height];
    return `<g transform="translate(${x} ${y})">${small(row)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Growth of the time of each workload with its size">
<style>${palette}${style}</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text class="title" x="16" y="26">Growth of time with size</text>
${legend()}
${cells.join("\n")}
</svg>
`;
}

const style = `
.name { font-size: 11.5px; font-weight: 600; }
.frame { fill: none; stroke: var(--grid); }
.guide { fill: none; stroke: var(--quiet); stroke-dasharray: 4 3; }
.line { fill: none; stroke: var(--node); stroke-width: 2; }
.dot { fill: var(--node); }
.worse .line { stroke: var(--worse); }
.worse .dot { fill: var(--worse); }
`;

function legend() {
  return `<path class="line" d="M18 46h24"/><circle class="dot" cx="30" cy="46" r="3.5"/><text x="50" y="50">byname, in Node</text>
<path class="guide" d="M170 46h28"/><text x="206" y="50">n log n; lower is better</text>
<g class="worse"><path class="line" d="M380 46h24"/><circle class="dot" cx="392" cy="46" r="3.5"/></g><text x="412" y="50">grows faster than n log n</text>
<text class="quiet" x="${columns * cell.width}" y="50" text-anchor="end">logarithmic scales, equal in all plots</text>`;
}

function small({ workload, runs, isWorse }) {
  const [first, last] = [runs[0], runs.at(-1)];
  const at = ({ size, figure }) => [x(size / first.size), y(figure / first.figure)];
  const points = runs.map(at);
  const guide = runs.map(({ size }) => [
    x(size / first.size),
    y(size === first.size ? 1 : logLinear(first.size, size)),
  ]);
  const dots = points.map(([cx, cy]) => `<circle class="dot" cx="${cx}" cy="${cy}" r="3.5"/>`);
  return `<text class="name" x="${plot.left}" y="14">${escaped(workload.short)}</text>
<rect class="frame" x="${plot.left}" y="${plot.top}" width="${plot.width}" height="${plot.height}"/>
<path class="guide" d="${path(guide)}"/>
<g class="${isWorse ? "worse" : "good"}"><path class="line" d="${path(points)}"/>${dots.join("")}</g>
${value(points[0], first, workload, "start")}${value(points.at(-1), last, workload, "end")}
${runs.map(({ size }, place) => tick(size, points[place][0], place)).join("")}`;
}

function value([left, top], { figure }, { unit }, anchor) {
  const above = anchor === "end" ? -7 : 14;
  const y = Math.min(plot.top + plot.height - 4, Math.max(plot.top + 11, top + above));
  const x = anchor === "end" ? left - 2 : left + 5;
  return `<text class="quiet" x="${x}" y="${y}" text-anchor="${anchor}">${amount(figure, unit)}</text>`;
}

function tick(size, x, place) {
  const anchor = ["start", "middle", "end"][place];
  return `<text class="quiet" x="${x}" y="${plot.top + plot.height + 13}" text-anchor="${anchor}">${short(size)}</text>`;
}

function x(times) {
  return Math.round(plot.left + 6 + (Math.log10(times) / decades.x) * (plot.width - 12));
}

function y(times) {
  const part = (Math.log10(times) + below) / (decades.y + below);
  const inside = Math.min(1, Math.max(0, part));
  return Math.round(plot.top + plot.height - inside * plot.height);
}

function path(points) {
  return points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");
}
