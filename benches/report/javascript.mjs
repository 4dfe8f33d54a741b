// The section that says where plain JavaScript is faster, and what to do instead.
import { machineOf, marksOf } from "./machines.mjs";
import { amount, times } from "./rows.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** The section; undefined where nothing of it was measured. */
export function javascriptSection(workloads, results) {
  const lines = workloads
    .filter(({ instead }) => instead !== undefined)
    .flatMap((workload) =>
      Object.keys(hosts).flatMap((host) => linesOf(workload, workloads, results, host)),
    );
  if (lines.length === 0) return undefined;
  return `## Where JavaScript wins

Whatever crosses into WebAssembly or out of it costs something for each call and for each value. So where there is little to do for a call, or where JavaScript holds the
values already, plain JavaScript is faster, and a byname used in that way is the wrong tool. The right half says what to do instead.
Small messages that nobody listens to are level or nearly so. While engines still compile, which they do for the first thousands of messages, all of these take longer than here. Workflows are
mapped more slowly than by JavaScript that checks and follows less, above, and rows that come one by one are mounted more slowly: hand over what comes within a frame as one message.

| work | in | byname | plain JavaScript | ratio | instead | takes | ratio |
|---|---|--:|--:|--:|---|--:|--:|
${lines.join("\n")}`;
}

function linesOf(workload, workloads, results, host) {
  const measured = results[host]?.works ?? {};
  const sides = measured[workload.name]?.sides;
  if (!sides) return [];
  const [ours, theirs] = [sides.byname.median, sides[workload.against].median];
  // What stands in the tables as well is told of only where it is slower.
  if (!workload.section && ours <= theirs) return [];
  // `instead` names another side of the same workload, or another workload.
  const isAlike = (name) =>
    measured[name] && machineOf(measured[name]) === machineOf(measured[workload.name]);
  const others = Object.entries(workload.instead).map(([name, advice]) => ({
    advice,
    takes: (sides[name] ?? (isAlike(name) ? measured[name].sides.byname : undefined))?.median,
  }));
  const better = others.filter(({ takes }) => takes < ours);
  if (better.length === 0) better.push({ advice: "there is nothing quicker", takes: ours });
  return better.map(({ advice, takes }, at) => {
    const told = [
      `${workload.title}${marksOf(workloads, results, host).get(workload.name)}`,
      hosts[host],
      amount(ours),
      `${amount(theirs)} (${workload.against})`,
      times(theirs / ours),
    ];
    const cells = [
      ...(at === 0 ? told : told.map(() => "")),
      advice,
      amount(takes),
      times(theirs / takes),
    ];
    return `| ${cells.join(" | ")} |`;
  });
}
