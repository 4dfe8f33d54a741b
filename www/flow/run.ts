import type { Flow, Json, NodeCallback } from "byname";
import type { Storage } from "byname/storage";
import { errorText } from "../page/format.js";
import type { SavedRun } from "../saved/saved-run.js";
import type { FailureHandler } from "./failure-handlers.js";
import { delay } from "./node-callbacks.js";
import { type FlowEvent, type FlowResult, traceName } from "./types.js";

export interface Attempt {
  params: { [name: string]: Json };
  inputs: { [key: string]: Json };
  /** Milliseconds spent in the node; null while it runs. */
  time: number | null;
  error: string | null;
}

/**
 * State of a call. `waiting` is the delay before a retry, and `suspended` waits for an answer.
 * `handled` is a failure that does not fail the run, and `kept` is reused from an earlier run.
 */
export type CallState =
  | "running"
  | "waiting"
  | "suspended"
  | "finished"
  | "failed"
  | "handled"
  | "stopped"
  | "kept";

/** Maximum number of stored checkpoints, as many as the step strip shows. */
const maxCheckpoints = 80;

/** Call of a node in one iteration, and for one item of a batch. */
export interface Call {
  key: string;
  node: string;
  type: string;
  iteration: number;
  item: number | null;
  /** Excerpt of the item, as in diagnostics. */
  excerpt: string | null;
  state: CallState;
  attempts: Attempt[];
  outputs: { [key: string]: Json } | null;
  action: string | null;
  /** Payload of a suspended call. */
  payload: Json;
  /** Whether it has waited for an answer. */
  wasSuspended: boolean;
}

/** Trace of a run after one of its steps, from which the run can be resumed. */
export interface Checkpoint {
  /** Keys of the calls that had ended. */
  ended: Set<string>;
  trace: Json;
}

/** Start of a run that continues another one. */
export interface Continuation {
  previous: Run;
  /** Checkpoint to continue from; the end of the run if missing. */
  checkpoint?: Checkpoint | undefined;
  /** Answers to suspended nodes, by id. */
  answers?: { [node: string]: Json };
}

export interface TimedEvent {
  /** Milliseconds since the run started. */
  at: number;
  event: FlowEvent;
}

export interface RunSetup {
  nodes: { [type: string]: NodeCallback };
  inputs: { [name: string]: Json };
  concurrency: number;
  /** Milliseconds that each call is delayed, so that the user can watch. */
  delay: number;
  /** Nodes with a time limit; not delayed, because the delay would count. */
  timeLimited: ReadonlySet<string>;
  /** Nodes whose failures the workflow handles, by path. */
  handlers: ReadonlyMap<string, FailureHandler>;
  /** Storage of the run; without one it is not saved. */
  saved?: SavedRun | undefined;
}

/** Run of a workflow: calls and events so far, and the result. */
export class Run {
  readonly calls = new Map<string, Call>();
  readonly events: TimedEvent[] = [];
  readonly checkpoints: Checkpoint[] = [];
  result: FlowResult | null = null;
  /** Milliseconds of the run, delays included, and of its nodes alone. */
  time = 0;
  nodeTime = 0;
  /** Answers to suspended nodes so far, in their order. */
  readonly answers: [node: string, value: Json][] = [];
  /** Number of calls reused from an earlier run. */
  reusedCalls = 0;
  readonly setup: RunSetup;
  readonly #onChange: (event: FlowEvent | null) => void;
  readonly #abort = new AbortController();
  readonly #startedAttempts = new Map<string, Attempt[]>();
  #startTime = 0;

  constructor(setup: RunSetup, changed: (event: FlowEvent | null) => void) {
    this.setup = setup;
    this.#onChange = changed;
  }

  get running(): boolean {
    return this.#startTime > 0 && this.result === null;
  }

  get resumable(): boolean {
    return this.result !== null && this.result.status !== "completed";
  }

