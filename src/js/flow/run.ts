import { abortable, anySignal, deadline, inTime, sleep } from "../abort.js";
import type { CompiledFlow } from "../byname_bg.js";
import { errorMessage } from "../errors.js";
import { holdOf } from "../hold.js";
import { warningDiagnostic } from "../json-text.js";
import {
  type Effect,
  GRACE_MS,
  type RunningTask,
  runTask,
  type TaskHost,
  type TaskUpdate,
  wellFormedMessage,
} from "../task-driver.js";
import type { Diagnostic, FlowEvent, FlowResult, Json } from "../wire.js";
import { CALL_CONTEXT, type CallContext, ChildOutcome } from "./context.js";
import { toResultText } from "./result-text.js";
import { toRunSetup } from "./run-setup.js";
import { StepwiseRun } from "./stepwise.js";
import { isSuspended } from "./suspend.js";
import type { FlowRunOptions, NodeCall } from "./types.js";

/** Storage of a run under its id. */
export interface RunRecord {
  /** Stores the trace. */
  save(trace: Json): Promise<void>;
  /** Stores the result of the completed run without its trace, with markers for secrets. */
  finish(result: Json, trace: Json): Promise<void>;
}

/** Runs a compiled workflow; with a context, as a part of another run. */
export async function runCompiled(
  compiled: CompiledFlow,
  options: FlowRunOptions,
  context?: CallContext,
  record?: RunRecord,
): Promise<FlowResult> {
  const setup = toRunSetup(options, context);
  const stepwise = new StepwiseRun(compiled, setup, context?.run);
  try {
    return await new ActiveRun(stepwise, options, context, record).run();
  } finally {
    stepwise[Symbol.dispose]();
  }
}

/** Stepwise run with the functions that answer its calls. */
class ActiveRun implements TaskHost {
  readonly #run: StepwiseRun;
  readonly #options: FlowRunOptions;
  readonly #context: CallContext | undefined;
  /** Functions that return the traces of running workflows of nodes, by number of the call. */
  readonly #traceReaders = new Map<number, () => string>();
  readonly checkpoint: TaskHost["checkpoint"];
  readonly holdsEvent: TaskHost["holdsEvent"];
  readonly storeEnd: TaskHost["storeEnd"];
  readonly fail: TaskHost["fail"];
  #task: RunningTask | undefined;
  readonly #record: RunRecord | undefined;
  /** The last stored trace; traces are stored one after the other. */
  #stored: Promise<void> = Promise.resolve();
  #isEndStored = false;
  /** Error of the last save. */
  #endError: unknown;
  /** Trace of the run that has ended, as JSON text. */
  #finalTrace: string | undefined;

