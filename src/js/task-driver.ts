import { abortable, anySignal, deadline } from "./abort.js";
import { errorMessage } from "./errors.js";
import { deliverEvent } from "./event-delivery.js";
import { toWellFormed } from "./json-text.js";
import { report } from "./report.js";
import type { Json } from "./wire.js";

/** Progress of a task: events, new effects, or the result. */
export interface TaskUpdate {
  events: Json[];
  effects: Effect[];
  /** Values of `number` of effects whose results are not needed any more. */
  aborted?: number[];
  /** Whether the task has failed, and only waits for running effects. */
  failing?: boolean;
  /** Whether the state of the task should be stored before the next effect. */
  checkpoint?: boolean;
  done?: Json;
}

/** Request of the core to the host. */
export type Effect = { kind: string } & { [part: string]: Json };

/** Connection of the loop to a task of the core. */
export interface TaskHost {
  /** Continues with the response to an effect. */
  resume(response: string, effect: Effect): TaskUpdate | Promise<TaskUpdate>;
  cancel(): TaskUpdate | Promise<TaskUpdate>;
  /**
   * Performs an effect and returns the JSON text of a response. `signal` asks the callee to end,
   * `stopped` ends the effect at once. `fail` stops the task with an error, and so does a rejection.
   */
  perform(
    effect: Effect,
    signal: AbortSignal,
    stopped: AbortSignal,
    fail: (error: unknown) => void,
  ): Promise<string>;
  /** Notifies listeners; may return a promise. */
  notify(event: Json): unknown;
  /** Stores the state, or the result of the task; `undefined` if the host stores none. */
  checkpoint?: ((final: Json | undefined) => Promise<void>) | undefined;
  /** Whether an event, and those after it, wait until the state is stored. */
  holdsEvent?: ((event: Json) => boolean) | undefined;
  /**
   * Stores the result of a task that was stopped. Returns whether it is stored, so that the events
   * that wait are reported.
   */
  storeEnd?: ((final: Json) => Promise<boolean>) | undefined;
  /** Receives the task before it starts, for events and states of tasks that are parts of it. */
  attach?: ((task: RunningTask) => void) | undefined;
  /** Receives errors of listeners after the end of the task, if it is a part of another one. */
  fail?: ((error: unknown) => void) | undefined;
}

/** Task as its parts see it. */
export interface RunningTask {
  /** Notifies listeners of an event of a part, or lets it wait until the state is stored. */
  emit(event: Json): void;
  /** Stores the state, then reports the events that waited for it. */
  store(): Promise<void>;
}

/** Timeout in milliseconds of each effect that the core requests after an abort. */
export const GRACE_MS = 5_000;

const NO_UPDATE: TaskUpdate = { events: [], effects: [] };

/**
 * Runs a task of the core to its end, with all requested effects in parallel. Nothing of the core
 * is borrowed during a wait, so listeners and callbacks may use it. Before new effects start, all
 * results that have arrived are handled and the state is stored. An abort ends pending effects at
 * once; effects that the core requests after it get a grace period. After a failure the running
 * effects are asked to end and have `graceMs` for it.
 */
export function runTask(
  host: TaskHost,
  start: () => TaskUpdate,
  signal: AbortSignal | undefined,
  graceMs = 0,
): Promise<Json> {
  return new Task(host, signal, graceMs).run(start);
}

/** Controllers of a running effect. */
interface RunningEffect {
  request: AbortController;
  stop: AbortController;
}

/** Running task with its pending effects. */
class Task {
  readonly #host: TaskHost;
  readonly #signal: AbortSignal | undefined;
  readonly #graceMs: number;
  /** Errors of listeners. They cancel the task. */
  readonly #errors: unknown[] = [];
  /** Events that wait for a checkpoint. */
  readonly #events: Json[] = [];
  /** Number of waiting events that were reported. */
  #reportedCount = 0;
  /** Calls of listeners in another thread. */
  readonly #calls: Promise<void>[] = [];
  /** Effects that were not started. */
  readonly #queue: Effect[] = [];
  readonly #results: [response: string, effect: Effect][] = [];
  readonly #running = new Map<Effect, RunningEffect>();
  /** Aborts when the task stops, for waits of the loop itself. */
  readonly #stopped = new AbortController();
  #isCheckpointDue = false;
  #isCancelled = false;
  #isOver = false;
  /** `undefined` until the task fails. */
  #grace: "running" | "over" | undefined;
  #graceTimer: ReturnType<typeof setTimeout> | undefined;
  #wakeLoop: () => void = () => {};

  constructor(host: TaskHost, signal: AbortSignal | undefined, graceMs: number) {
    this.#host = host;
    this.#signal = signal;
    this.#graceMs = graceMs;
  }

