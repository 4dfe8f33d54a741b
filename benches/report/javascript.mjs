// Section on workloads in which plain JavaScript is faster, with alternatives.
import { machineOf, marksOf } from "./machines.mjs";
import { amount, times } from "./rows.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** Returns the section, or undefined without results. */
export function javascriptSection(workloads, results) {
  const lines = workloads
    .filter(({ instead }) => instead !== undefined)
    .flatMap((workload) =>
      Object.keys(hosts).flatMap((host) => linesOf(workload, workloads, results, host)),
    );
  if (lines.length === 0) return undefined;
  return `## Where JavaScript wins

Each call into or out of WebAssembly and each value that crosses the boundary has a cost. If a call does little work, or if JavaScript already has the values, plain JavaScript is
faster. The right half of the table lists alternatives. Small messages without listeners are about equal. During the first thousands of messages, while engines still compile, all times
are longer. Mapping workflows (with more checks than the JavaScript baseline) and mounting rows one by one are slower too: combine the messages of a frame.

| workload | host | byname | plain JavaScript | ratio | alternative | time | ratio |
|---|---|--:|--:|--:|---|--:|--:|
${lines.join("\n")}`;
}

function linesOf(workload, workloads, results, host) {
  const measured = results[host]?.works ?? {};
  const sides = measured[workload.name]?.sides;
  if (!sides) return [];
  const [ours, theirs] = [sides.byname.median, sides[workload.against].median];
  // Workloads of the other tables are listed only if byname is slower.
  if (!workload.section && ours <= theirs) return [];
  // `instead` names another side of the same workload, or another workload.
  const isAlike = (name) =>
    measured[name] && machineOf(measured[name]) === machineOf(measured[workload.name]);
  const others = Object.entries(workload.instead).map(([name, advice]) => ({
    advice,
    takes: (sides[name] ?? (isAlike(name) ? measured[name].sides.byname : undefined))?.median,
  }));
  const better = others.filter(({ takes }) => takes < ours);
  if (better.length === 0) better.push({ advice: "no faster alternative", takes: ours });
  return better.map(({ advice, takes }, at) => {
    const firstCells = [
      `${workload.title}${marksOf(workloads, results, host).get(workload.name)}`,
      hosts[host],
      amount(ours),
      `${amount(theirs)} (${workload.against})`,
      times(theirs / ours),
    ];
    const cells = [
      ...(at === 0 ? firstCells : firstCells.map(() => "")),
      advice,
      amount(takes),
      times(theirs / takes),
    ];
    return `| ${cells.join(" | ")} |`;
  });
}