  constructor(
    run: StepwiseRun,
    options: FlowRunOptions,
    context: CallContext | undefined,
    record: RunRecord | undefined,
  ) {
    this.#run = run;
    this.#options = options;
    this.#context = context;
    this.#record = record;
    if (record) {
      this.holdsEvent = isResult;
      this.storeEnd = (final) => this.#storeEnd(record, (final as unknown as FlowResult).trace);
    }
    if (context?.checkpoint) this.checkpoint = context.checkpoint;
    else if (record || options.onCheckpoint) this.checkpoint = (final) => this.#storeTrace(final);
    this.fail = context?.fail;
    context?.setTraceReader(() => this.#finalTrace ?? this.#readTrace());
  }

  async run(): Promise<FlowResult> {
    const { signal, graceMs } = this.#options;
    const { first } = this.#run;
    // The stored trace shows other processes that this one continues the run.
    const isClaimed = this.#record !== undefined && first.done === undefined;
    const start = () => (isClaimed ? { ...first, checkpoint: true } : first);
    const task = runTask(this, start, signal, graceMs);
    const result = (await task.catch(this.#failAll)) as unknown as FlowResult;
    if (this.#context) this.#finalTrace = JSON.stringify(result.trace);
    return this.#record ? this.#recordEnd(this.#record, result, isClaimed) : result;
  }

  /** Stops the outermost run too, because no node has failed. Its last trace stays readable. */
  readonly #failAll = (error: unknown): never => {
    if (this.#context) {
      try {
        this.#finalTrace = this.#readTrace();
      } catch {
        // An internal error has left no trace.
        this.#finalTrace = "null";
      }
      this.#context.fail(error);
    }
    throw error;
  };

  attach(task: RunningTask): void {
    this.#task = task;
  }

  resume(response: string, { number }: Effect): TaskUpdate {
    this.#traceReaders.delete(number as number);
    return this.#run.respond(response, number as number);
  }

  cancel(): TaskUpdate {
    this.#storeChildTraces();
    return this.#run.stop();
  }

  notify(event: Json): unknown {
    const { onEvent } = this.#context ?? this.#options;
    return onEvent?.(event as FlowEvent & Json);
  }

  /** Stores a trace after the previous ones: that of the result, or the trace so far. */
  #storeTrace(final: Json | undefined): Promise<void> {
    const store = async () => {
      const result = final as unknown as FlowResult | undefined;
      const trace = result ? result.trace : (JSON.parse(this.#readTrace()) as Json);
      await this.#record?.save(trace);
      this.#isEndStored = result !== undefined;
      await this.#options.onCheckpoint?.(trace);
    };
    // After an error nothing is stored, because it stops the run.
    this.#stored = this.#stored.then(store);
    return this.#stored;
  }

  /** Stores the last trace. Returns whether it is stored. A stopped run does not wait for long. */
  async #storeEnd(record: RunRecord, trace: Json): Promise<boolean> {
    const save = async () => {
      await this.#stored.catch(() => {});
      if (!this.#isEndStored) await record.save(trace);
    };
    const expired = () => new Error(`the storage did not respond in ${GRACE_MS / 1000} s`);
    try {
      await (this.#options.signal?.aborted ? inTime(save(), GRACE_MS, expired) : save());
      this.#isEndStored = true;
    } catch (error) {
      this.#endError = error;
    }
    return this.#isEndStored;
  }

  /** Stores the trace, if the driver did not store it, and the result of a completed run. */
  async #recordEnd(record: RunRecord, result: FlowResult, isClaimed: boolean): Promise<FlowResult> {
    const { trace, ...rest } = result;
    if (isClaimed && !this.#isEndStored && this.#endError === undefined)
      await this.#storeEnd(record, trace);
    if (this.#endError !== undefined) {
      if (this.#options.signal?.aborted !== true) throw this.#endError;
      return { ...result, diagnostics: [...rest.diagnostics, unstoredWarning(this.#endError)] };
    }
    if (result.status === "completed")
      await record.finish(this.#run.withoutSecrets(rest as unknown as Json), trace);
    return result;
  }

  #readTrace(): string {
    this.#storeChildTraces();
    return this.#run.readTrace();
  }

  #storeChildTraces(): void {
    for (const [number, read] of this.#traceReaders) this.#run.setChildTrace(number, read());
  }

  async perform(
    effect: Effect,
    signal: AbortSignal,
    stopped: AbortSignal,
    fail: (error: unknown) => void,
  ): Promise<string> {
    if (effect.kind === "wait") {
      await sleep(effect["milliseconds"] as number, stopped).catch(() => {});
      return "null";
    }
    const hold = holdOf(this.#options);
    // Before the timeout of the call begins.
    if (hold) await hold(this.#pathOf(effect), signal).catch(() => {});
    const timeout = effect["timeout"];
    const limit = typeof timeout === "number" ? deadline(timeout) : undefined;
    const combined = anySignal(signal, limit?.signal);
    // A call that is asked to end may still return its result.
    const end = anySignal(stopped, limit?.signal);
    try {
      if (hold) signal.throwIfAborted();
      const answer = Promise.resolve(this.#callNode(effect, combined.signal, fail));
      return toResponse(await abortable(answer, end.signal));
    } catch (reason) {
      if (signal.aborted && !limit?.signal.aborted) return `{"aborted":true}`;
      return JSON.stringify({
        // The core expects a trace only at the start.
        ...this.#childState(effect["number"] as number),
        failed: wellFormedMessage(reason),
        ...(limit?.signal.aborted && { timeout: true }),
      });
    } finally {
      combined.clear();
      end.clear();
      limit?.clear();
    }
  }

  /** Returns the path of the node that an effect calls, as in events. */
  #pathOf(effect: Effect): string {
    const { id } = effect["call"] as unknown as NodeCall;
    return `${this.#context?.path ?? ""}${id}`;
  }

  #callNode(effect: Effect, signal: AbortSignal, fail: CallContext["fail"]): unknown {
    const call = effect["call"] as unknown as NodeCall;
    const callback = this.#options.nodes[call.type];
    const context = this.#contextOf(effect, call.id, fail);
    return callback?.({ ...call, signal, [CALL_CONTEXT]: context } as NodeCall);
  }

  /** Returns the trace so far of the workflow that a call ran until it failed. */
  #childState(number: number): { child?: { trace: Json } } {
    const read = this.#traceReaders.get(number);
    return read ? { child: { trace: JSON.parse(read()) as Json } } : {};
  }

  #contextOf(effect: Effect, id: string, fail: CallContext["fail"]): CallContext {
    const { nodes, concurrency, graceMs, onEvent } = this.#options;
    const parent = this.#context;
    const emit = parent ? parent.onEvent : onEvent && ((event: Json) => this.#task?.emit(event));
    // The outermost run stores the traces of all, and reports their events after it.
    const store = parent
      ? parent.checkpoint
      : this.checkpoint && (async () => await this.#task?.store());
    return {
      nodes,
      path: `${parent?.path ?? ""}${id}/`,
      concurrency,
      graceMs,
      hold: holdOf(this.#options),
      resume: effect["child"] ?? undefined,
      answers: (effect["answers"] ?? undefined) as CallContext["answers"],
      run: this.#run,
      onEvent: emit && ((event) => emit(this.#run.withoutSecrets(event))),
      checkpoint: store,
      setTraceReader: (read) => this.#traceReaders.set(effect["number"] as number, read),
      fail: parent?.fail ?? fail,
    };
  }
}

/** Returns the warning of a stopped run whose last trace could not be stored. */
function unstoredWarning(error: unknown): Diagnostic {
  const message = `the trace of the stopped run could not be stored: ${errorMessage(error)}`;
  const help = "run it again; calls after the last stored trace are made again";
  return warningDiagnostic("FLOW088", message, help);
}

/** Returns whether an event has a result, which must be stored before. */
function isResult(event: Json): boolean {
  const { kind } = event as { kind: FlowEvent["kind"] };
  return kind !== "started" && kind !== "retried";
}

/** Returns the JSON text of the response for the core to the result of a callback. */
function toResponse(answer: unknown): string {
  if (answer instanceof ChildOutcome) return childResponse(answer.result);
  if (isSuspended(answer)) return `{"suspended":${toResultText(answer.payload)}}`;
  return `{"value":${toResultText(answer)}}`;
}

function childResponse(result: FlowResult): string {
  const { status, outputs, trace, waiting, diagnostics } = result;
  const error = diagnostics.find(({ severity }) => severity === "error");
  const child = { trace, waiting, diagnostics };
  if (status === "paused") return JSON.stringify({ child, suspended: null });
  if (status === "completed") return JSON.stringify({ child, value: { outputs } });
  return JSON.stringify({ child, failed: error?.message ?? `its workflow is ${status}` });
}
