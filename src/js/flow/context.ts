import type { Hold } from "../hold.js";
import type { FlowResult, Json } from "../wire.js";
import type { StepwiseRun } from "./stepwise.js";
import type { FlowRunOptions } from "./types.js";

/** Key of the {@link CallContext} in the arguments of a call. A copy of the arguments keeps it. */
export const CALL_CONTEXT = Symbol("byname.context");

/** Key of the workflow that a callback runs. */
export const CHILD_FLOW = Symbol("byname.flow");

/** Connection of a call to its run, for a workflow that the node runs. */
export interface CallContext {
  nodes: FlowRunOptions["nodes"];
  /** Run of the call. */
  run: StepwiseRun;
  /** Prefix of node ids in events and messages, as in `parent/`. */
  path: string;
  concurrency: number | undefined;
  graceMs: number | undefined;
  hold: Hold | undefined;
  /** Trace of the child run that is continued. */
  resume: Json | undefined;
  answers: { [node: string]: Json } | undefined;
  /** `undefined` if there is no listener. */
  onEvent: ((event: Json) => void) | undefined;
  /** `undefined` if the host stores no traces. Resolves when the trace is stored. */
  checkpoint: (() => Promise<void>) | undefined;
  /** Registers a function that returns the trace of the child so far, as JSON text. */
  setTraceReader: (read: () => string) => void;
  /** Stops the outermost run with an error of a listener, of storage or of the core. */
  fail: (error: unknown) => void;
}

/** Result of a child run as the response of its node. */
export class ChildOutcome {
  readonly result: FlowResult;

  constructor(result: FlowResult) {
    this.result = result;
  }
}
