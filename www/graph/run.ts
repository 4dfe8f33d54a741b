import {
  type Diagnostic,
  type ExecutionRecord,
  GaslSession,
  type Graph,
  type Json,
  type PlanResult,
  type SolveResult,
} from "byname";
import { collect, type LlmCallback, type LlmReply, type LlmRequest } from "byname/llm";
import type { Model } from "../model/choice.js";
import { errorText, formatCount } from "../page/format.js";
import { formatPlan, type ParsedPlan, type PlanEntry, parsePlan } from "./plan.js";
import { type Result, readResult, resultName } from "./result.js";

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

/** State, shared by frames that did not change it. */
export interface State {
  hash: string;
  variables: { [key: string]: Json };
  /** Findings with their sources, by key. */
  evidence: Map<string, Finding[]>;
}

export interface Finding {
  key: string;
  item: Json;
  sources: { [part: string]: Json }[];
  /** Set if no source is a row. */
  uncited?: boolean;
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

/** Creates a session with an empty state. */
export function newSession(
  graph: Graph,
  query: string,
): { session: GaslSession; modelSlot: ModelSlot } {
  const slot: ModelSlot = {
    ask: () => {
      throw new Error("no run is under way");
    },
  };
  const options = { graph, llm: (request: LlmRequest) => slot.ask(request), query };
  return { session: new GaslSession(options), modelSlot: slot };
}

export interface RunListener {
  /** Called when there is a new frame, or the run has ended. */
  framesChanged(): void;
  /** Called with the current activity. */
  progress(words: string): void;
  /** Resolves when the user has seen all frames; a real model is asked only then. */
  waitUntilViewed(signal: AbortSignal): Promise<void>;
}

/** Run of a plan or a question, recorded as frames. */
export class Run {
  readonly frames: Frame[] = [];
  readonly records: ExecutionRecord[] = [];
  readonly exchanges: ModelExchange[] = [];
  done = false;
  /** Question for the model; null if a plan runs. */
  question: string | null = null;
  readonly session: GaslSession;
  readonly modelSlot: ModelSlot;
  readonly #model: Model;
  readonly #listener: RunListener;
  readonly #abort = new AbortController();
  #parsedPlan: ParsedPlan = { plan: "", entries: [], json: false };
  #text = "";
  #nextEntry = 0;
  /** Reason of the plan, the default of its steps. */
  #why = "";
  #results = new Map<string, Result>();
  #lastResult: Result | null = null;
  /** Last result that went into the state; the basis of an answer. */
  #updateResult: Result | null = null;
  #state: State;
  #stepStart = performance.now();

  constructor(
    start: { session: GaslSession; modelSlot: ModelSlot },
    model: Model,
    listener: RunListener,
  ) {
    this.session = start.session;
    this.modelSlot = start.modelSlot;
    this.#model = model;
    this.#listener = listener;
    this.#state = readState(this.session);
    this.modelSlot.ask = (request) => this.#askModel(request);
  }

  stop(): void {
    this.#abort.abort(new Error("stopped"));
  }

  /** Runs a plan from the editor. */
  async plan(text: string, written: ParsedPlan): Promise<void> {
    this.#startPlan(text, written);
    await this.#runToEnd(async () =>
      this.#addPlanEnd(await this.session.run(written.plan, this.#options)),
    );
  }

  /** Asks the model for plans until it returns an answer. */
  async solve(question: string): Promise<void> {
    this.question = question;
    await this.#runToEnd(async () =>
      this.#addAnswer(await this.session.solve(question, { ...this.#options, maxCalls: 40 })),
    );
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
      }
    }
    this.done = true;
    if (!this.#abort.signal.aborted) this.#listener.framesChanged();
  }

  #startPlan(text: string, written: ParsedPlan): void {
    const { plan } = written;
    this.#text = text;
    this.#why =
      typeof plan === "string" ? (/"why"\s*:\s*"([^"]*)"/.exec(plan)?.[1] ?? "") : plan.why;
    this.#parsedPlan = written;
    this.#nextEntry = 0;
    this.#results = new Map();
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
    const result = name === null ? null : readResult(this.session, name);
    if (name !== null && result) {
      this.#results = new Map(this.#results).set(name, result);
      this.#lastResult = result;
      if (/^\s*UPDATE\b/i.test(record.command)) this.#updateResult = result;
    }
    this.#addFrame({
      kind: "step",
      title: `Step ${record.step}`,
      note: describeStep(record, name, why),
      why,
      status: record.status,
      entry,
      record,
      diagnostics: record.errors ?? [],
      time,
    });
    this.#stepStart = performance.now();
  }

  #addPlanEnd({ status, answer, diagnostics, records }: PlanResult): void {
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
      interrupted: "The database did not respond. Run the plan again to continue it.",
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
      result: this.#updateResult ?? this.#lastResult,
    });
  }

  #addFrame(frame: Pick<Frame, "kind" | "title" | "note" | "status"> & Partial<Frame>): void {
    const { hash } = this.session.snapshot();
    if (hash !== this.#state.hash) this.#state = readState(this.session);
    this.frames.push({
      text: this.#text,
      entry: null,
      why: "",
      record: null,
      diagnostics: [],
      result: this.#lastResult,
      results: this.#results,
      state: this.#state,
      records: this.records.length,
      exchanges: this.exchanges.length,
      time: null,
      ...frame,
    });
    this.#listener.framesChanged();
  }
}

