import { abortable } from "../abort.js";
import { warningDiagnostic } from "../json-text.js";
import { isJsonObject, type JsonObject, jsonEqualInAnyKeyOrder } from "../json-value.js";
import type { KeyWriter } from "../key-writer.js";
import type { Diagnostic, FlowResult, Json } from "../wire.js";
import type { RunRecord } from "./run.js";
import { writerOf } from "./stored-key.js";
import type { FlowRunOptions } from "./types.js";

/** Workflow of a stored run. */
export interface StoredFlow {
  fingerprint: string;
  run(options: FlowRunOptions, record?: RunRecord): Promise<FlowResult>;
  /** Returns a value with secrets in place of their markers. */
  restoreSecrets(value: Json): Json;
}

/**
 * Continues the run that a storage has under an id, or starts it. The trace is stored under the id,
 * the result of a completed run under the id and `/result`.
 */
export async function runStored(flow: StoredFlow, options: FlowRunOptions): Promise<FlowResult> {
  const { storage, run: id } = options as Required<Pick<FlowRunOptions, "storage" | "run">>;
  const resultId = `${id}/result`;
  // A storage may reject a key. Then no writer is left open.
  const [trace, result] = [storage.at(id), storage.at(resultId)];
  const traces = writerOf(storage, id, trace);
  const results = writerOf(storage, resultId, result);
  try {
    return await continueRun(flow, options, traces, results);
  } finally {
    traces.close();
    results.close();
  }
}

async function continueRun(
  flow: StoredFlow,
  options: FlowRunOptions,
  traces: KeyWriter<Json>,
  results: KeyWriter<Json>,
): Promise<FlowResult> {
  const { signal } = options;
  const loading = (async () => [await traces.load(), await results.load()])();
  const [trace, finished] = await (signal ? abortable(loading, signal) : loading).catch((error) => {
    if (signal?.aborted) return [];
    throw error;
  });
  // A run that was stopped before ends at once.
  if (signal?.aborted && trace === undefined) return flow.run(options);
  if (trace !== undefined && isJsonObject(finished) && isResultOf(finished, trace)) {
    const { checksum: _, ...stored } = finished;
    const result = flow.restoreSecrets(stored) as unknown as FlowResult;
    const diagnostics = [...result.diagnostics, ...differenceWarnings(flow, options, trace)];
    return { ...result, trace, diagnostics };
  }
  const resumed = trace === undefined ? options : { ...options, resume: trace };
  return flow.run(resumed, {
    save: (next) => traces.save(next),
    finish: (result, finalTrace) =>
      results.save({ ...(result as JsonObject), checksum: checksumOf(finalTrace) }),
  });
}

/** Returns whether a stored result is that of a trace, and not of an earlier run. */
function isResultOf({ checksum, diagnostics }: JsonObject, trace: Json): boolean {
  return Array.isArray(diagnostics) && checksum === checksumOf(trace);
}

function checksumOf(trace: Json): Json {
  return (isJsonObject(trace) ? trace["checksum"] : undefined) ?? null;
}

/** Warns if a completed run had another workflow or other inputs. */
function differenceWarnings(flow: StoredFlow, options: FlowRunOptions, trace: Json): Diagnostic[] {
  const { flow: fingerprint, inputs = {} } = trace as {
    flow?: Json;
    inputs?: { [name: string]: Json };
  };
  const isChanged = ([name, value]: [string, Json]) =>
    !JSON.stringify(inputs[name] ?? null).includes("«secret") &&
    !jsonEqualInAnyKeyOrder(value, inputs[name] as Json);
  const names = Object.entries(options.inputs ?? {}).filter(isChanged);
  const found = names.map(([name]) => `another input \`${name}\``);
  if (fingerprint !== flow.fingerprint) found.unshift("another workflow");
  if (found.length === 0) return [];
  const message = `the run \`${options.run}\` was completed with ${found.join(" and ")}`;
  const help = "its stored result is returned; pass another id in `run` to run the workflow again";
  return [warningDiagnostic("FLOW082", message, help)];
}
