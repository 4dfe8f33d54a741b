// docs/benchmarks.svg: one line a work on a logarithmic scale, a dot for each host, a tick for the target.
import { rowsOf, times } from "./rows.mjs";

const left = 330;
const width = 860;
const lineHeight = 26;
const top = 74;
const right = 70;
const hosts = ["node", "chromium"];

/** The picture as SVG, readable on light and on dark ground. */
export function picture(works, results) {
  const byHost = Object.fromEntries(hosts.map((host) => [host, rowsOf(works, results, host)]));
  const shown = works.filter((work) =>
    hosts.some((host) => byHost[host].some((row) => row.work === work)),
  );
  const ratios = hosts.flatMap((host) =>
    byHost[host].flatMap(({ opponents, target }) => [opponents[0].ratio, target ?? 1]),
  );
  const scale = logScale(Math.min(0.5, ...ratios), Math.max(2, ...ratios));
  const height = top + shown.length * lineHeight + 34;
  const lines = shown.map((work, at) => line(work, byHost, scale, top + at * lineHeight));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="How many times faster byname is than its opponent, by work">
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text class="title" x="16" y="26">How many times as long the opponent takes</text>
${legend()}
${axis(scale, height)}
${lines.join("\n")}
</svg>
`;
}

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; font-size: 15px; }
.quiet { fill: #59636e; font-size: 11px; }
.ground { fill: #ffffff; }
.grid { stroke: #d1d9e0; }
.one { stroke: #59636e; stroke-width: 1.5; }
.slower { fill: #d1242f; fill-opacity: 0.07; }
.node { fill: #1a7f37; }
.chromium { fill: #0969da; }
.target { stroke: #bf8700; stroke-width: 2.5; }
.target.chromium { stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .quiet { fill: #9198a1; }
  .ground { fill: #0d1117; }
  .grid { stroke: #30363d; }
  .one { stroke: #9198a1; }
  .slower { fill-opacity: 0.14; }
  .node { fill: #3fb950; }
  .chromium { fill: #4493f8; }
  .target { stroke: #d29922; }
}
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
  const words = `<text class="quiet" x="${one - 8}" y="${top - 12}" text-anchor="end">◂ opponent faster</text>
<text class="quiet" x="${one + 8}" y="${top - 12}">byname faster ▸</text>`;
  return [slower, ...grid, words].join("\n");
}

function line(work, byHost, scale, y) {
  const middle = y + lineHeight / 2;
  const marks = hosts.map((host) => {
    const row = byHost[host].find((one) => one.work === work);
    return row ? mark(row, host, scale, middle) : "";
  });
  return `<text x="${left - 12}" y="${middle + 4}" text-anchor="end">${escaped(work.short ?? work.title)}</text>${marks.join("")}`;
}

function mark({ work, opponents: [opponent], target }, host, scale, y) {
  const x = scale(opponent.ratio);
  const at = host === "node" ? y - 5 : y + 5;
  const told = `<title>${escaped(work.title)}, ${host}: ${times(opponent.ratio)} against ${opponent.name}</title>`;
  const dot =
    host === "node"
      ? `<circle class="node" cx="${x}" cy="${at}" r="5">${told}</circle>`
      : `<rect class="chromium" x="${x - 5}" y="${at - 5}" width="10" height="10">${told}</rect>`;
  const wanted = target ? `<path class="target ${host}" d="M${scale(target)} ${at - 6}v12"/>` : "";
  return wanted + dot;
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

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
