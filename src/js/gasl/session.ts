// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { abortable, anySignal, deadline, timeoutError } from "../abort.js";
import {
  assertBoolean,
  assertFunction,
  assertOptions,
  assertOptionTypes,
  assertString,
  throwMisuse,
} from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { gasl_answer as answer, type Session as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { BynameError } from "../errors.js";
import { holdOf } from "../hold.js";
import { requireJsonText, toWellFormed } from "../json-text.js";
import {
  type Effect,
  performEffect,
  runTask,
  type TaskHost,
  type TaskUpdate,
  wellFormedMessage,
} from "../task-driver.js";
import type {
  Diagnostic,
  ExecutionRecord,
  Json,
  Plan,
  PlanResult,
  SnapshotInfo,
  SolveResult,
} from "../types.js";
import { wasmMemory } from "../wasm.js";
import type { Graph } from "./graph.js";
import {
  assertRunOptions,
  assertSessionOptions,
  RUN_OPTIONS,
  SESSION_OPTIONS,
  toPageCounts,
} from "./options.js";
import { findMisses, type RecordingEntry } from "./recording.js";
import { SessionClock } from "./session-clock.js";
import {
  assertGraph,
  assertTime,
  createHandle,
  currentTime,
  nextTask,
  queryText,
  type RowOptions,
  readRows,
  type SessionContext,
  toJson,
  withGaslErrors,
} from "./session-context.js";
import { askModel } from "./session-effects.js";
import { notifyListener, type SessionEvent } from "./session-event.js";
import { StateCapture } from "./state-capture.js";
import { StateStorage } from "./state-storage.js";
import type {
  GaslSessionOptions,
  GraphAdapter,
  PageOptions,
  Proposal,
  RunOptions,
  SolveOptions,
} from "./types.js";

/** Update of a session, with its task. */
type SessionUpdate = TaskUpdate & { task: number };

function parseUpdate(text: string | undefined): SessionUpdate {
  if (text === undefined) throw new Error("the task has ended");
  return JSON.parse(text) as SessionUpdate;
}

/** Update of a task that does not begin. */
const FINISHED_UPDATE = JSON.stringify({ task: 0, events: [], effects: [], done: null });

/** Kinds of effects between two steps, and before a request to the model. */
const HELD_EFFECTS: ReadonlySet<string> = new Set(["continue", "ask"]);

/** Passes an existing handle to the constructor. */
let handedOver: { handle: Handle; context: SessionContext } | undefined;

/** Session over a graph: commands, plans and the loop, with a persistent state. */
export class GaslSession {
  #handle: Handle | undefined;
  readonly #context: SessionContext;
  /** Options of the core, to create it again with a loaded state. */
  #options: { [name: string]: Json } = {};
  /** Storage whose state has to be loaded before the first step. */
  #pendingStorage: StateStorage | undefined;
  #loading: Promise<void> | undefined;
  #disposed = false;
  /** Aborts running tasks when the session is disposed. */
  readonly #lifetime = new AbortController();
  readonly #clock: SessionClock;
  /** State that was saved last. */
  #lastCapture: StateCapture | undefined;
  #requestCount = 0;

  constructor(options: GaslSessionOptions) {
    wasmMemory();
    if (handedOver) {
      this.#handle = handedOver.handle;
      this.#context = handedOver.context;
      this.#clock = new SessionClock(this.#context);
      handedOver = undefined;
      return;
    }
    assertOptions(options, SESSION_OPTIONS, "the options of a GaslSession");
    const { graph, llm, backend, now = () => new Date().toISOString() } = options;
    assertGraph(graph);
    if (llm !== undefined) assertFunction(llm, "`llm`");
    assertFunction(now, "`now`");
    if (backend !== undefined) {
      assertFunction(backend?.load, "`load` of the backend");
      assertFunction(backend.save, "`save` of the backend");
    }
    assertSessionOptions(options);
    const storage = backend && new StateStorage(backend);
    this.#context = { graph, llm, storage, now };
    this.#clock = new SessionClock(this.#context);
    const { query, state, caps, ceilings, limits, seed, model } = options;
    const { retries, resultTokens, citations } = options;
    // A question may be truncated inside a surrogate pair.
    const question = typeof query === "string" ? toWellFormed(query) : query;
    const maximums = { caps, ceilings, limits, retries, resultTokens, citations };
    const cleanOptions = { query: question, state, seed, model, ...maximums };
    this.#options = {
      ...(toJson(cleanOptions) as { [name: string]: Json }),
      hasModel: llm !== undefined,
      hasBackend: backend !== undefined,
    };
    this.#handle = createHandle(this.#context, this.#options, assertTime(now()));
    this.#pendingStorage = storage;
  }

  /** Checks a command, or the lines of a block. */
  static check(command: string): { ok: boolean; diagnostics: Diagnostic[] } {
    wasmMemory();
    assertString(command, "a command");
    const diagnostics = JSON.parse(answer("check", command, "")) as Diagnostic[];
    return { ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
  }

  /** Runs one command. It may run concurrently with a plan. */
  async execute(
    command: string,
    options: { why?: string } & Omit<RunOptions, "onStep"> = {},
  ): Promise<ExecutionRecord> {
    assertString(command, "a command");
    assertOptions(options, RUN_OPTIONS, "the options of `execute`");
    const { why = "", ...listeners } = options;
    const { signal } = listeners;
    assertString(why, "`why`");
    const what = signal?.aborted ? "give_up" : "execute";
    const record = await this.#runTask(what, command, why, listeners as RunOptions);
    return record as unknown as ExecutionRecord;
  }

  /** Runs a plan, or the text of one. While one runs, another is rejected with a diagnostic. */
  async run(plan: Plan | string, options: RunOptions = {}): Promise<PlanResult> {
    if (plan === undefined)
      throwMisuse("expected a plan as an object with `commands` or as its text, found undefined");
    const text = requireJsonText(plan, true);
    assertOptions(options, RUN_OPTIONS, "the options of `run`");
    const result = await this.#runTask("plan", text, "", options);
    return result as unknown as PlanResult;
  }

  /**
   * Resumes the plan that was running when the state was last stored, after its last stored step.
   * Returns null if none was interrupted, or if another one runs. `run` with the same plan does the
   * same.
   */
  async resume(options: RunOptions = {}): Promise<PlanResult | null> {
    assertOptions(options, RUN_OPTIONS, "the options of `resume`");
    const result = await this.#runTask("resume", "", "", options);
    return result as unknown as PlanResult | null;
  }

  /** Asks the model for plans and runs them, until it knows the answer. */
  async solve(query: string, options: SolveOptions = {}): Promise<SolveResult> {
    assertString(query, "a question");
    assertOptions(options, RUN_OPTIONS, "the options of `solve`");
    const { maxPlans, maxCalls, maxTokens, maxSteps } = options;
    assertRunOptions(options);
    const budget = JSON.stringify({ maxPlans, maxCalls, maxTokens, maxSteps });
    const result = await this.#runTask("solve", query, budget, options);
    return result as unknown as SolveResult;
  }

  /** Asks the model for all possible next plans, and runs none. */
  async propose(
    query: string,
    options: Pick<RunOptions, "signal" | "timeout"> = {},
  ): Promise<Proposal> {
    assertString(query, "a question");
    assertOptions(options, RUN_OPTIONS, "the options of `propose`");
    const proposal = await this.#runTask("propose", query, "", options);
    const { signal, timeout } = options;
    if (proposal === null) throw signal?.aborted ? signal.reason : timeoutError(timeout);
    return proposal as unknown as Proposal;
  }

  /**
   * Returns the value of a name, from the context or else from the state (a LIST's items, a
   * COUNTER's value). Of a list, `options` choose the rows; another value is returned completely.
   * Throws for rows that a database has not sent: {@link GaslSession.rows} reads them.
   */
  variable(name: string, options: PageOptions = {}): Json | undefined {
    assertString(name, "a name");
    if (this.#readPart("remote", name) !== undefined)
      throwMisuse(`the rows of \`${name}\` are in the database: read them with \`await rows()\``);
    const text = this.#openHandle.variable(name, ...toPageCounts(options));
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /**
   * Returns rows of a variable, also of rows that a database has not sent. Rejects for an unknown
   * variable, so that a failed step does not look like one without rows.
   */
  rows(name: string, options: RowOptions = {}): Promise<Json[]> {
    const read = (what: string) => this.#readPart(what, name);
    return readRows(this.#context.graph, name, read, options, this.#lifetime.signal);
  }

  /** Graph of the options. */
  get graph(): Graph | GraphAdapter {
    return this.#context.graph;
  }

  /** The complete state, as it is stored. */
  get state(): Json {
    return this.#readPart("state") as Json;
  }

  /** Returns each declared key with its type, its size and an example. */
  summary(): { [key: string]: Json } {
    return this.#readPart("summary") as { [key: string]: Json };
  }

  /** Returns the current snapshot. */
  snapshot(): SnapshotInfo {
    return this.#readPart("snapshot") as unknown as SnapshotInfo;
  }

  /** Returns the snapshots before all steps, and after each step that changed the state. */
  snapshots(): SnapshotInfo[] {
    return this.#readPart("snapshots") as unknown as SnapshotInfo[];
  }

  /** Creates a separate session from the current state or a snapshot. It is not stored. */
  fork(hash?: string): GaslSession {
    if (hash !== undefined) assertString(hash, "a hash");
    const handle = this.#openHandle.fork(hash);
    if (!handle) throwMisuse(`unknown snapshot \`${hash}\``);
    const fork = wrapHandle(handle, { ...this.#context, storage: undefined });
    // The stored state may not be loaded yet.
    fork.#pendingStorage = this.#pendingStorage?.copyForFork();
    fork.#options = { ...this.#options, hasBackend: false };
    return fork;
  }

  /** Returns the data for a replay: all calls, and every reply of the model. */
  recording(): Json {
    return this.#readPart("recording") as Json;
  }

  /**
   * Replays a recording without a model. A strict replay (the default) throws a {@link GaslError}
   * if the recording lacks a reply, or if the final state differs.
   */
  static async replay(
    recording: Json,
    options: { graph: Graph | GraphAdapter; strict?: boolean },
  ): Promise<GaslSession> {
    wasmMemory();
    const needs = { graph: assertGraph, strict: assertBoolean };
    assertOptionTypes(options, needs, "the options of `replay`", ["graph"]);
    const { graph, strict = true } = options;
    const context: SessionContext = {
      graph,
      llm: undefined,
      storage: undefined,
      now: () => new Date().toISOString(),
    };
    const recorded = toJson(recording);
    const handle = createHandle(context, { recording: recorded }, await currentTime(context));
    withGaslErrors(() => handle.replay_from(JSON.stringify(recorded), strict));
    let session = wrapHandle(handle, context);
    const { entries, hash } = recorded as unknown as { entries: RecordingEntry[]; hash?: string };
    const misses: Diagnostic[] = [];
    const open: (SessionUpdate | undefined)[] = [];
    for (const [at, entry] of entries.entries()) {
      const { kind, of = at } = entry;
      if (kind === "fork") {
        session = session.fork();
        open.length = 0;
        continue;
      }
      const update = await session.#replayEntry(entry, open[of]);
      for (const miss of findMisses(update?.done)) misses.push(miss);
      open[of] = update?.done === undefined ? update : undefined;
    }
    // Drops tasks that were running when the recording was taken.
    session = session.fork();
    session.#openHandle.replayed();
    const ended = session.snapshot().hash;
    if (strict && misses.length > 0) throw new GaslError(misses);
    if (strict && hash !== undefined && hash !== ended) {
      throw new GaslError(JSON.parse(answer("differs", ended, hash)) as Diagnostic[]);
    }
    return session;
  }

  /** Replays an entry with the open task. Returns its last update. */
  async #replayEntry(
    entry: RecordingEntry,
    open: SessionUpdate | undefined,
  ): Promise<SessionUpdate | undefined> {
    const { kind, command, why, query, plan, turns = -1 } = entry;
    let update = open;
    if (kind === "stop")
      update &&= parseUpdate(this.#openHandle.cancel(update.task, kind, await this.#clock.now()));
    else if (kind !== "turns") {
      const text = command ?? query ?? JSON.stringify(plan ?? "");
      update = this.#beginTask(kind, text, why ?? JSON.stringify(entry), await this.#clock.now());
    }
    for (let left = turns; left !== 0 && update?.effects[0]; left--) {
      const perform = this.#performEffect.bind(this);
      const answer = await performEffect(perform, update.effects[0], this.#lifetime.signal);
      update = parseUpdate(this.#openHandle.resume(update.task, answer, await this.#clock.now()));
    }
    return update;
  }

  #beginTask(what: string, text: string, extra: string, now: string): SessionUpdate {
    return parseUpdate(this.#openHandle.begin(what, text, extra, now) ?? FINISHED_UPDATE);
  }

  /** Returns each finding under a key with its sources. */
  evidence(key: string): Json {
    assertString(key, "a key");
    return this.#readPart("evidence", key) ?? [];
  }

  /** Returns a grammar (GBNF) of the commands that are valid for a state. */
  static gbnf(state?: Json): string {
    wasmMemory();
    return withGaslErrors(() => answer("gbnf", requireJsonText(state ?? null), ""));
  }

  /** Returns the JSON schema of a plan. */
  static planSchema(): Json {
    wasmMemory();
    return JSON.parse(answer("schema", "", "")) as Json;
  }

  /** Returns a description of the language for a model: under 1,100 tokens. */
  static prompt(): string {
    wasmMemory();
    return answer("prompt", "", "");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#handle?.free();
    this.#handle = undefined;
    this.#lifetime.abort(new BynameError("disposed", "this session has been disposed"));
  }

  get #openHandle(): Handle {
    return this.#handle ?? throwDisposed("session");
  }

  /** Returns a part of the session, by its name in the glue. */
  #readPart(what: string, name = ""): Json | undefined {
    const text = this.#openHandle.show(what, name);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /** Loads the state before the first step; after a failure the next step tries again. */
  async #ensureLoaded(signal: AbortSignal): Promise<void> {
    const storage = this.#pendingStorage;
    if (!storage) return;
    this.#loading ??= this.#loadState(storage).finally(() => {
      this.#loading = undefined;
    });
    await abortable(this.#loading, signal);
  }

  async #loadState(storage: StateStorage): Promise<void> {
    const state = await storage.load();
    if (this.#disposed) return;
    if (state !== undefined && (this.#options["state"] ?? null) === null) {
      const now = await currentTime(this.#context);
      if (this.#disposed) return;
      const options = { ...this.#options, state: toJson(state) };
      const handle = createHandle(this.#context, options, now);
      this.#handle?.free();
      this.#handle = handle;
    }
    this.#pendingStorage = undefined;
  }

  /**
   * Runs a task with two text arguments, by its name in the glue. Returns null if there is nothing
   * to run.
   */
  async #runTask(what: string, text: string, extra: string, options: SolveOptions): Promise<Json> {
    assertRunOptions(options);
    const timeoutSignal = options.timeout === undefined ? undefined : deadline(options.timeout);
    const conflictSignal = this.#context.storage?.conflictSignal;
    const { signal, clear } = anySignal(
      ...[this.#lifetime.signal, options.signal, timeoutSignal?.signal, conflictSignal],
    );
    const hold = holdOf(options);
    let task = 0;
    // A task that was stopped before the state was loaded has not used it. A session without a
    // store reports that.
    let stoppedHandle: Handle | undefined;
    const host: TaskHost = {
      resume: (answer) =>
        this.#clock.callWithTime((now) =>
          parseUpdate((stoppedHandle ?? this.#openHandle).resume(task, answer, now)),
        ),
      cancel: () =>
        this.#clock.callWithTime((now) =>
          parseUpdate(
            (stoppedHandle ?? this.#openHandle).cancel(task, wellFormedMessage(signal.reason), now),
          ),
        ),
      perform: (effect, within) => {
        const perform = () => this.#performEffect(effect, within, signal);
        const isHeld = hold && !signal.aborted && HELD_EFFECTS.has(effect.kind);
        const start = isHeld ? () => hold(effect.kind, within).then(perform) : perform;
        return performEffect(start, effect, within);
      },
      notify: (event) => notifyListener(event as unknown as SessionEvent, options),
    };
    try {
      await this.#ensureLoaded(signal).catch(async (reason) => {
        if (!signal.aborted || this.#disposed) throw reason;
        const now = await currentTime(this.#context);
        stoppedHandle = createHandle(this.#context, { ...this.#options, hasBackend: false }, now);
      });
      // A failing clock throws before the task begins.
      const now = await this.#clock.start();
      const first = () => {
        const kind = stoppedHandle && what === "execute" ? "give_up" : what;
        const update = parseUpdate(
          (stoppedHandle ?? this.#openHandle).begin(kind, text, extra, now) ?? FINISHED_UPDATE,
        );
        task = update.task;
        return update;
      };
      const result = await runTask(host, first, signal);
      conflictSignal?.throwIfAborted();
      return result;
    } finally {
      if (signal.aborted) this.#context.storage?.withdraw(signal);
      stoppedHandle?.free();
      clear();
      timeoutSignal?.clear();
    }
  }

  /** Captures the state for a save. */
  #captureState(): StateCapture {
    const previous = this.#context.storage?.acceptsChanges ? this.#lastCapture : undefined;
    this.#lastCapture = new StateCapture(this.#openHandle, previous);
    return this.#lastCapture;
  }

  async #performEffect(effect: Effect, signal: AbortSignal, task = signal): Promise<string> {
    const { kind } = effect;
    if (kind === "query") return queryText(this.#context, effect, signal);
    let done: Json = null;
    if (kind === "ask") {
      this.#requestCount += 1;
      done = await askModel(this.#context, effect, this.#requestCount, signal);
    } else if (kind === "yield") await nextTask();
    else if (kind === "save") await this.#context.storage?.save(this.#captureState(), task);
    return JSON.stringify(done) ?? "null";
  }
}

function wrapHandle(handle: Handle, context: SessionContext): GaslSession {
  handedOver = { handle, context };
  return new GaslSession(context as GaslSessionOptions);
}
