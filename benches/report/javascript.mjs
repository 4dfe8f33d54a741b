// The section that says where plain JavaScript is faster, and what to do instead.
import { amount, times } from "./rows.mjs";

const hosts = { node: "Node", chromium: "Chromium" };

/** The section; undefined where nothing of it was measured. */
export function javascriptSection(works, results) {
  const lines = works
    .filter(({ section }) => section === "javascript")
    .flatMap((work) => Object.keys(hosts).flatMap((host) => linesOf(work, results, host)));
  if (lines.length === 0) return undefined;
  return `## Where JavaScript wins

Whatever crosses into WebAssembly or out of it costs something for each call and for each value. So where there is little to do for a call, or where JavaScript holds the
values already, plain JavaScript is faster, and a byname used in that way is the wrong tool. The right half says what to do instead, measured in the same run.
Small messages are level by now once the code has run often, as it has here, where three sides share it; while engines still compile it, a thousand of them take a fifth longer than in JavaScript.

| work | in | byname | plain JavaScript | ratio | instead | takes | ratio |
|---|---|--:|--:|--:|---|--:|--:|
${lines.join("\n")}`;
}

function linesOf(work, results, host) {
  const sides = results[host]?.works[work.name]?.sides;
  if (!sides) return [];
  const [ours, theirs] = [sides.byname.median, sides[work.against].median];
  return Object.entries(work.instead).map(([name, advice], at) => {
    const told = [
      work.title,
      hosts[host],
      amount(ours),
      `${amount(theirs)} (${work.against})`,
      times(theirs / ours),
    ];
    const takes = sides[name].median;
    const cells = [
      ...(at === 0 ? told : told.map(() => "")),
      advice,
      amount(takes),
      times(theirs / takes),
    ];
    return `| ${cells.join(" | ")} |`;
  });
}
