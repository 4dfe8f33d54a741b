import { abortable, anySignal, deadline, sleep } from "../abort.js";
import {
  assertCount,
  assertFunction,
  assertOptions,
  assertSignal,
  throwMisuse,
} from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import type { CompiledFlow, FlowRun } from "../byname_bg.js";
import { requireJsonText, toJsonText } from "../json-text.js";
import { type Effect, wellFormedMessage } from "../task-driver.js";
import type { FlowEvent, FlowResult, Json } from "../wire.js";
import { type CallContext, CHILD_FLOW, ChildOutcome, CONTEXT } from "./context.js";
import { RunDriver, type RunHost, type RunUpdate } from "./driver.js";
import { assertNameMap, toRequestJson } from "./mappings.js";
import { isSuspended } from "./suspend.js";
import type { FlowRunOptions, NodeCall } from "./types.js";

const RUN = [
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
];

/** Runs a compiled workflow; with a context, as a part of another run. */
export async function runCompiled(
  compiled: CompiledFlow,
  options: FlowRunOptions,
  context?: CallContext,
): Promise<FlowResult> {
  const text = toSetup(options, context);
  const run = compiled.run() ?? throwDisposed("flow");
  try {
    return await new ActiveRun(run, options, context).run(text);
  } finally {
    try {
      run.free();
    } catch {
      // An internal error left it borrowed; that error is thrown.
    }
  }
}