  /** Returns a run with the calls and the result of a saved run, which can be continued. */
  static restored(calls: readonly Call[], result: FlowResult, saved: SavedRun): Run {
    const setup = {
      nodes: {},
      inputs: {},
      concurrency: 1,
      delay: 0,
      timeLimited: new Set<string>(),
    };
    const run = new Run({ ...setup, handlers: new Map(), saved }, () => {});
    for (const call of calls) run.calls.set(call.key, call);
    run.result = result;
    return run;
  }

  async start(flow: Flow, continuation: Continuation | null): Promise<void> {
    const { inputs, concurrency } = this.setup;
    if (continuation) this.#reuseFinishedCalls(continuation);
    this.#startTime = performance.now();
    const { previous, checkpoint, answers } = continuation ?? {};
    const { saved } = this.setup;
    // A stored run continues from its stored trace.
    const resume = saved ? null : checkpoint ? checkpoint.trace : previous?.result?.trace;
    try {
      this.result = await flow.run({
        nodes: this.#wrapNodes(),
        inputs,
        concurrency,
        signal: this.#abort.signal,
        onEvent: (event) => this.#recordEvent(event),
        onCheckpoint: (trace) => this.#storeCheckpoint(trace),
        ...(resume != null && { resume }),
        ...(saved && { storage: saved.storage as Storage, run: traceName }),
        ...(answers && { answers }),
      });
    } catch (error) {
      const message = errorText(error);
      const diagnostics = [{ code: "run", severity: "error" as const, message }];
      this.result = {
        status: "failed",
        outputs: {},
        store: {},
        waiting: [],
        trace: null,
        diagnostics,
      };
    }
    this.time = performance.now() - this.#startTime;
    for (const call of this.calls.values()) {
      if (call.state === "running" || call.state === "waiting") call.state = "stopped";
    }
    this.#onChange(null);
  }

  stop(): void {
    this.#abort.abort(new Error("cancelled"));
  }

  /** Returns the calls as they were after the last event of one call. */
  callsWhenEnded(key: string): Map<string, Call> {
    let until = this.events.length;
    while (until > 0 && callKey(this.events[until - 1]?.event) !== key) until -= 1;
    const ended = new Set<string>();
    const begun = new Set<string>();
    for (const { event } of this.events.slice(0, until)) {
      begun.add(callKey(event));
      if (endKinds.has(event.kind)) ended.add(callKey(event));
    }
    const calls = [...this.calls].flatMap(([name, call]): [string, Call][] => {
      if (call.state === "kept" || ended.has(name)) return [[name, call]];
      const running: Call = { ...call, state: "running", outputs: null, action: null };
      return begun.has(name) ? [[name, running]] : [];
    });
    return new Map(calls);
  }

  /** Returns the first checkpoint that contains the end of a call, if it is stored. */
  checkpointAfter(key: string): Checkpoint | undefined {
    return this.checkpoints.find(({ ended }) => ended.has(key));
  }

