import type { Diagnostic, ExecutionRecord, PlanResult, SolveResult } from "byname";
import { collect, type LlmCallback, type LlmReply, type LlmRequest } from "byname/llm";
import type { Model } from "../model/choice.js";
import { errorText, formatCount } from "../page/format.js";
import type { GraphSource, Session, SessionOptions } from "./graph-source.js";
import { formatPlan, type ParsedPlan, type PlanEntry, parsePlan } from "./plan.js";
import { findPlan } from "./reply-plan.js";
import { maxReadRows, type Result, readResultOf, resultName } from "./result.js";
import { emptyState, readState, readStateAfter, type State } from "./session-state.js";
import { describeStep } from "./step-note.js";

export type { Finding, State } from "./session-state.js";

/** Snapshot of everything that the page shows after a step. */
export interface Frame {
  kind: "plan" | "step" | "end";
  title: string;
  note: string;
  status: ExecutionRecord["status"] | "neutral";
  /** Text in the editor. */
  text: string;
  entry: PlanEntry | null;
  /** Reason of the step, if it differs from the plan's. */
  why: string;
  record: ExecutionRecord | null;
  diagnostics: Diagnostic[];
  /** Current result; a step without one keeps the previous. */
  result: Result | null;
  /** Last result of each name. */
  results: Map<string, Result>;
  state: State;
  /** Number of records and exchanges of the run at this step. */
  records: number;
  exchanges: number;
  /** Milliseconds of the step, models included. */
  time: number | null;
}

export interface ModelExchange {
  task: string;
  model: string;
  attempt: number;
  system: string;
  prompt: string;
  reply: string | null;
  failed: string | null;
  /** Milliseconds; null for a scripted model. */
  time: number | null;
  tokens: { inputTokens?: number; outputTokens?: number } | null;
}

/** Replaceable model of a session; a fork keeps the session's callback. */
export interface ModelSlot {
  ask: LlmCallback;
}

/** Session with its replaceable model. */
export interface RunSession {
  session: Session;
  modelSlot: ModelSlot;
  /** Maximum number of rows that are read from a worker or a database. */
  maxRows: number;
}

/** Creates a session, with an empty state unless its backend has one. */
export function newSession(
  source: GraphSource,
  query: string,
  backend?: SessionOptions["backend"],
): RunSession {
  const slot: ModelSlot = {
    ask: () => {
      throw new Error("no run is under way");
    },
  };
  const llm = (request: LlmRequest) => slot.ask(request);
  return {
    session: source.newSession({ ...(backend && { backend }), llm, query }),
    modelSlot: slot,
    maxRows: maxReadRows(source.summary.nodes),
  };
}

export interface RunListener {
  /** Called when there is a new frame, or the run has ended. */
  framesChanged(): void;
  /** Called with the current activity. */
  progress(words: string): void;
  /** Resolves when the user has seen all frames; a real model is asked only then. */
  waitUntilViewed(signal: AbortSignal): Promise<void>;
  /** Called with the error of a run that has thrown one. */
  failed?(error: unknown): void;
}

/** Run of a plan or a question, recorded as frames. */
export class Run {
  readonly frames: Frame[] = [];
  readonly records: ExecutionRecord[] = [];
  readonly exchanges: ModelExchange[] = [];
  done = false;
  /** Whether the plan was interrupted, so that it can be resumed. */
  isInterrupted = false;
  /** Question for the model; null if a plan runs. */
  question: string | null = null;
  readonly session: Session;
  readonly modelSlot: ModelSlot;
  readonly #maxRows: number;
  #model: Model;
  readonly #listener: RunListener;
  readonly #abort = new AbortController();
  #parsedPlan: ParsedPlan = { plan: "", entries: [], json: false };
  #text = "";
  #nextEntry = 0;
  /** Reason of the plan, the default of its steps. */
  #why = "";
  #results = new Map<string, Result>();
  /** Number of plans so far, and of the plan whose results these are. */
  #planCount = 0;
  #resultPlan = 0;
  #lastResult: Result | null = null;
  /** Last result that went into the state; the basis of an answer. */
  #updateResult: Result | null = null;
  #state: State;
  #restoredCount = 0;
  #stepStart = performance.now();
  /** Frame whose data is being read from a worker or a database; later frames wait for it. */
  #pendingFrame: Promise<void> | null = null;