/** Checks the options of a run, and returns them as JSON text for the core. */
function toSetup(options: FlowRunOptions, context: CallContext | undefined): string {
  assertOptions(options, RUN, "the options of `run`");
  const { nodes, inputs, signal, onEvent, concurrency, maxSteps, maxBytes } = options;
  const { resume, answers } = options;
  const types = Object.keys(nodes ?? throwMisuse("missing `nodes`"));
  assertOptions(nodes, types, "`nodes`");
  for (const [type, callback] of Object.entries(nodes)) assertFunction(callback, `\`${type}\``);
  if (onEvent !== undefined) assertFunction(onEvent, "`onEvent`");
  if (options.onCheckpoint !== undefined) assertFunction(options.onCheckpoint, "`onCheckpoint`");
  // JSON text of a store that has no trace is `null`; the run would start over.
  if (resume === null) {
    throwMisuse("expected `resume` to be a trace, found null: omit it to start a new run");
  }
  for (const [map, name] of [[inputs, "`inputs`"] as const, [answers, "`answers`"] as const]) {
    if (map === undefined) continue;
    assertNameMap(map, name);
    // A promise would serialise as an empty object.
    requireJsonText(map, true);
  }
  assertSignal(signal);
  assertCount(concurrency, "`concurrency`", 1);
  assertCount(maxSteps, "`maxSteps`");
  assertCount(maxBytes, "`maxBytes`");
  assertCount(options.graceMs, "`graceMs`");
  // JSON has no `Infinity`.
  const [maxCalls, steps, bytes] = [concurrency, maxSteps, maxBytes].map(
    (count) => count && Math.min(count, 2 ** 31),
  );
  return toRequestJson({
    inputs,
    resume,
    answers,
    types,
    children: childFingerprints(nodes),
    path: context?.path,
    events: onEvent !== undefined || context?.onEvent !== undefined,
    cancelled: signal?.aborted === true,
    concurrency: maxCalls,
    maxSteps: steps,
    maxBytes: bytes,
  });
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

/** Run of the core with its callbacks. */
class ActiveRun implements RunHost {
  readonly #run: FlowRun;
  readonly #options: FlowRunOptions;
  readonly #context: CallContext | undefined;
  /** Functions that return the traces of running workflows of nodes, by number of the call. */
  readonly #traceReaders = new Map<number, () => string>();
  readonly checkpoint: RunHost["checkpoint"];
  /** The last stored trace; traces are stored one after the other. */
  #stored: Promise<void> = Promise.resolve();
  /** Trace of the run that has ended, as JSON text. */
  #finalTrace: string | undefined;

  constructor(run: FlowRun, options: FlowRunOptions, context: CallContext | undefined) {
    this.#run = run;
    this.#options = options;
    this.#context = context;
    const { onCheckpoint } = options;
    if (context?.checkpoint) this.checkpoint = context.checkpoint;
    else this.checkpoint = onCheckpoint && ((final) => this.#store(onCheckpoint, final));
    context?.setTraceReader(() => this.#finalTrace ?? this.#readTrace());
  }

  async run(setup: string): Promise<FlowResult> {
    const { signal, graceMs } = this.#options;
    const driver = new RunDriver(this, signal, graceMs);
    const result = (await driver.run(() => this.#next(setup))) as unknown as FlowResult;
    if (this.#context) this.#finalTrace = JSON.stringify(result.trace);
    return result;
  }

  #next(message: string, number = -1): RunUpdate {
    const now = new Date().toISOString();
    return JSON.parse(this.#run.next(number, message, now, performance.now())) as RunUpdate;
  }

  resume(response: string, { number }: Effect): RunUpdate {
    this.#traceReaders.delete(number as number);
    return this.#next(response, number as number);
  }

  cancel(): RunUpdate {
    this.#storeChildTraces();
    return this.#next("null");
  }

  notify(event: Json): unknown {
    const { onEvent } = this.#options;
    if (this.#context) return this.#context.onEvent?.(event);
    return onEvent?.(event as FlowEvent);
  }

  /** Stores a trace after the previous ones: that of the result, or the trace so far. */
  #store(
    onCheckpoint: NonNullable<FlowRunOptions["onCheckpoint"]>,
    final: Json | undefined,
  ): Promise<void> {
    const store = async () => {
      const result = final as unknown as FlowResult | undefined;
      await onCheckpoint(result ? result.trace : (JSON.parse(this.#readTrace()) as Json));
    };
    this.#stored = this.#stored.catch(() => {}).then(store);
    return this.#stored;
  }

  #readTrace(): string {
    this.#storeChildTraces();
    return this.#run.trace();
  }

  #storeChildTraces(): void {
    for (const [number, read] of this.#traceReaders) this.#run.set_child_trace(number, read());
  }

  async perform(effect: Effect, signal: AbortSignal, stopped: AbortSignal): Promise<string> {
    if (effect.kind === "wait") {
      await sleep(effect["milliseconds"] as number, stopped).catch(() => {});
      return "null";
    }
    const timeout = effect["timeout"];
    const limit = typeof timeout === "number" ? deadline(timeout) : undefined;
    const combined = anySignal(signal, limit?.signal);
    // A call that is asked to end may still return its result.
    const end = anySignal(stopped, limit?.signal);
    try {
      const answer = Promise.resolve(this.#call(effect, combined.signal));
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

  #call(effect: Effect, signal: AbortSignal): unknown {
    const call = effect["call"] as unknown as NodeCall;
    const callback = this.#options.nodes[call.type];
    const context = this.#contextOf(effect, call.id);
    return callback?.({ ...call, signal, [CONTEXT]: context } as NodeCall);
  }

  /** Returns the trace so far of the workflow that a call ran until it failed. */
  #childState(number: number): { child?: { trace: Json } } {
    const read = this.#traceReaders.get(number);
    return read ? { child: { trace: JSON.parse(read()) as Json } } : {};
  }

  #contextOf(effect: Effect, id: string): CallContext {
    const { nodes, concurrency, graceMs, onEvent } = this.#options;
    const parent = this.#context;
    const emit = parent ? parent.onEvent : onEvent && ((event: Json) => this.notify(event));
    const { checkpoint } = this;
    return {
      nodes,
      path: `${parent?.path ?? ""}${id}/`,
      concurrency,
      graceMs,
      resume: effect["child"] ?? undefined,
      answers: (effect["answers"] ?? undefined) as CallContext["answers"],
      onEvent: emit && ((event) => emit(this.#withoutSecrets(event))),
      checkpoint: checkpoint && (() => checkpoint(undefined)),
      setTraceReader: (read) => this.#traceReaders.set(effect["number"] as number, read),
    };
  }

  #withoutSecrets(value: Json): Json {
    return JSON.parse(this.#run.without_secrets(JSON.stringify(value))) as Json;
  }
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

/**
 * Serialises the result of a node. Keys with `undefined` are left out; values that are not JSON
 * throw.
 */
function toResultText(answer: unknown): string {
  const text = toJsonText(answer ?? null, true);
  if ("text" in text) return text.text;
  const { message, location } = text.error;
  const pointer = location?.kind === "pointer" ? location.pointer : "";
  throw new Error(pointer === "" ? message : `${message} at ${pointer}`);
}