  async run(start: () => TaskUpdate): Promise<Json> {
    this.#signal?.addEventListener("abort", this.#stop);
    this.#host.attach?.({
      emit: (event) => {
        this.#emit(event);
        this.#stopAfterErrors();
      },
      store: async () => {
        await this.#store(undefined);
        this.#stopAfterErrors();
      },
    });
    try {
      for (let update = start(); ; ) {
        this.#applyUpdate(update);
        if (this.#calls.length > 0) await this.#waitForCalls();
        if (update.done !== undefined) return await this.#finishTask(update.done);
        const next = this.#nextUpdate();
        if (next) {
          update = next instanceof Promise ? await next : next;
        } else if (this.#isCheckpointDue) {
          await this.#storeState(undefined);
          // Results may have arrived, or the task may have to stop.
          update = NO_UPDATE;
        } else {
          for (const effect of this.#queue.splice(0)) this.#start(effect);
          update = await this.#waitForUpdate();
        }
      }
    } finally {
      this.#isOver = true;
      clearTimeout(this.#graceTimer);
      this.#signal?.removeEventListener("abort", this.#stop);
      // Stops effects whose results are no longer needed.
      this.#stopAll(new Error("the task is over"));
    }
  }

  #applyUpdate(update: TaskUpdate): void {
    this.#isCheckpointDue ||= update.checkpoint === true && this.#host.checkpoint !== undefined;
    for (const event of update.events) this.#emit(event);
    // A spread of many thousands of effects would exceed the stack.
    for (const effect of update.effects) this.#queue.push(effect);
    if (update.aborted?.length) this.#abortEffects(new Set(update.aborted));
    if (update.failing) this.#beginGrace();
  }

  #emit(event: Json): void {
    if (this.#events.length > 0 || this.#host.holdsEvent?.(event)) this.#events.push(event);
    else this.#notify(event);
  }

  async #finishTask(done: Json): Promise<Json> {
    const isDue = this.#isCheckpointDue || this.#events.length > 0;
    if (isDue && !this.#isStopped) await this.#storeState(done);
    // An abort may have ended the wait for the save.
    if (this.#events.length > 0 && this.#errors.length === 0) {
      if (await this.#host.storeEnd?.(done)) this.#reportEvents(Number.POSITIVE_INFINITY);
      await this.#waitForCalls();
    }
    if (this.#errors.length > 0) throw this.#errors[0];
    return done;
  }

  get #isStopped(): boolean {
    return this.#signal?.aborted === true || this.#errors.length > 0;
  }

  get #mustCancel(): boolean {
    if (this.#isCancelled) return false;
    return this.#isStopped || this.#grace === "over" || (this.#grace && this.#isIdle) === true;
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#results.length === 0;
  }

  /** Notifies listeners. Their errors cancel the task. */
  #notify(event: Json): void {
    const onThrow = (error: unknown): void => {
      this.#errors.push(error);
    };
    const called = deliverEvent(() => this.#host.notify(event), onThrow, this.#fail);
    if (called) this.#calls.push(called);
  }

  /** Stops the task if a listener has thrown outside of its loop. */
  #stopAfterErrors(): void {
    if (this.#errors.length === 0) return;
    if (this.#isOver) (this.#host.fail ?? report)(this.#errors.pop());
    else this.#stop();
  }

  /** Waits until the listeners in another thread were called. */
  async #waitForCalls(): Promise<void> {
    await Promise.all(this.#calls.splice(0));
  }

  /** An error of a listener stops a running task. After the end it has no caller. */
  readonly #fail = (error: unknown): void => {
    if (this.#isOver) {
      (this.#host.fail ?? report)(error);
      return;
    }
    this.#errors.push(error);
    this.#stop();
  };

  /** Stores the state, then reports the events that waited for it. */
  async #storeState(final: Json | undefined): Promise<void> {
    this.#isCheckpointDue = false;
    try {
      await this.#store(final);
      if (this.#calls.length > 0) await this.#waitForCalls();
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#errors.push(error);
    }
  }

  async #store(final: Json | undefined): Promise<void> {
    // An event of a part that arrives during the save is not in the stored state.
    const end = this.#reportedCount + this.#events.length;
    const stored = this.#host.checkpoint?.(final) ?? Promise.resolve();
    await abortable(stored, this.#stopped.signal);
    this.#reportEvents(end);
  }

  /** Reports the events that wait, up to a number of all events that have waited. */
  #reportEvents(end: number): void {
    const events = this.#events.splice(0, Math.max(0, end - this.#reportedCount));
    this.#reportedCount += events.length;
    for (const event of events) this.#notify(event);
  }

  /** Asks the running effects of a failed task to end, and waits until the grace period ends. */
  #beginGrace(): void {
    this.#queue.length = 0;
    if (this.#grace) return;
    this.#grace = this.#graceMs > 0 ? "running" : "over";
    this.#requestEnds(new Error("another node failed"));
    if (this.#grace === "over") return;
    this.#graceTimer = setTimeout(() => {
      this.#grace = "over";
      this.#wakeLoop();
    }, this.#graceMs);
  }

  #start(effect: Effect): void {
    this.#perform(effect).catch((error: unknown) => {
      this.#running.delete(effect);
      this.#fail(error);
    });
  }

  async #perform(effect: Effect): Promise<void> {
    const grace = this.#isCancelled ? deadline(GRACE_MS) : undefined;
    const running = { request: new AbortController(), stop: new AbortController() };
    this.#running.set(effect, running);
    const [signal, stopped] = grace
      ? [grace.signal, grace.signal]
      : [running.request.signal, running.stop.signal];
    const performed = this.#host.perform(effect, signal, stopped, this.#fail);
    const response = await performed.finally(grace?.clear);
    // Results that arrive despite an abort are ignored.
    if (this.#running.get(effect) !== running || (!grace && this.#isStopped)) return;
    this.#running.delete(effect);
    if (this.#isOver) return;
    this.#results.push([response, effect]);
    this.#wakeLoop();
  }

  /** Returns the update after the next result or the cancellation, or `undefined` without one. */
  #nextUpdate(): TaskUpdate | Promise<TaskUpdate> | undefined {
    const result = this.#results.shift();
    if (result) return this.#host.resume(...result);
    if (!this.#mustCancel) return undefined;
    this.#isCancelled = true;
    this.#queue.length = 0;
    const update = this.#host.cancel();
    this.#stopAll(this.#errors[0] ?? new Error("the task is over"));
    this.#running.clear();
    return update;
  }

  async #waitForUpdate(): Promise<TaskUpdate> {
    for (;;) {
      const update = this.#nextUpdate();
      if (update) return update;
      if (this.#isIdle)
        throw this.#errors[0] ?? new Error("a task neither ended nor requested an effect");
      await new Promise<void>((resolve) => {
        this.#wakeLoop = resolve;
      });
    }
  }

  readonly #stop = (): void => {
    const reason = this.#signal?.aborted ? this.#signal.reason : this.#errors[0];
    this.#stopped.abort(reason);
    this.#stopAll(reason);
    this.#wakeLoop();
  };

  #requestEnds(reason: unknown): void {
    for (const { request } of this.#running.values()) request.abort(reason);
  }

  /** Ends all running effects at once. */
  #stopAll(reason: unknown): void {
    this.#requestEnds(reason);
    for (const { stop } of this.#running.values()) stop.abort(reason);
  }

  /** Aborts effects whose results are not needed, and forgets them. */
  #abortEffects(numbers: Set<number>): void {
    const isIn = (effect: Effect) => numbers.has(effect["number"] as number);
    const kept = this.#queue.splice(0).filter((effect) => !isIn(effect));
    for (const effect of kept) this.#queue.push(effect);
    for (const [effect, { request, stop }] of this.#running) {
      if (!isIn(effect)) continue;
      this.#running.delete(effect);
      const reason = new Error("the result of this call is not needed any more");
      request.abort(reason);
      stop.abort(reason);
    }
  }
}

