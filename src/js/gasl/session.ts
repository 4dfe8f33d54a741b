// `Symbol.dispose` is younger than the `lib` of most who import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { abortable, anySignal, deadline, tooLate } from "../abort.js";
import { needEach, needFlag, needFunction, needOptions, refuse } from "../arguments.js";
import { disposed } from "../bridge.js";
import { gasl_answer as answer, type Session as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { BynameError, needString } from "../errors.js";
import { jsonOf, wellFormed } from "../json-text.js";
import { partsOf, resultOf } from "../llm/collect.js";
import type { LlmRequest, LlmTask } from "../llm/types.js";
import {
  answerTo,
  bounded,
  type Driven,
  drive,
  type Effect,
  messageOf,
  type Turn,
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
import { needRun, needValues, RUN_OPTIONS, SESSION_OPTIONS } from "./options.js";
import { type Entry, missesIn } from "./recording.js";
import { asGaslError, begin, find, type Ground, needGraph, timeOf } from "./session-context.js";
import { Stored } from "./state-storage.js";
import type {
  FindQuery,
  GaslSessionOptions,
  GraphAdapter,
  Proposal,
  RunOptions,
  SolveOptions,
} from "./types.js";

/** A turn, with its task. */
type TaskTurn = Turn & { task: number };

function turnOf(text: string | undefined): TaskTurn {
  if (text === undefined) throw new Error("the task is not there any more");
  return JSON.parse(text) as TaskTurn;
}

/** The turn of what does not begin. */
const NOTHING = JSON.stringify({ task: 0, events: [], effects: [], done: null });

/** Hands a made handle to the constructor. */
let made: { handle: Handle; ground: Ground } | undefined;

/** A session over a graph: commands, plans and the loop, with a state that lasts. */
export class GaslSession {
  #handle: Handle | undefined;
  readonly #ground: Ground;
  /** What was given, for the state that a backend loads. */
  #given: { [name: string]: Json } = {};
  /** What still has to be loaded before the first step. */
  #unloaded: Stored | undefined;
  #loading: Promise<void> | undefined;
  #disposed = false;
  /** Ends what runs when the session does. */
  readonly #end = new AbortController();
  #time = "";
  #asked = 0;

  constructor(options: GaslSessionOptions) {
    wasmMemory();
    if (made) {
      this.#handle = made.handle;
      this.#ground = made.ground;
      made = undefined;
      return;
    }
    needOptions(options, SESSION_OPTIONS, "the options of a GaslSession");
    const { graph, llm, backend, now = () => new Date().toISOString() } = options;
    needGraph(graph);
    if (llm !== undefined) needFunction(llm, "`llm`");
    needFunction(now, "`now`");
    if (backend !== undefined) {
      needFunction(backend?.load, "`load` of the backend");
      needFunction(backend.save, "`save` of the backend");
    }
    needValues(options);
    const stored = backend && new Stored(backend);
    this.#ground = { graph, llm, stored, now };
    const { query, state, caps, ceilings, seed, model, retries } = options;
    // A question may be cut in the middle of a character.
    const question = typeof query === "string" ? wellFormed(query) : query;
    const given = { query: question, state, caps, ceilings, seed, model, retries };
    this.#given = {
      ...(asJson(given) as { [name: string]: Json }),
      hasModel: llm !== undefined,
      hasBackend: backend !== undefined,
    };
    this.#handle = begin(this.#ground, this.#given);
    this.#unloaded = stored;
  }

  /** What is wrong with a command, or with the lines of a block. */
  static check(command: string): { ok: boolean; diagnostics: Diagnostic[] } {
    wasmMemory();
    needString(command, "a command");
    const diagnostics = JSON.parse(answer("check", command, "")) as Diagnostic[];
    return { ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
  }

  /** Runs one command. It may run beside a plan. */
  async execute(
    command: string,
    options: { why?: string } & Omit<RunOptions, "onStep"> = {},
  ): Promise<ExecutionRecord> {
    needString(command, "a command");
    needOptions(options, RUN_OPTIONS, "the options of `execute`");
    const { why = "", ...listeners } = options;
    const { signal } = listeners;
    needString(why, "`why`");
    const what = signal?.aborted ? "give_up" : "execute";
    const record = await this.#drive(what, command, why, listeners as RunOptions);
    return record as unknown as ExecutionRecord;
  }

  /** Runs a plan, or the text of one. While one runs, another is refused with a diagnostic. */
  async run(plan: Plan | string, options: RunOptions = {}): Promise<PlanResult> {
    if (plan === undefined) refuse("a plan is an object with `commands`, or its text");
    const text = jsonOf(plan, true);
    needOptions(options, RUN_OPTIONS, "the options of `run`");
    const result = await this.#drive("plan", text, "", options);
    return result as unknown as PlanResult;
  }

  /**
   * Goes on with the plan that was running when the state was stored last: after its last step
   * that was stored. Answers null where none was interrupted, or another one runs already. `run`
   * with the same plan does the same.
   */
  async resume(options: RunOptions = {}): Promise<PlanResult | null> {
    needOptions(options, RUN_OPTIONS, "the options of `resume`");
    const result = await this.#drive("resume", "", "", options);
    return result as unknown as PlanResult | null;
  }

  /** Asks the model for plans and runs them, until it knows the answer. */
  async solve(query: string, options: SolveOptions = {}): Promise<SolveResult> {
    needString(query, "a question");
    needOptions(options, RUN_OPTIONS, "the options of `solve`");
    const { maxPlans, maxCalls, maxTokens, maxSteps } = options;
    needRun(options);
    const budget = JSON.stringify({ maxPlans, maxCalls, maxTokens, maxSteps });
    const result = await this.#drive("solve", query, budget, options);
    return result as unknown as SolveResult;
  }

  /** Asks the model for all that it would do next, and runs nothing of it. */
  async propose(
    query: string,
    options: Pick<RunOptions, "signal" | "timeout"> = {},
  ): Promise<Proposal> {
    needString(query, "a question");
    needOptions(options, RUN_OPTIONS, "the options of `propose`");
    const proposal = await this.#drive("propose", query, "", options);
    const { signal, timeout } = options;
    if (proposal === null) throw signal?.aborted ? signal.reason : tooLate(timeout);
    return proposal as unknown as Proposal;
  }

  /** What a name holds: the context first, then the state (a LIST's items, a COUNTER's value). */
  variable(name: string): Json | undefined {
    needString(name, "a name");
    return this.#show("variable", name);
  }

  /** The whole state, as it is stored. */
  get state(): Json {
    return this.#show("state") as Json;
  }

  /** What there is in the state: each declared key with its type, its size and an example. */
  summary(): { [key: string]: Json } {
    return this.#show("summary") as { [key: string]: Json };
  }

  /** The state as it is now. */
  snapshot(): SnapshotInfo {
    return this.#show("snapshot") as unknown as SnapshotInfo;
  }

  /** The state before all steps, and after each step that changed it. */
  snapshots(): SnapshotInfo[] {
    return this.#show("snapshots") as unknown as SnapshotInfo[];
  }

  /** A session of its own, from here or from a snapshot. It is not stored anywhere. */
  fork(hash?: string): GaslSession {
    if (hash !== undefined) needString(hash, "a hash");
    const handle = this.#living.fork(hash);
    if (!handle) refuse(`there is no snapshot ${hash}`);
    const fork = wrap(handle, { ...this.#ground, stored: undefined });
    // What is stored may still have to be loaded.
    fork.#unloaded = this.#unloaded?.copy();
    fork.#given = { ...this.#given, hasBackend: false };
    return fork;
  }

  /** Everything that a replay needs: what was asked for, and every reply of the model. */
  recording(): Json {
    return this.#show("recording") as Json;
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
    const needs = { graph: needGraph, strict: needFlag };
    needEach(options, needs, "the options of `replay`", ["graph"]);
    const { graph, strict = true } = options;
    const ground: Ground = {
      graph,
      llm: undefined,
      stored: undefined,
      now: () => new Date().toISOString(),
    };
    const recorded = asJson(recording);
    const handle = begin(ground, { recording: recorded });
    asGaslError(() => handle.replay_from(JSON.stringify(recorded), strict));
    let session = wrap(handle, ground);
    const { entries, hash } = recorded as unknown as { entries: Entry[]; hash?: string };
    const missed: Diagnostic[] = [];
    const open: (TaskTurn | undefined)[] = [];
    for (const [at, entry] of entries.entries()) {
      const { kind, of = at } = entry;
      if (kind === "fork") {
        session = session.fork();
        open.length = 0;
        continue;
      }
      const turn = await session.#again(entry, open[of]);
      for (const miss of missesIn(turn?.done)) missed.push(miss);
      open[of] = turn?.done === undefined ? turn : undefined;
    }
    // What was under way when the recording was taken is not gone on with.
    session = session.fork();
    session.#living.replayed();
    const ended = session.snapshot().hash;
    if (strict && missed.length > 0) throw new GaslError(missed);
    if (strict && hash !== undefined && hash !== ended) {
      throw new GaslError(JSON.parse(answer("differs", ended, hash)) as Diagnostic[]);
    }
    return session;
  }

  /** Does again what an entry says, to the task that is open; answers where that stands. */
  async #again(entry: Entry, open: TaskTurn | undefined): Promise<TaskTurn | undefined> {
    const { kind, command, why, query, plan, turns = -1 } = entry;
    let turn = open;
    if (kind === "stop") turn &&= turnOf(this.#living.cancel(turn.task, kind, this.#now()));
    else if (kind !== "turns") {
      const text = command ?? query ?? JSON.stringify(plan ?? "");
      turn = this.#begin(kind, text, why ?? JSON.stringify(entry), this.#now());
    }
    for (let left = turns; left !== 0 && turn?.effects[0]; left--) {
      const perform = this.#perform.bind(this);
      const answer = await answerTo(perform, turn.effects[0], this.#end.signal);
      turn = turnOf(this.#living.resume(turn.task, answer, this.#now()));
    }
    return turn;
  }

  #begin(what: string, text: string, beside: string, now: string): TaskTurn {
    return turnOf(this.#living.begin(what, text, beside, now) ?? NOTHING);
  }

  /** Each finding under a key with its sources. */
  evidence(key: string): Json {
    needString(key, "a key");
    return this.#show("evidence", key) ?? [];
  }

  /** A grammar (GBNF) of the commands that are valid over a state. */
  static gbnf(state?: Json): string {
    wasmMemory();
    return asGaslError(() => answer("gbnf", jsonOf(state ?? null), ""));
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
    this.#end.abort(new BynameError("disposed", "this session has been disposed of"));
  }

  get #living(): Handle {
    return this.#handle ?? disposed("session");
  }

  /** A part of the session, by its name in the glue. */
  #show(what: string, name = ""): Json | undefined {
    const text = this.#living.show(what, name);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  /** The host's time; the last one where its clock fails while something runs. */
  #now(): string {
    try {
      this.#time = timeOf(this.#ground);
    } catch (fault) {
      if (this.#time === "") throw fault;
    }
    return this.#time;
  }

  /** Loads the state before the first step; where that fails, the next step tries again. */
  async #ready(signal: AbortSignal): Promise<void> {
    const stored = this.#unloaded;
    if (!stored) return;
    this.#loading ??= this.#load(stored).finally(() => {
      this.#loading = undefined;
    });
    await abortable(this.#loading, signal);
  }

  async #load(stored: Stored): Promise<void> {
    const state = await stored.load();
    if (this.#disposed) return;
    if (state !== undefined && (this.#given["state"] ?? null) === null) {
      const handle = begin(this.#ground, { ...this.#given, state: asJson(state) });
      this.#handle?.free();
      this.#handle = handle;
    }
    this.#unloaded = undefined;
  }

  /** Does what begins with two texts, by its name in the glue; null where there is nothing to begin. */
  async #drive(what: string, text: string, beside: string, options: SolveOptions): Promise<Json> {
    needRun(options);
    const late = options.timeout === undefined ? undefined : deadline(options.timeout);
    const { signal, clear } = anySignal(this.#end.signal, options.signal, late?.signal);
    let task = 0;
    // Who was stopped before the state was there has done nothing with it: that is told by a session without a store.
    let stopped: Handle | undefined;
    const driven: Driven = {
      // The clock is asked first: it is the host's, and may dispose of the session.
      resume: (answer) => {
        const now = this.#now();
        return turnOf((stopped ?? this.#living).resume(task, answer, now));
      },
      cancel: () => {
        const now = this.#now();
        return turnOf((stopped ?? this.#living).cancel(task, messageOf(signal.reason), now));
      },
      perform: (effect, within) => this.#perform(effect, within, signal.aborted),
      tell: (event) => tell(event as unknown as SessionEvent, options),
    };
    try {
      await this.#ready(signal).catch((reason) => {
        if (!signal.aborted || this.#disposed) throw reason;
        stopped = begin(this.#ground, { ...this.#given, hasBackend: false });
      });
      // A clock that fails is told before anything begins.
      const now = timeOf(this.#ground);
      this.#time = now;
      const first = () => {
        const kind = stopped && what === "execute" ? "give_up" : what;
        const turn = turnOf((stopped ?? this.#living).begin(kind, text, beside, now) ?? NOTHING);
        task = turn.task;
        return turn;
      };
      return await drive(driven, first, signal);
    } finally {
      stopped?.free();
      clear();
      late?.clear();
    }
  }

  async #perform(effect: Effect, signal: AbortSignal, late = false): Promise<string> {
    const { kind } = effect;
    let done: Json = null;
    if (kind === "ask") done = await this.#ask(effect, signal);
    else if (kind === "query") done = await this.#query(effect, signal);
    else if (kind === "save") await this.#ground.stored?.save(this.state, late);
    return JSON.stringify(done) ?? "null";
  }

  #query(effect: Effect, signal: AbortSignal): Promise<Json> {
    const adapter = this.#ground.graph as GraphAdapter;
    const query = effect["query"] as unknown as FindQuery;
    return bounded(signal, query.caps["timeout_ms"], (within) =>
      find(adapter, effect["what"], query, within),
    );
  }

  async #ask(effect: Effect, signal: AbortSignal): Promise<Json> {
    const { llm } = this.#ground;
    if (!llm) throw new Error("there is no model");
    const { task, system, prompt, schema, schemaName, gbnf, attempt, previousError } = effect;
    this.#asked += 1;
    const previous = previousError as unknown as Diagnostic[] | null;
    const requestWithin = (within: AbortSignal): LlmRequest => ({
      id: `${task}-${this.#asked}`,
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
    const result = await bounded(signal, effect["timeout"], (within) =>
      resultOf(llm, requestWithin(within)),
    );
    if (typeof result === "string") return { text: result };
    // What is neither is shown again, whole, where the model is told so.
    return asJson("text" in result || "json" in result ? partsOf(result) : result);
  }
}

type SessionEvent =
  | { kind: "step"; record: ExecutionRecord }
  | { kind: "plan"; plan: Plan }
  | { kind: "batch"; done: number; total: number };

function tell(event: SessionEvent, options: SolveOptions): unknown {
  if (event.kind === "step") return options.onStep?.(event.record);
  if (event.kind === "plan") return options.onPlan?.(event.plan);
  return options.onBatch?.({ done: event.done, total: event.total });
}

function wrap(handle: Handle, ground: Ground): GaslSession {
  made = { handle, ground };
  return new GaslSession(ground as GaslSessionOptions);
}

/** What JSON shows of a value, without what is `undefined`; misuse where it shows nothing. */
function asJson(value: unknown): Json {
  return JSON.parse(jsonOf(value, true)) as Json;
}
