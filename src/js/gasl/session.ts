// `Symbol.dispose` is younger than the `lib` of most who import this package.
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
import { requireJsonText, toWellFormed } from "../json-text.js";
import { callModel, pickReplyFields } from "../llm/collect.js";
import type { LlmRequest, LlmTask } from "../llm/types.js";
import {
  type Effect,
  performEffect,
  runTask,
  type TaskHost,
  type TaskUpdate,
  wellFormedMessage,
  withTimeout,
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
import { assertRunOptions, assertSessionOptions, RUN_OPTIONS, SESSION_OPTIONS } from "./options.js";
import { findMisses, type RecordingEntry } from "./recording.js";
import {
  assertGraph,
  createHandle,
  currentTime,
  runQuery,
  type SessionContext,
  withGaslErrors,
} from "./session-context.js";
import { StateStorage } from "./state-storage.js";
import type {
  FindQuery,
  GaslSessionOptions,
  GraphAdapter,
  Proposal,
  RunOptions,
  SolveOptions,
} from "./types.js";

/** A turn, with its task. */
type SessionUpdate = TaskUpdate & { task: number };

function parseUpdate(text: string | undefined): SessionUpdate {
  if (text === undefined) throw new Error("the task has ended");
  return JSON.parse(text) as SessionUpdate;
}

/** The turn of what does not begin. */
const FINISHED_UPDATE = JSON.stringify({ task: 0, events: [], effects: [], done: null });

/** Hands a made handle to the constructor. */
let handoff: { handle: Handle; context: SessionContext } | undefined;

/** A session over a graph: commands, plans and the loop, with a state that lasts. */
export class GaslSession {
  #handle: Handle | undefined;
  readonly #context: SessionContext;
  /** What was given, for the state that a backend loads. */
  #options: { [name: string]: Json } = {};
  /** What still has to be loaded before the first step. */
  #pendingStorage: StateStorage | undefined;
  #loading: Promise<void> | undefined;
  #disposed = false;
  /** Ends what runs when the session does. */
  readonly #lifetime = new AbortController();
  #lastTime = "";
  #requestCount = 0;

  constructor(options: GaslSessionOptions) {
    wasmMemory();
    if (handoff) {
      this.#handle = handoff.handle;
      this.#context = handoff.context;
      handoff = undefined;
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
    const stored = backend && new StateStorage(backend);
    this.#context = { graph, llm, stored, now };
    const { query, state, caps, ceilings, seed, model, retries } = options;
    // A question may be cut in the middle of a character.
    const question = typeof query === "string" ? toWellFormed(query) : query;
    const cleanOptions = { query: question, state, caps, ceilings, seed, model, retries };
    this.#options = {
      ...(toJson(cleanOptions) as { [name: string]: Json }),
      hasModel: llm !== undefined,
      hasBackend: backend !== undefined,
    };
    this.#handle = createHandle(this.#context, this.#options);
    this.#pendingStorage = stored;
  }

  /** What is wrong with a command, or with the lines of a block. */
  static check(command: string): { ok: boolean; diagnostics: Diagnostic[] } {
    wasmMemory();
    assertString(command, "a command");
    const diagnostics = JSON.parse(answer("check", command, "")) as Diagnostic[];
    return { ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
  }

  /** Runs one command. It may run beside a plan. */
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

  /** Runs a plan, or the text of one. While one runs, another is refused with a diagnostic. */
  async run(plan: Plan | string, options: RunOptions = {}): Promise<PlanResult> {
    if (plan === undefined)
      throwMisuse("expected a plan as an object with `commands` or as its text, found undefined");
    const text = requireJsonText(plan, true);
    assertOptions(options, RUN_OPTIONS, "the options of `run`");
    const result = await this.#runTask("plan", text, "", options);
    return result as unknown as PlanResult;
  }

  /**
   * Goes on with the plan that was running when the state was stored last: after its last step
   * that was stored. Answers null where none was interrupted, or another one runs already. `run`
   * with the same plan does the same.
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

  /** Asks the model for all that it would do next, and runs nothing of it. */
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

  /** What a name holds: the context first, then the state (a LIST's items, a COUNTER's value). */
  variable(name: string): Json | undefined {
    assertString(name, "a name");
    return this.#readPart("variable", name);
  }

  /** The whole state, as it is stored. */
  get state(): Json {
    return this.#readPart("state") as Json;
  }

  /** What there is in the state: each declared key with its type, its size and an example. */
  summary(): { [key: string]: Json } {
    return this.#readPart("summary") as { [key: string]: Json };
  }

  /** The state as it is now. */
  snapshot(): SnapshotInfo {
    return this.#readPart("snapshot") as unknown as SnapshotInfo;
  }

  /** The state before all steps, and after each step that changed it. */
  snapshots(): SnapshotInfo[] {
    return this.#readPart("snapshots") as unknown as SnapshotInfo[];
  }

  /** A session of its own, from here or from a snapshot. It is not stored anywhere. */
  fork(hash?: string): GaslSession {
    if (hash !== undefined) assertString(hash, "a hash");
    const handle = this.#openHandle.fork(hash);
    if (!handle) throwMisuse(`unknown snapshot \`${hash}\``);
    const fork = wrapHandle(handle, { ...this.#context, stored: undefined });
    // What is stored may still have to be loaded.
    fork.#pendingStorage = this.#pendingStorage?.copy();
    fork.#options = { ...this.#options, hasBackend: false };
    return fork;
  }

  /** Everything that a replay needs: what was asked for, and every reply of the model. */
  recording(): Json {
    return this.#readPart("recording") as Json;
  }

  /**
   * Does again what was recorded, without asking a model. A strict replay (the default) throws a
   * {@link GaslError} where it meets a question that the recording does not answer, or ends in
   * another state.
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
      stored: undefined,
      now: () => new Date().toISOString(),
    };
    const recorded = toJson(recording);
    const handle = createHandle(context, { recording: recorded });
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
    // What was under way when the recording was taken is not gone on with.
    session = session.fork();
    session.#openHandle.replayed();
    const ended = session.snapshot().hash;
    if (strict && misses.length > 0) throw new GaslError(misses);
    if (strict && hash !== undefined && hash !== ended) {
      throw new GaslError(JSON.parse(answer("differs", ended, hash)) as Diagnostic[]);
    }
    return session;
  }

  /** Does again what an entry says, to the task that is open; answers where that stands. */
  async #replayEntry(
    entry: RecordingEntry,
    open: SessionUpdate | undefined,
  ): Promise<SessionUpdate | undefined> {
    const { kind, command, why, query, plan, turns = -1 } = entry;
    let update = open;
    if (kind === "stop")
      update &&= parseUpdate(this.#openHandle.cancel(update.task, kind, this.#now()));
    else if (kind !== "turns") {
      const text = command ?? query ?? JSON.stringify(plan ?? "");
      update = this.#beginTask(kind, text, why ?? JSON.stringify(entry), this.#now());
    }
    for (let left = turns; left !== 0 && update?.effects[0]; left--) {
      const perform = this.#perform.bind(this);
      const answer = await performEffect(perform, update.effects[0], this.#lifetime.signal);
      update = parseUpdate(this.#openHandle.resume(update.task, answer, this.#now()));
    }
    return update;
  }

  #beginTask(what: string, text: string, extra: string, now: string): SessionUpdate {
    return parseUpdate(this.#openHandle.begin(what, text, extra, now) ?? FINISHED_UPDATE);
  }

  /** Each finding under a key with its sources. */
  evidence(key: string): Json {
    assertString(key, "a key");
    return this.#readPart("evidence", key) ?? [];
  }

  /** A grammar (GBNF) of the commands that are valid over a state. */
  static gbnf(state?: Json): string {
    wasmMemory();
    return withGaslErrors(() => answer("gbnf", requireJsonText(state ?? null), ""));
  }

  /** The JSON schema of a plan. */
  static planSchema(): Json {
    wasmMemory();
    return JSON.parse(answer("schema", "", "")) as Json;
  }

  /** The language, for a model: under 1,500 tokens. */
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

  /** A part of the session, by its name in the glue. */
  #readPart(what: string, name = ""): Json | undefined {
    const text = this.#openHandle.show(what, name);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /** The host's time; the last one where its clock fails while something runs. */
  #now(): string {
    try {
      this.#lastTime = currentTime(this.#context);
    } catch (error) {
      if (this.#lastTime === "") throw error;
    }
    return this.#lastTime;
  }

  /** Loads the state before the first step; where that fails, the next step tries again. */
  async #ensureLoaded(signal: AbortSignal): Promise<void> {
    const stored = this.#pendingStorage;
    if (!stored) return;
    this.#loading ??= this.#load(stored).finally(() => {
      this.#loading = undefined;
    });
    await abortable(this.#loading, signal);
  }

  async #load(stored: StateStorage): Promise<void> {
    const state = await stored.load();
    if (this.#disposed) return;
    if (state !== undefined && (this.#options["state"] ?? null) === null) {
      const handle = createHandle(this.#context, { ...this.#options, state: toJson(state) });
      this.#handle?.free();
      this.#handle = handle;
    }
    this.#pendingStorage = undefined;
  }

  /** Does what begins with two texts, by its name in the glue; null where there is nothing to begin. */
  async #runTask(what: string, text: string, extra: string, options: SolveOptions): Promise<Json> {
    assertRunOptions(options);
    const timeoutSignal = options.timeout === undefined ? undefined : deadline(options.timeout);
    const { signal, clear } = anySignal(
      this.#lifetime.signal,
      options.signal,
      timeoutSignal?.signal,
    );
    let task = 0;
    // Who was stopped before the state was there has done nothing with it: that is told by a session without a store.
    let stoppedHandle: Handle | undefined;
    const host: TaskHost = {
      // The clock is asked first: it is the host's, and may dispose of the session.
      resume: (answer) => {
        const now = this.#now();
        return parseUpdate((stoppedHandle ?? this.#openHandle).resume(task, answer, now));
      },
      cancel: () => {
        const now = this.#now();
        return parseUpdate(
          (stoppedHandle ?? this.#openHandle).cancel(task, wellFormedMessage(signal.reason), now),
        );
      },
      perform: (effect, within) => this.#perform(effect, within, signal.aborted),
      notify: (event) => notify(event as unknown as SessionEvent, options),
    };
    try {
      await this.#ensureLoaded(signal).catch((reason) => {
        if (!signal.aborted || this.#disposed) throw reason;
        stoppedHandle = createHandle(this.#context, { ...this.#options, hasBackend: false });
      });
      // A clock that fails is told before anything begins.
      const now = currentTime(this.#context);
      this.#lastTime = now;
      const first = () => {
        const kind = stoppedHandle && what === "execute" ? "give_up" : what;
        const update = parseUpdate(
          (stoppedHandle ?? this.#openHandle).begin(kind, text, extra, now) ?? FINISHED_UPDATE,
        );
        task = update.task;
        return update;
      };
      return await runTask(host, first, signal);
    } finally {
      stoppedHandle?.free();
      clear();
      timeoutSignal?.clear();
    }
  }

  async #perform(effect: Effect, signal: AbortSignal, late = false): Promise<string> {
    const { kind } = effect;
    let done: Json = null;
    if (kind === "ask") done = await this.#ask(effect, signal);
    else if (kind === "query") done = await this.#query(effect, signal);
    else if (kind === "save") await this.#context.stored?.save(this.state, late);
    return JSON.stringify(done) ?? "null";
  }

  #query(effect: Effect, signal: AbortSignal): Promise<Json> {
    const adapter = this.#context.graph as GraphAdapter;
    const query = effect["query"] as unknown as FindQuery;
    return withTimeout(signal, query.caps["timeout_ms"], (within) =>
      runQuery(adapter, effect["what"], query, within),
    );
  }

  async #ask(effect: Effect, signal: AbortSignal): Promise<Json> {
    const { llm } = this.#context;
    if (!llm) throw new Error("no model: pass `llm` to the session");
    const { task, system, prompt, schema, schemaName, gbnf, attempt, previousError } = effect;
    this.#requestCount += 1;
    const previous = previousError as unknown as Diagnostic[] | null;
    const requestWithin = (within: AbortSignal): LlmRequest => ({
      id: `${task}-${this.#requestCount}`,
      task: task as LlmTask,
      system: system as string,
      prompt: prompt as string,
      ...(schema !== null && { schema: schema as Json, schemaName: schemaName as string }),
      ...(gbnf !== null && { grammar: { gbnf: gbnf as string } }),
      temperature: 0,
      attempt: attempt as number,
      ...(previous && previous.length > 0 && { previousError: previous }),
      signal: within,
    });
    const result = await withTimeout(signal, effect["timeout"], (within) =>
      callModel(llm, requestWithin(within)),
    );
    if (typeof result === "string") return { text: result };
    // What is neither is shown again, whole, where the model is told so.
    return toJson("text" in result || "json" in result ? pickReplyFields(result) : result);
  }
}

type SessionEvent =
  | { kind: "step"; record: ExecutionRecord }
  | { kind: "plan"; plan: Plan }
  | { kind: "batch"; done: number; total: number };

function notify(event: SessionEvent, options: SolveOptions): unknown {
  if (event.kind === "step") return options.onStep?.(event.record);
  if (event.kind === "plan") return options.onPlan?.(event.plan);
  return options.onBatch?.({ done: event.done, total: event.total });
}

function wrapHandle(handle: Handle, context: SessionContext): GaslSession {
  handoff = { handle, context };
  return new GaslSession(context as GaslSessionOptions);
}

/** What JSON shows of a value, without what is `undefined`; misuse where it shows nothing. */
function toJson(value: unknown): Json {
  return JSON.parse(requireJsonText(value, true)) as Json;
}