/** Performs an effect. Returns JSON text of `{value}`, or of `{failed, help?, transient?}` with the reason. */
export async function performEffect(
  perform: (effect: Effect, signal: AbortSignal) => string | Promise<string>,
  effect: Effect,
  signal: AbortSignal,
): Promise<string> {
  try {
    const value = await abortable(Promise.resolve(perform(effect, signal)), signal);
    return `{"value":${value}}`;
  } catch (reason) {
    const message = wellFormedMessage(reason);
    const { isTransient, help } = databaseDetails(reason);
    const transient = isTransient === true && { transient: true };
    const ending = typeof help === "string" && `: ${help}`;
    return ending && message.endsWith(ending)
      ? JSON.stringify({ failed: message.slice(0, -ending.length), help, ...transient })
      : JSON.stringify({ failed: message, ...transient });
  }
}

/**
 * Returns what errors of databases say besides their message, which ends with `help`:
 * `isTransient` if a later attempt may succeed. A thrown value may have getters that throw.
 */
function databaseDetails(reason: unknown): { isTransient?: unknown; help?: unknown } {
  try {
    const { isTransient, help } = Object(reason) as { isTransient?: unknown; help?: unknown };
    return { isTransient, help };
  } catch {
    return {};
  }
}

/** Returns the message of a thrown value without lone surrogates. */
export function wellFormedMessage(reason: unknown): string {
  return toWellFormed(errorMessage(reason));
}

/**
 * Runs an action with a signal that also aborts after a timeout in milliseconds, if there is one.
 */
export async function withTimeout<T>(
  signal: AbortSignal,
  milliseconds: Json | undefined,
  action: (combined: AbortSignal) => T | Promise<T>,
): Promise<T> {
  if (typeof milliseconds !== "number") return abortable(Promise.resolve(action(signal)), signal);
  const timeout = deadline(milliseconds);
  const combined = anySignal(signal, timeout.signal);
  try {
    return await abortable(Promise.resolve(action(combined.signal)), combined.signal);
  } finally {
    combined.clear();
    timeout.clear();
  }
}
