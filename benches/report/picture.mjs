// docs/benchmarks.svg: one line per workload on a logarithmic scale, with a dot for each host and a
// tick for the target.
import { rowsOf, times } from "./rows.mjs";

const left = 400;
const width = 920;
const lineHeight = 26;
const top = 74;
const right = 70;
const hosts = ["node", "chromium"];

/** Returns the picture as SVG for light and dark backgrounds. */
export function picture(workloads, results) {
  const byHost = Object.fromEntries(hosts.map((host) => [host, rowsOf(workloads, results, host)]));
  const shown = workloads.filter((workload) =>
    hosts.some((host) => byHost[host].some((row) => row.workload === workload)),
  );
  const ratios = hosts.flatMap((host) =>
    byHost[host].flatMap(({ baselines: [{ ratio, target = 1 }] }) => [ratio, target]),
  );
  const scale = logScale(Math.min(0.5, ...ratios), Math.max(2, ...ratios));
  const height = top + shown.length * lineHeight + 34;
  const lines = shown.map((workload, at) => line(workload, byHost, scale, top + at * lineHeight));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Ratio of the time of the baseline to that of byname, by workload">
<style>${palette}${style}</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text class="title" x="16" y="26">Time of the baseline as a multiple of the time of byname</text>
${legend()}
${axis(scale, height)}
${lines.join("\n")}
</svg>
`;
}

/** Style sheet of all pictures for light and dark backgrounds. */
export const palette = `
svg {
  --text: #1f2328; --quiet: #59636e; --ground: #ffffff; --grid: #d1d9e0;
  --node: #1a7f37; --chromium: #0969da; --target: #bf8700; --worse: #d1242f;
}
@media (prefers-color-scheme: dark) {
  svg {
    --text: #f0f6fc; --quiet: #9198a1; --ground: #0d1117; --grid: #30363d;
    --node: #3fb950; --chromium: #4493f8; --target: #d29922; --worse: #f85149;
  }
}
text { font: 13px system-ui, sans-serif; fill: var(--text); }
.title { font-weight: 600; font-size: 15px; }
.quiet { fill: var(--quiet); font-size: 11px; }
.ground { fill: var(--ground); }
`;

const style = `
.grid { stroke: var(--grid); }
.one { stroke: var(--quiet); stroke-width: 1.5; }
.slower { fill: var(--worse); fill-opacity: 0.1; }
.node { fill: var(--node); }
.chromium { fill: var(--chromium); }
.target { stroke: var(--target); stroke-width: 2.5; }
.target.chromium { stroke-dasharray: 3 2; }
`;

function legend() {
  return `<circle class="node" cx="22" cy="46" r="5"/><text x="34" y="50">Node</text>
<rect class="chromium" x="87" y="41" width="10" height="10"/><text x="104" y="50">Chromium</text>
<path class="target" d="M190 39v14"/><text x="200" y="50">target (dashed: in Chromium)</text>`;
}

function axis(scale, height) {
  const bottom = height - 26;
  const one = scale(1);
  const grid = scale.ticks.map((value) => {
    const x = scale(value);
    const line = `<path class="${value === 1 ? "one" : "grid"}" d="M${x} ${top - 8}V${bottom}"/>`;
    return `${line}<text class="quiet" x="${x}" y="${bottom + 15}" text-anchor="middle">${times(value)}</text>`;
  });
  const slower = `<rect class="slower" x="${left}" y="${top - 8}" width="${one - left}" height="${bottom - top + 8}"/>`;
  const labels = `<text class="quiet" x="${one - 8}" y="${top - 12}" text-anchor="end">◂ baseline faster</text>
<text class="quiet" x="${one + 8}" y="${top - 12}">byname faster ▸</text>`;
  return [slower, ...grid, labels].join("\n");
}

function line(workload, byHost, scale, y) {
  const middle = y + lineHeight / 2;
  const marks = hosts.map((host) => {
    const row = byHost[host].find((one) => one.workload === workload);
    return row ? mark(row, host, scale, middle) : "";
  });
  return `<text x="${left - 12}" y="${middle + 4}" text-anchor="end">${escaped(workload.title)}</text>${marks.join("")}`;
}

function mark({ workload, baselines: [baseline] }, host, scale, y) {
  const x = scale(baseline.ratio);
  const at = host === "node" ? y - 5 : y + 5;
  const tooltip = `<title>${escaped(workload.title)}, ${host}: ${times(baseline.ratio)} against ${baseline.name}</title>`;
  const dot =
    host === "node"
      ? `<circle class="node" cx="${x}" cy="${at}" r="5">${tooltip}</circle>`
      : `<rect class="chromium" x="${x - 5}" y="${at - 5}" width="10" height="10">${tooltip}</rect>`;
  const { target } = baseline;
  const targetMark = target
    ? `<path class="target ${host}" d="M${scale(target)} ${at - 6}v12"/>`
    : "";
  return targetMark + dot;
}

function logScale(least, most) {
  const [low, high] = [Math.floor(Math.log10(least) * 2) / 2, Math.ceil(Math.log10(most) * 2) / 2];
  const scale = (value) => {
    const part = (Math.log10(value) - low) / (high - low);
    return Math.round(left + part * (width - left - right));
  };
  scale.ticks = [];
  for (let power = Math.ceil(low); power <= high; power++) scale.ticks.push(10 ** power);
  return scale;
}

/** Escapes text for element content. */
export function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
