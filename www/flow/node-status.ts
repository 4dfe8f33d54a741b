import type { Json } from "byname";
import { briefly, cut } from "../page/format.js";
import type { Shape } from "./diagram.js";
import type { Shown } from "./mapping-view.js";
import type { Call, Run } from "./run.js";

const urgent: readonly Call["state"][] = [
  "running",
  "waiting",
  "failed",
  "stopped",
  "finished",
  "kept",
];

/** What each node shows of a run: how it stands, and the last values. */
export function shownOf(
  run: Pick<Run, "calls" | "result"> | null,
  shape: Shape | null,
): { nodes: Map<string, Shown>; outputs: Map<string, string>; working: Set<string> } {
  const nodes = new Map<string, Shown>();
  const working = new Set<string>();
  const calls = new Map<string, Call[]>();
  for (const call of run?.calls.values() ?? []) {
    calls.set(call.node, [...(calls.get(call.node) ?? []), call]);
    if (call.state === "running" || call.state === "waiting") working.add(call.node);
  }
  for (const [id, list] of calls) nodes.set(id, nodeOf(list));
  const outputs = new Map<string, string>();
  for (const { name } of shape?.outputs ?? []) {
    const value = run?.result?.outputs[name];
    if (value !== undefined) outputs.set(name, words(value));
  }
  return { nodes, outputs, working };
}

function nodeOf(list: readonly Call[]): Shown {
  const passes = Math.max(...list.map(({ pass }) => pass));
  const last = list.filter(({ pass }) => pass === passes);
  const state = urgent.find((one) => last.some((call) => call.state === one)) ?? "finished";
  const attempts = Math.max(...last.map((call) => call.attempts.length));
  const time = last.reduce((sum, { attempts: all }) => sum + (all.at(-1)?.time ?? 0), 0);
  const told = {
    running: "runs",
    waiting: "waits",
    failed: "failed",
    stopped: "stopped",
    finished: passes > 1 ? "" : briefly(time),
    kept: "not done again",
  }[state];
  const more = [
    ...(passes > 1 ? [`pass ${passes}`] : []),
    ...(last.length > 1 ? [`${last.filter((one) => one.outputs).length} of ${last.length}`] : []),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ];
  const values = new Map<string, string>();
  const batch = last.some(({ item }) => item !== null);
  for (const key of new Set(last.flatMap(({ outputs }) => Object.keys(outputs ?? {})))) {
    const all = last.flatMap(({ outputs }) => (outputs?.[key] === undefined ? [] : [outputs[key]]));
    values.set(key, words(batch ? all : (all.at(-1) ?? null)));
  }
  const action = last.at(-1)?.action ?? null;
  return { state, words: [...more, told].filter((one) => one !== "").join(" · "), values, action };
}

function words(value: Json): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value), 120);
}