  constructor(start: RunSession, model: Model, listener: RunListener, state = emptyState) {
    this.session = start.session;
    this.modelSlot = start.modelSlot;
    this.#maxRows = start.maxRows;
    this.#model = model;
    this.#listener = listener;
    this.#state = state;
    this.modelSlot.ask = (request) => this.#askModel(request);
  }

  /**
   * Returns a session that continues from a frame; a promise if it is in a worker. Returns null for
   * a restored frame, because the session does not have its state.
   */
  fork(frame: Frame): RunSession | Promise<RunSession> | null {
    if (this.frames.indexOf(frame) < this.#restoredCount) return null;
    const shared = { modelSlot: this.modelSlot, maxRows: this.#maxRows };
    const forked = this.session.fork(frame.state.hash);
    if (forked instanceof Promise) return forked.then((session) => ({ session, ...shared }));
    return { session: forked, ...shared };
  }

  stop(): void {
    this.#abort.abort(new Error("stopped"));
  }

  /** Runs a plan from the editor. */
  async plan(text: string, written: ParsedPlan): Promise<void> {
    this.#startPlan(text, written);
    await this.#runToEnd(async () => {
      const result = await this.session.run(written.plan, this.#options);
      await this.#readFrames();
      this.#addPlanEnd(result);
    });
  }

  /** Adds the frames and model exchanges of a saved run. */
  restore({
    frames,
    exchanges,
    isInterrupted,
  }: Pick<Run, "frames" | "exchanges" | "isInterrupted">): void {
    this.isInterrupted = isInterrupted;
    this.#restoredCount = frames.length;
    this.frames.push(...frames);
    this.exchanges.push(...exchanges);
    for (const { record } of frames) if (record) this.records.push(record);
    const last = frames.at(-1);
    this.#lastResult = last?.result ?? null;
    this.#results = last?.results ?? new Map();
    this.#state = last?.state ?? emptyState;
    this.done = true;
  }

  /** Resumes the plan that was interrupted, after its last step that was stored. */
  async resume(model: Model): Promise<void> {
    this.#model = model;
    const { text = "", entry } = this.frames.filter(({ kind }) => kind !== "end").at(-1) ?? {};
    const written = parsePlan(text);
    this.#startPlan(text, written);
    this.#resultPlan = this.#planCount;
    this.#nextEntry = written.entries.findIndex(({ start }) => start === entry?.start) + 1;
    this.done = false;
    this.isInterrupted = false;
    await this.#runToEnd(async () => {
      const result = await this.session.resume(this.#options);
      await this.#readFrames();
      if (result) this.#addPlanEnd(result);
      else this.#addFrame(nothingToResume);
    });
  }

  /** Asks the model for plans until it returns an answer. */
  async solve(question: string): Promise<void> {
    this.question = question;
    await this.#runToEnd(async () => {
      const result = await this.session.solve(question, { ...this.#options, maxCalls: 40 });
      await this.#readFrames();
      this.#addAnswer(result);
    });
  }

