import { warningDiagnostic } from "../json-text.js";
import { jsonEqual } from "../json-value.js";
import type { KeyStorage } from "../storage/types.js";
import type { Diagnostic, FlowResult, Json } from "../wire.js";
import type { RunRecord } from "./run.js";
import type { FlowRunOptions } from "./types.js";

/** Workflow of a stored run. */
export interface StoredFlow {
  fingerprint: string;
  run(options: FlowRunOptions, record: RunRecord): Promise<FlowResult>;
  /** Returns a value with secrets in place of their markers. */
  restoreSecrets(value: Json): Json;
}

/**
 * Continues the run that a storage has under an id, or starts it. The trace is stored under the id,
 * the result of a completed run under the id and `/result`.
 */
export async function runStored(flow: StoredFlow, options: FlowRunOptions): Promise<FlowResult> {
  const { storage, run: id } = options as {
    storage: NonNullable<typeof options.storage>;
    run: string;
  };
  const [traces, results] = [storage.at(id), storage.at(`${id}/result`)];
  const [stored, finished] = [await traces.load(), await results.load()];
  const trace = stored?.state;
  if (finished && trace) {
    const result = flow.restoreSecrets(finished.state) as unknown as FlowResult;
    const diagnostics = [...result.diagnostics, ...differenceWarnings(flow, options, trace)];
    return { ...result, trace, diagnostics };
  }
  const record = new StoredRecord(traces, results, stored?.rev ?? null);
  const resumed = trace === undefined ? options : { ...options, resume: trace };
  return flow.run(resumed, record);
}

class StoredRecord implements RunRecord {
  readonly #traces: KeyStorage;
  readonly #results: KeyStorage;
  #rev: string | null;

  constructor(traces: KeyStorage, results: KeyStorage, rev: string | null) {
    this.#traces = traces;
    this.#results = results;
    this.#rev = rev;
  }

  async save(trace: Json): Promise<void> {
    const { rev } = await this.#traces.save(trace, { expectedRev: this.#rev });
    this.#rev = rev;
  }

  async finish(result: Json): Promise<void> {
    const earlier = await this.#results.load();
    await this.#results.save(result, { expectedRev: earlier?.rev ?? null });
  }
}

/** Warns if a completed run had another workflow or other inputs. */
function differenceWarnings(flow: StoredFlow, options: FlowRunOptions, trace: Json): Diagnostic[] {
  const { flow: fingerprint, inputs = {} } = trace as {
    flow?: Json;
    inputs?: { [name: string]: Json };
  };
  const isChanged = ([name, value]: [string, Json]) =>
    !JSON.stringify(inputs[name] ?? null).includes("«secret") &&
    !jsonEqual(value, inputs[name] as Json);
  const names = Object.entries(options.inputs ?? {}).filter(isChanged);
  const found = names.map(([name]) => `another input \`${name}\``);
  if (fingerprint !== flow.fingerprint) found.unshift("another workflow");
  if (found.length === 0) return [];
  const message = `the run \`${options.run}\` was completed with ${found.join(" and ")}`;
  const help = "its stored result is returned; pass another id in `run` to run the workflow again";
  return [warningDiagnostic("FLOW082", message, help)];
}
