// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { throwDisposed } from "../bridge.js";
import type { CompiledFlow, FlowRun } from "../byname_bg.js";
import { errorDiagnostic } from "../json-text.js";
import type { Effect, TaskUpdate } from "../task-driver.js";
import type { Diagnostic, FlowResult, Json } from "../wire.js";
import { parseOutcome } from "./outcome.js";
import type { CallAnswer, CallOutcome, FlowCall } from "./types.js";

/**
 * Run of a workflow without input and output: the caller makes the calls, in any process, and
 * answers them. `flow.run` adds functions, timers and events to it.
 */
export class StepwiseRun {
  #run: FlowRun | undefined;
  readonly #reveal: ((call: FlowCall) => FlowCall) | undefined;
  /** First update of the core. @internal */
  readonly first: TaskUpdate;
  /** Calls without an answer by key, with their numbers for the core, in the order of the calls. */
  readonly #open = new Map<string, [call: FlowCall, number: number]>();
  /** Keys of all earlier calls; false if their answers are not needed any more. */
  readonly #closed = new Map<string, boolean>();
  #result: FlowResult | undefined;

  /** @internal Runs begin with `flow.begin` and `flow.run`. */
  constructor(
    compiled: CompiledFlow,
    setup: string,
    parent?: StepwiseRun,
    reveal?: (call: FlowCall) => FlowCall,
  ) {
    this.#run = compiled.run() ?? throwDisposed("flow");
    if (parent) parent.#openRun.set_child(this.#run);
    this.#reveal = reveal;
    this.first = this.#advance(setup);
    if (reveal) this.#trackCalls(this.first);
  }

  /**
   * Calls to make now, at most `concurrency`. They are in the order in which they were requested.
   * With the order `fixed`, that order is the same for each order of the answers.
   */
  get calls(): FlowCall[] {
    return [...this.#open.values()].map(([call]) => call);
  }

  /**
   * Answers a call. The result is not `ok`, and nothing changes, if the key or the outcome is
   * invalid, or if the answer is not needed.
   */
  readonly answer = (key: string, outcome: CallOutcome): CallAnswer => {
    const open = this.#open.get(key);
    if (!open) return { ok: false, diagnostics: [this.#unknownKey(String(key))] };
    const parsed = parseOutcome(outcome);
    if ("error" in parsed) return { ok: false, diagnostics: [parsed.error] };
    const update = this.respond(parsed.text, open[1]);
    // The call stays open if the core throws.
    this.#open.delete(key);
    this.#closed.set(key, true);
    this.#trackCalls(update);
    return { ok: true, diagnostics: [] };
  };

  /** Trace with all answers so far, for `resume`. Secrets are markers. */
  get trace(): Json {
    return this.#result ? this.#result.trace : (JSON.parse(this.readTrace()) as Json);
  }

  /** Result of the run; undefined until it has ended. */
  get result(): FlowResult | undefined {
    return this.#result;
  }

  /** Returns a call with the secrets of this run in place of their markers. */
  readonly reveal = (call: FlowCall): FlowCall => this.#reveal?.(call) ?? call;

  /** Ends the run, and returns its result. */
  cancel(): FlowResult {
    if (!this.#result) this.#trackCalls(this.stop());
    return this.#result as unknown as FlowResult;
  }

  [Symbol.dispose](): void {
    const run = this.#run;
    this.#run = undefined;
    try {
      run?.free();
    } catch {
      // An internal error left it borrowed; that error is thrown.
    }
  }

  /** Continues with the JSON text of a response. @internal */
  respond(response: string, number: number): TaskUpdate {
    return this.#advance(response, number);
  }

  /** Ends the run. @internal */
  stop(): TaskUpdate {
    return this.#advance("null");
  }

  /** Returns the trace as JSON text. @internal */
  readTrace(): string {
    return this.#openRun.trace();
  }

  /** Stores the trace so far of the workflow that a running call runs. @internal */
  setChildTrace(number: number, trace: string): void {
    this.#openRun.set_child_trace(number, trace);
  }

  /** Returns a value with markers for the secrets of the run. @internal */
  withoutSecrets(value: Json): Json {
    return JSON.parse(this.#openRun.without_secrets(JSON.stringify(value))) as Json;
  }

  get #openRun(): FlowRun {
    return this.#run ?? throwDisposed("run");
  }

  #advance(message: string, number = -1): TaskUpdate {
    const now = new Date().toISOString();
    return JSON.parse(this.#openRun.next(number, message, now, performance.now())) as TaskUpdate;
  }

  /** Lists the calls of an update, and ends the run if it has failed. */
  #trackCalls(update: TaskUpdate): void {
    for (const effect of update.effects) {
      const call = toCall(effect);
      this.#open.set(call.key, [call, effect["number"] as number]);
    }
    const aborted = new Set(update.aborted);
    if (aborted.size > 0) this.#closeCalls((number) => aborted.has(number));
    const { done } = update.failing ? this.stop() : update;
    if (done === undefined) return;
    this.#result = done as unknown as FlowResult;
    this.#closeCalls(() => true);
    this[Symbol.dispose]();
  }

  /** Closes the open calls with a number, because their answers are not needed any more. */
  #closeCalls(isClosed: (number: number) => boolean): void {
    for (const [key, [, number]] of this.#open) {
      if (!isClosed(number)) continue;
      this.#open.delete(key);
      this.#closed.set(key, false);
    }
  }

  #unknownKey(key: string): Diagnostic {
    const isAnswered = this.#closed.get(key);
    if (isAnswered) {
      const message = `\`${key}\` was answered before`;
      return errorDiagnostic("FLOW079", message, "ignore this answer: the first one counts");
    }
    if (isAnswered === false || this.#result) {
      const reason = this.#result
        ? `the run is ${this.#result.status}`
        : "another branch was taken";
      const message = `the answer to \`${key}\` is not used: ${reason}`;
      const help = "ignore it, or resume the run with its `trace`";
      return errorDiagnostic("FLOW080", message, help);
    }
    const keys = [...this.#open.keys()].slice(0, 5).map((one) => `\`${one}\``);
    const help =
      keys.length === 0
        ? "answer a key of `calls`"
        : `answer a key of \`calls\`, such as ${keys.join(", ")}`;
    return errorDiagnostic("FLOW078", `unknown call \`${key}\``, help);
  }
}

/** Number of characters of a fingerprint in a key. */
const HASH_LENGTH = 16;

/** Returns a call of the core for another process. */
function toCall(effect: Effect): FlowCall {
  const { call, hash, timeout, delay, effects } = effect as unknown as CallEffect;
  const { item, index, ...parts } = call;
  const { id, pass, attempt } = parts;
  const part = (hash as string).slice(0, HASH_LENGTH);
  return {
    key: `${id}/${pass}/${index ?? "-"}/${attempt}/${part}`,
    ...parts,
    ...(index !== null && { item, index }),
    effects,
    ...(timeout !== null && { timeoutMs: timeout }),
    ...(delay > 0 && { notBefore: Date.now() + Math.ceil(delay) }),
  };
}

/** Call as the core requests it. */
interface CallEffect {
  call: Omit<FlowCall, "key" | "effects" | "index"> & { item: Json; index: number | null };
  hash: string;
  timeout: number | null;
  delay: number;
  effects: boolean;
}