/** A record has the command as written, or as formatted by the core. */
function sameCommand(written: string, recorded: string): boolean {
  const plain = (text: string) => text.replace(/[\s;]+/g, " ").trim();
  if (plain(written) === plain(recorded)) return true;
  return /^\s*TRY\b/i.test(written) && plain(written).includes(plain(recorded));
}

/** Returns the plan of a reply, or null; only for display. */
function findPlan(reply: string): { why?: unknown; commands?: unknown; rationale?: string } | null {
  const from = reply.search(/[{[]/);
  const to = Math.max(reply.lastIndexOf("}"), reply.lastIndexOf("]"));
  if (/^\s*COMPLETE\s*:/i.test(reply) || from < 0 || to < from) return null;
  type ReplyJson = {
    commands?: unknown;
    plan?: unknown;
    next_actions?: { plan?: unknown; confidence?: number; rationale?: string }[];
  };
  let parsed: ReplyJson | unknown[];
  try {
    parsed = JSON.parse(reply.slice(from, to + 1)) as ReplyJson | unknown[];
  } catch {
    return null;
  }
  if (Array.isArray(parsed)) return { commands: parsed };
  const actions = Array.isArray(parsed.next_actions) ? parsed.next_actions : [];
  const [best] = actions
    .filter(({ plan }) => plan !== undefined)
    .sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0));
  const plan = best?.plan ?? parsed.plan ?? parsed;
  const rationale = best?.rationale === undefined ? {} : { rationale: best.rationale };
  if (Array.isArray(plan)) return { commands: plan, ...rationale };
  if (typeof plan !== "object" || plan === null || !("commands" in plan)) return null;
  return { ...plan, ...rationale };
}

/** Returns a sentence about the result of a step. */
function describeStep(
  { status, metrics, errors = [], command }: ExecutionRecord,
  name: string | null,
  why: string,
): string {
  const error = errors.find(({ severity }) => severity === "error") ?? errors[0];
  const rows = metrics["count"];
  const added = metrics["added"];
  const reason = why === "" ? "" : `${/[.?!]$/.test(why) ? why : `${why}.`} `;
  if (status === "empty") return `${reason}No rows${error ? `: ${error.message}` : ""}.`;
  if (status === "partial")
    return `${reason}Partial: ${error?.message ?? "the result was truncated"}.`;
  if (status !== "success") return error ? `${error.message}.` : status.replace("_", " ");
  if (metrics["taken"] === false) return `${reason}Skipped: the condition is false.`;
  if (typeof added === "number")
    return `${reason}${formatCount(added, "finding")} added to \`${name}\` in the state.`;
  if (typeof rows === "number" && name)
    return `${reason}${formatCount(rows, "row")} in \`${name}\`.`;
  if (/^\s*DECLARE/i.test(command)) return `${reason}Declared in the state.`;
  return reason === "" ? "Done." : reason.trim();
}

function readState(session: GaslSession): State {
  const { variables = {} } = session.state as { variables?: { [key: string]: Json } };
  const evidence = new Map<string, Finding[]>();
  for (const key of collectionKeys(variables)) {
    const found = session.evidence(key) as unknown as Finding[];
    if (Array.isArray(found) && found.length > 0) evidence.set(key, found.slice(0, 200));
  }
  return { hash: session.snapshot().hash, variables, evidence };
}

/** Returns the keys of lists and dictionaries, nested ones with dots. */
function collectionKeys(variables: { [key: string]: Json }, before = ""): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const meta = value["_meta"];
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return [];
    const key = before + name;
    const inner =
      meta["type"] === "DICT" ? collectionKeys(value as { [key: string]: Json }, `${key}.`) : [];
    return [key, ...inner];
  });
}
