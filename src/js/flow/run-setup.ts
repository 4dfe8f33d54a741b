import {
  assertCount,
  assertFunction,
  assertKeyedStorage,
  assertOptions,
  assertSignal,
  assertString,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import { requireJsonText } from "../json-text.js";
import { type CallContext, CHILD_FLOW } from "./context.js";
import { assertNameMap, toRequestJson } from "./mappings.js";
import type { FlowBeginOptions, FlowRunOptions } from "./types.js";

const BEGIN_OPTIONS = [
  "inputs",
  "resume",
  "answers",
  "concurrency",
  "maxSteps",
  "maxBytes",
  "order",
];

const RUN_OPTIONS = [
  "nodes",
  "inputs",
  "signal",
  "onEvent",
  "concurrency",
  "maxSteps",
  "maxBytes",
  "resume",
  "onCheckpoint",
  "answers",
  "graceMs",
  "storage",
  "run",
];

/** Checks the options of `begin`, and returns them as JSON text for the core. */
export function toStepwiseSetup(options: FlowBeginOptions): string {
  assertOptions(options, BEGIN_OPTIONS, "the options of `begin`");
  const { order = "fixed" } = options;
  if (order !== "fixed" && order !== "arrival")
    throwExpected("`order`", "`fixed` or `arrival`", order);
  return toRequestJson({ ...commonSetup(options), order, remote: true });
}

/** Checks the options of a run, and returns them as JSON text for the core. */
export function toRunSetup(options: FlowRunOptions, context: CallContext | undefined): string {
  assertOptions(options, RUN_OPTIONS, "the options of `run`");
  const { nodes, signal, onEvent } = options;
  const types = Object.keys(nodes ?? throwMisuse("missing `nodes`"));
  assertOptions(nodes, types, "`nodes`");
  for (const [type, callback] of Object.entries(nodes)) assertFunction(callback, `\`${type}\``);
  if (onEvent !== undefined) assertFunction(onEvent, "`onEvent`");
  if (options.onCheckpoint !== undefined) assertFunction(options.onCheckpoint, "`onCheckpoint`");
  assertSignal(signal);
  assertCount(options.graceMs, "`graceMs`");
  assertStorage(options);
  return toRequestJson({
    ...commonSetup(options),
    types,
    children: childFingerprints(nodes),
    path: context?.path,
    events: onEvent !== undefined || context?.onEvent !== undefined,
    cancelled: signal?.aborted === true,
  });
}

function assertStorage({ storage, run, resume }: FlowRunOptions): void {
  if (storage === undefined && run === undefined) return;
  assertKeyedStorage(storage, "`storage`");
  assertString(run, "`run`");
  if (run === "") throwMisuse("expected `run` to be the id of the run, found an empty string");
  // The storage has the result of another run under this key.
  if (run?.endsWith("/result"))
    throwMisuse("expected `run` not to end with `/result`, the key of a result: rename the run");
  if (resume !== undefined)
    throwMisuse("pass `resume` or `storage`, not both: the storage has the trace of the run");
}

/** Checks the options that all runs have. */
function commonSetup(options: FlowBeginOptions): object {
  const { inputs, answers, resume, concurrency, maxSteps, maxBytes } = options;
  // JSON text of a store that has no trace is `null`; the run would start over.
  if (resume === null)
    throwMisuse("expected `resume` to be a trace, found null: omit it to start a new run");
  for (const [map, name] of [[inputs, "`inputs`"] as const, [answers, "`answers`"] as const]) {
    if (map === undefined) continue;
    assertNameMap(map, name);
    // A promise would serialise as an empty object.
    requireJsonText(map, true);
  }
  assertCount(concurrency, "`concurrency`", 1);
  assertCount(maxSteps, "`maxSteps`");
  assertCount(maxBytes, "`maxBytes`");
  // JSON has no `Infinity`.
  const [maxCalls, steps, bytes] = [concurrency, maxSteps, maxBytes].map(
    (count) => count && Math.min(count, 2 ** 31),
  );
  return { inputs, resume, answers, concurrency: maxCalls, maxSteps: steps, maxBytes: bytes };
}

/** Returns the fingerprints of the workflows that nodes run, by node type. */
function childFingerprints(nodes: FlowRunOptions["nodes"]): { [type: string]: string } {
  const found: { [type: string]: string } = {};
  for (const [type, callback] of Object.entries(nodes)) {
    const flow = (callback as { [CHILD_FLOW]?: { fingerprint: string } })[CHILD_FLOW];
    if (flow) found[type] = flow.fingerprint;
  }
  return found;
}
