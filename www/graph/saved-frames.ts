import type { ExecutionRecord, Json } from "byname";
import { asRecord } from "../page/json.js";
import { parsePlan } from "./plan.js";
import type { Result } from "./result.js";
import type { Frame, ModelExchange } from "./run.js";
import type { Finding, State } from "./session-state.js";
import { describeStep } from "./step-note.js";

/** Maximum length of the JSON of all states of a saved run. */
const maxStateLength = 2_000_000;

/** Frames and model exchanges as JSON. Results and states that frames share are stored once. */
export function encodeFrames(frames: readonly Frame[], exchanges: readonly ModelExchange[]): Json {
  const results: Result[] = [];
  const indexOf = (result: Result | null): number => {
    if (!result) return -1;
    const known = results.indexOf(result);
    return known >= 0 ? known : results.push(result) - 1;
  };
  const encoded = frames.map(({ state, entry, result, results: named, ...frame }) => ({
    ...frame,
    start: entry?.start ?? -1,
    result: indexOf(result),
    results: [...named.values()].map(indexOf),
    state: state.hash,
  }));
  return {
    version: 1,
    frames: encoded,
    exchanges,
    results: results.map(encodeResult),
    states: encodeStates(frames),
  } as unknown as Json;
}

function encodeResult({ nodes, edges, numbers, ...result }: Result) {
  const columns = [...numbers].map(([name, values]) => [name, [...values]]);
  return { ...result, nodes: [...nodes], edges: [...edges], numbers: columns };
}

/** Returns the states by hash, the latest first, up to the maximum length. */
function encodeStates(frames: readonly Frame[]): { [hash: string]: unknown } {
  const states: { [hash: string]: unknown } = {};
  let length = 0;
  for (const { state } of [...frames].reverse()) {
    if (Object.hasOwn(states, state.hash)) continue;
    const encoded = { variables: state.variables, evidence: [...state.evidence] };
    length += JSON.stringify(encoded).length;
    if (length > maxStateLength) break;
    states[state.hash] = encoded;
  }
  return states;
}

/** State of a step that was too large to be saved. */
const missingState = { "not saved": "The state after this step was too large to be saved." };

export interface SavedFrames {
  frames: Frame[];
  exchanges: ModelExchange[];
}

/** Returns the frames of a saved run. Throws if it is not readable. */
export function decodeFrames(saved: Json): SavedFrames {
  const { version, ...parts } = asRecord(saved);
  if (version !== 1)
    throw new Error("The saved run has an unknown format: delete it and run again");
  const { frames, exchanges, results, states } = parts as unknown as {
    frames: SavedFrame[];
    exchanges: ModelExchange[];
    results: ReturnType<typeof encodeResult>[];
    states: { [hash: string]: { variables: State["variables"]; evidence: [string, Finding[]][] } };
  };
  const allResults = results.map(decodeResult);
  const allStates = new Map<string, State>();
  for (const { state: hash } of frames) {
    const { variables = missingState, evidence = [] } = states[hash] ?? {};
    allStates.set(hash, { hash, variables, evidence: new Map(evidence) });
  }
  const decode = ({ start, state, result, results: named, ...frame }: SavedFrame): Frame => ({
    ...frame,
    entry: parsePlan(frame.text).entries.find((entry) => entry.start === start) ?? null,
    result: allResults[result] ?? null,
    results: new Map(
      named.flatMap((index) => {
        const one = allResults[index];
        return one ? [[one.name, one]] : [];
      }),
    ),
    state: allStates.get(state) ?? { hash: "", variables: {}, evidence: new Map() },
  });
  return { frames: frames.map(decode), exchanges };
}

type SavedFrame = Omit<Frame, "state" | "entry" | "result" | "results"> & {
  start: number;
  state: string;
  result: number;
  results: number[];
};

function decodeResult({
  nodes,
  edges,
  numbers,
  ...result
}: ReturnType<typeof encodeResult>): Result {
  const columns = numbers as [string, [string, number][]][];
  return {
    ...result,
    nodes: new Set(nodes),
    edges: new Set(edges),
    numbers: new Map(columns.map(([name, values]) => [name, new Map(values)])),
  };
}

/** Returns the frames of steps that were stored in the state after the page was saved last. */
export function missedFrames(frames: readonly Frame[], state: Json): Frame[] {
  const { history } = asRecord(state);
  const last = frames.at(-1);
  if (!last || !Array.isArray(history)) return [];
  const lastStep = Math.max(0, ...frames.map(({ record }) => record?.step ?? 0));
  const missed = (history as unknown as ExecutionRecord[]).filter(({ step }) => step > lastStep);
  return missed.map((record) => ({
    ...last,
    kind: "step",
    title: `Step ${record.step}`,
    note: `${describeStep(record, null, "")} The page was closed before it showed the result.`,
    status: record.status,
    entry: null,
    why: "",
    record,
    diagnostics: record.errors ?? [],
    time: null,
  }));
}