  #storeCheckpoint(trace: Json): void {
    const ended = new Set<string>();
    for (const [key, { state }] of this.calls) if (endStates.has(state)) ended.add(key);
    this.checkpoints.push({ ended, trace });
    if (this.checkpoints.length > maxCheckpoints) this.checkpoints.shift();
  }

  #reuseFinishedCalls({ previous, checkpoint, answers = {} }: Continuation): void {
    const hasEnded = (node: string): boolean =>
      !checkpoint || [...checkpoint.ended].some((key) => previous.calls.get(key)?.node === node);
    this.answers.push(...previous.answers.filter(([node]) => hasEnded(node)));
    this.answers.push(...Object.entries(answers));
    const last = checkpoint ? previous.checkpoints.indexOf(checkpoint) + 1 : undefined;
    for (const { ended, trace } of previous.checkpoints.slice(0, last))
      this.checkpoints.push({ ended: new Set(ended), trace });
    for (const [key, call] of previous.calls) {
      if (checkpoint && !checkpoint.ended.has(key)) continue;
      if (call.state === "suspended") this.calls.set(key, { ...call });
      if (!reusedStates.has(call.state)) continue;
      this.calls.set(key, { ...call, state: "kept" });
      this.reusedCalls += 1;
    }
  }

  #recordEvent(event: FlowEvent): void {
    this.events.push({ at: performance.now() - this.#startTime, event });
    const { node, type, pass, index: item } = event;
    const key = callKey(event);
    const call = this.calls.get(key) ?? {
      key,
      node,
      type,
      iteration: pass,
      item,
      excerpt: event.item,
      state: "running",
      attempts: [],
      outputs: null,
      action: null,
      payload: null,
      wasSuspended: false,
    };
    // A repeated call moves to the end.
    if (event.kind === "started" && event.attempt === 1) this.calls.delete(key);
    this.calls.set(key, call);
    const attempt = call.attempts.at(-1);
    switch (event.kind) {
      case "started": {
        const { params, inputs } = event;
        const next: Attempt = { params, inputs, time: null, error: null };
        call.state = "running";
        // A resumed call counts its attempts from 1.
        if (event.attempt === 1) call.attempts = [];
        if (event.attempt === 1) for (const { ended } of this.checkpoints) ended.delete(key);
        call.attempts.push(next);
        const id = ownId(node);
        this.#startedAttempts.set(id, [...(this.#startedAttempts.get(id) ?? []), next]);
        break;
      }
      case "finished":
        call.state = "finished";
        call.outputs = event.outputs;
        call.action = event.action;
        break;
      case "waiting":
        call.state = "suspended";
        call.payload = event.payload;
        call.wasSuspended = true;
        break;
      case "retried":
        call.state = "waiting";
        if (attempt) attempt.error = errorMessage(event.error);
        break;
      case "failed": {
        const handler = this.setup.handlers.get(node);
        call.state = handler ? "handled" : "failed";
        if (handler === "edge") call.action = "error";
        if (attempt) attempt.error = errorMessage(event.error);
        break;
      }
    }
    // A saved run reports the end of a call after the checkpoint that contains it.
    if (this.setup.saved && endStates.has(call.state)) this.checkpoints.at(-1)?.ended.add(key);
    this.#onChange(event);
  }

  /**
   * Wraps the nodes to measure and delay them. Each call directly follows its event, so attempts
   * match in order.
   */
  #wrapNodes(): { [type: string]: NodeCallback } {
    const timed = (callback: NodeCallback): NodeCallback => {
      const measured: NodeCallback = async (call) => {
        const attempt = this.#startedAttempts.get(ownId(call.id))?.shift();
        const { delay: slow, timeLimited: limited } = this.setup;
        if (slow > 0 && !limited.has(call.id)) await delay(slow, call.signal);
        const start = performance.now();
        try {
          return await callback(call);
        } finally {
          const time = performance.now() - start;
          this.nodeTime += time;
          if (attempt) attempt.time = time;
        }
      };
      // A callback of `subflow` has properties that identify its workflow.
      return Object.assign(measured, callback);
    };
    const { nodes } = this.setup;
    return Object.fromEntries(Object.entries(nodes).map(([type, one]) => [type, timed(one)]));
  }
}

/** Kinds of events that end a call. */
const endKinds: ReadonlySet<string> = new Set(["finished", "failed", "waiting"]);

/** States of calls that have ended. */
const endStates: ReadonlySet<CallState> = new Set([
  "finished",
  "failed",
  "handled",
  "suspended",
  "kept",
]);

/** States of calls that a resumed run reuses. */
export const reusedStates: ReadonlySet<CallState> = new Set(["finished", "handled", "kept"]);

/** Returns the last part of a path like `parent/child`, because a call has no path. */
function ownId(node: string): string {
  return node.split("/").at(-1) ?? node;
}

function callKey(event: FlowEvent | undefined): string {
  return event ? JSON.stringify([event.node, event.pass, event.index]) : "";
}

/** Returns the message of an error, or of the first of several. */
function errorMessage(error: Json): string {
  const [first] = Array.isArray(error) ? error : [error];
  const of = (first ?? {}) as { message?: Json };
  return String(of.message ?? "it failed");
}