  get #options() {
    return {
      signal: this.#abort.signal,
      onStep: (record: ExecutionRecord) => this.#addStep(record),
      onBatch: ({ done, total }: { done: number; total: number }) =>
        this.#listener.progress(`Part ${done} of ${total} is done.`),
    };
  }

  async #runToEnd(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#abort.signal.aborted) {
        const words = errorText(error);
        this.#addFrame({ kind: "end", title: "Failed", note: words, status: "error" });
        this.#listener.failed?.(error);
      }
    }
    await this.#readFrames();
    this.done = true;
    if (!this.#abort.signal.aborted) this.#listener.framesChanged();
  }

  /** Waits until the data of all frames is read. */
  async #readFrames(): Promise<void> {
    while (this.#pendingFrame) await this.#pendingFrame;
  }

  #startPlan(text: string, written: ParsedPlan): void {
    const { plan } = written;
    this.#text = text;
    this.#why =
      typeof plan === "string" ? (/"why"\s*:\s*"([^"]*)"/.exec(plan)?.[1] ?? "") : plan.why;
    this.#parsedPlan = written;
    this.#nextEntry = 0;
    this.#planCount += 1;
    this.#stepStart = performance.now();
  }

  async #askModel(request: LlmRequest): Promise<LlmReply> {
    const { task, attempt, system, prompt, signal } = request;
    const { name, scripted, callback } = this.#model;
    if (!scripted) await this.#listener.waitUntilViewed(signal);
    const exchange: ModelExchange = {
      task,
      model: name,
      attempt,
      system,
      prompt,
      reply: null,
      failed: null,
      time: null,
      tokens: null,
    };
    this.exchanges.push(exchange);
    this.#listener.progress(`Asking the model (${name}).`);
    const start = performance.now();
    try {
      const reply = await collect(callback, request);
      exchange.reply = reply.text ?? JSON.stringify(reply.json, null, 2);
      exchange.model = reply.model ?? name;
      exchange.tokens = reply.usage ?? null;
      if (!scripted) exchange.time = performance.now() - start;
      if (["plan", "evaluate", "repair"].includes(task)) this.#addPlanFrame(task, exchange.reply);
      return { ...reply, ...(scripted && { model: "scripted" }) };
    } catch (error) {
      exchange.failed = errorText(error);
      throw error;
    }
  }

  /** Adds a frame for a reply with a plan; ignores an answer. */
  #addPlanFrame(task: string, reply: string): void {
    const plan = findPlan(reply);
    if (!plan) return;
    const text = formatPlan(plan);
    this.#startPlan(text, parsePlan(text));
    this.#addFrame({
      kind: "plan",
      title: `The ${this.#model.scripted ? "scripted " : ""}model plans${task === "plan" ? "" : " again"}`,
      note: plan.rationale ?? String(plan.why ?? ""),
      status: "neutral",
    });
  }

  #addStep(record: ExecutionRecord): void {
    const time = performance.now() - this.#stepStart;
    const { entries } = this.#parsedPlan;
    const at = entries.findIndex(
      ({ command }, index) => index >= this.#nextEntry && sameCommand(command, record.command),
    );
    const entry = entries[at] ?? null;
    if (entry && !/^\s*TRY\b/i.test(entry.command)) this.#nextEntry = at + 1;
    const why = record.why === this.#why ? "" : record.why;
    this.records.push(record);
    const name = resultName(record);
    const { session } = this;
    const frame = {
      kind: "step" as const,
      title: `Step ${record.step}`,
      note: describeStep(record, name, why),
      why,
      status: record.status,
      entry,
      record,
      diagnostics: record.errors ?? [],
      time,
    };
    const result = name === null ? null : readResultOf(session, name, record, this.#maxRows);
    const state = readStateAfter(session, this.#state, record.command, name);
    this.#addFrame(frame, result, state);
    this.#stepStart = performance.now();
  }

  #addPlanEnd({ status, answer, diagnostics, records }: PlanResult): void {
    this.isInterrupted = status === "interrupted";
    const rejected = records.length === 0;
    const last = this.frames.at(-1);
    // A plan that failed shows the failed step.
    const failed = status === "failed" && !rejected && last?.kind === "step" ? last : null;
    const error = failed?.diagnostics.find(({ severity }) => severity === "error");
    const errorCount = diagnostics.filter(({ severity }) => severity === "error").length;
    const words = {
      completed: "The plan is complete. Edit and run it again, or go back to any step.",
      stopped_empty:
        "The plan stopped: a step returned no rows. Add an ON EMPTY line to handle that.",
      failed: rejected
        ? `Fix ${formatCount(errorCount, "error")} first.`
        : `The plan stopped at this step${error ? `: ${error.message}` : ""}.`,
      interrupted: "The plan was interrupted. Resume continues it after its last step.",
      cancelled: "The plan was cancelled.",
    }[status];
    const title = {
      completed: "Done",
      stopped_empty: "Stopped",
      failed: "Failed",
      interrupted: "Interrupted",
      cancelled: "Cancelled",
    };
    this.#addFrame({
      kind: "end",
      title: answer === undefined ? title[status] : "Answer",
      note: answer ?? words,
      status: status === "completed" ? "success" : status === "failed" ? "error" : "empty",
      diagnostics: failed ? [...failed.diagnostics, ...diagnostics] : diagnostics,
      entry: failed?.entry ?? null,
    });
  }

  #addAnswer({ status, answer, diagnostics }: SolveResult): void {
    const [diagnostic] = diagnostics;
    this.#addFrame({
      kind: "end",
      title: status === "complete" ? "Answer" : "Stopped",
      note: answer ?? diagnostic?.message ?? "The model loop was stopped.",
      status: status === "complete" ? "success" : "error",
      diagnostics,
      showsUpdate: true,
    });
  }

  /** Adds a frame, after those whose data is still being read. */
  #addFrame(
    frame: NewFrame,
    result: Result | null | Promise<Result | null> = null,
    state: State | null | Promise<State> = readState(this.session, this.#state),
  ): void {
    const counts = { records: this.records.length, exchanges: this.exchanges.length };
    const parts = { text: this.#text, plan: this.#planCount, ...counts, ...frame };
    const isRead = !(result instanceof Promise || state instanceof Promise);
    if (isRead && !this.#pendingFrame) {
      this.#pushFrame(parts, result, state);
      return;
    }
    const before = this.#pendingFrame;
    const pending = Promise.all([result, state, before])
      .then((read) => this.#pushFrame(parts, read[0], read[1]))
      .catch((error: unknown) => {
        const note = `${parts.note} The result was not read: ${errorText(error)}`;
        if (!this.#abort.signal.aborted) this.#pushFrame({ ...parts, note }, null, this.#state);
      })
      .finally(() => {
        if (this.#pendingFrame === pending) this.#pendingFrame = null;
      });
    this.#pendingFrame = pending;
  }

  #pushFrame(
    { showsUpdate = false, plan, ...parts }: NewFrame & FrameContext,
    result: Result | null,
    state: State | null,
  ): void {
    if (this.#resultPlan !== plan) {
      this.#results = new Map();
      this.#resultPlan = plan;
    }
    if (result) {
      this.#results = new Map(this.#results).set(result.name, result);
      this.#lastResult = result;
      if (/^\s*UPDATE\b/i.test(parts.record?.command ?? "")) this.#updateResult = result;
    }
    if (state && state.hash !== this.#state.hash) this.#state = state;
    this.frames.push({
      entry: null,
      why: "",
      record: null,
      diagnostics: [],
      result: (showsUpdate ? this.#updateResult : null) ?? this.#lastResult,
      results: this.#results,
      state: this.#state,
      time: null,
      ...parts,
    });
    this.#listener.framesChanged();
  }
}

const nothingToResume: NewFrame = {
  kind: "end",
  title: "Nothing to resume",
  note: "The stored session has no interrupted plan: open it again to see its state, or press Run.",
  status: "neutral",
};

/** Parts of a frame that are known when its step ends; `plan` is the number of its plan. */
type FrameContext = Pick<Frame, "text" | "records" | "exchanges"> & { plan: number };

/** Frame without the parts that the run adds. */
type NewFrame = Pick<Frame, "kind" | "title" | "note" | "status"> &
  Partial<Omit<Frame, "result" | "results" | "state">> & {
    /** Whether the frame shows the last result that went into the state. */
    showsUpdate?: boolean;
  };

/** A record has the command as written, or as formatted by the core. */
function sameCommand(written: string, recorded: string): boolean {
  const plain = (text: string) => text.replace(/[\s;]+/g, " ").trim();
  if (plain(written) === plain(recorded)) return true;
  return /^\s*TRY\b/i.test(written) && plain(written).includes(plain(recorded));
}
