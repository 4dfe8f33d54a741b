import { formatCoarseMilliseconds, formatValue } from "../page/format.js";
import type { WorkflowDiagram } from "./diagram.js";
import type { NodeStatus } from "./mapping-view.js";
import { type Call, type Run, reusedStates } from "./run.js";

const statePriority: readonly Call["state"][] = [
  "running",
  "waiting",
  "failed",
  "suspended",
  "handled",
  "stopped",
  "finished",
  "kept",
];

/**
 * Returns the state and last values of each node in a run, for the workflow itself or for the one
 * of the node at a path.
 */
export function runStatus(
  run: Pick<Run, "calls" | "result"> | null,
  diagram: WorkflowDiagram | null,
  path: readonly string[] = [],
): { nodes: Map<string, NodeStatus>; outputs: Map<string, string>; working: Set<string> } {
  const nodes = new Map<string, NodeStatus>();
  const working = new Set<string>();
  const calls = new Map<string, Call[]>();
  const prefix = path.map((id) => `${id}/`).join("");
  const parent = path.join("/");
  let results = run?.result?.outputs ?? {};
  if (path.length > 0) results = {};
  for (const call of run?.calls.values() ?? []) {
    if (path.length > 0 && call.node === parent && call.outputs) results = call.outputs;
    if (call.state === "running" || call.state === "waiting") working.add(call.node);
    if (!call.node.startsWith(prefix)) continue;
    const id = call.node.slice(prefix.length);
    calls.set(id, [...(calls.get(id) ?? []), call]);
  }
  for (const [id, list] of calls) nodes.set(id, nodeStatus(list));
  const outputs = new Map<string, string>();
  for (const { name } of diagram?.outputs ?? []) {
    const value = results[name];
    if (value !== undefined) outputs.set(name, formatValue(value, 120));
  }
  return { nodes, outputs, working };
}

function nodeStatus(list: readonly Call[]): NodeStatus {
  const passes = Math.max(...list.map(({ iteration }) => iteration));
  const last = list.filter(({ iteration: pass }) => pass === passes);
  const state = statePriority.find((one) => last.some((call) => call.state === one)) ?? "finished";
  const attempts = Math.max(...last.map((call) => call.attempts.length));
  const time = last.reduce((sum, { attempts: all }) => sum + (all.at(-1)?.time ?? 0), 0);
  const outcome = {
    running: "running",
    waiting: "waiting",
    suspended: "needs an answer",
    failed: "failed",
    handled: "failed, handled",
    stopped: "stopped",
    finished: passes > 1 ? "" : formatCoarseMilliseconds(time),
    kept: "reused",
  }[state];
  const more = [
    ...(passes > 1 ? [`pass ${passes}`] : []),
    ...(last.length > 1 ? [`${last.filter((one) => one.outputs).length} of ${last.length}`] : []),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ];
  const values = new Map<string, string>();
  const ended = last
    .filter((call) => reusedStates.has(call.state))
    .sort((a, b) => (a.item ?? 0) - (b.item ?? 0));
  const batch = last.some(({ item }) => item !== null);
  for (const key of new Set(last.flatMap(({ outputs }) => Object.keys(outputs ?? {})))) {
    const all = ended.map(({ outputs }) => outputs?.[key] ?? null);
    values.set(key, formatValue(batch ? all : (all.at(-1) ?? null), 120));
  }
  // The action of a batch is the first one that is not `default`.
  const actions = last.flatMap((call) => (call.action === null ? [] : [call.action]));
  const action = actions.find((one) => one !== "default") ?? actions.at(-1) ?? null;
  return {
    state,
    words: [...more, outcome].filter((one) => one !== "").join(" · "),
    values,
    action,
  };
}

/** Returns whether a run has a node of this workflow. */
export function sharesNodes({ calls }: Run, { nodes }: WorkflowDiagram): boolean {
  const ids = new Set(nodes.map(({ id }) => id));
  return [...calls.values()].some(({ node }) => ids.has(node));
}
