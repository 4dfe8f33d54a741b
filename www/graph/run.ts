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
import { count } from "../page/format.js";
import { type Entry, linesOf, planOf, type Written } from "./plan.js";
import { nameOf, type Result, resultOf } from "./result.js";

/** What a step looked like: everything that the page shows when one goes back to it. */
export interface Frame {
  kind: "plan" | "step" | "end";
  title: string;
  note: string;
  status: ExecutionRecord["status"] | "told";
  /** What stands in the editor. */
  text: string;
  entry: Entry | null;
  /** The reason of the step, where it is not the plan's. */
  why: string;
  record: ExecutionRecord | null;
  /** What went wrong, for the list below the text. */
  diagnostics: Diagnostic[];
  /** The result in sight; a step that makes none leaves the one before. */
  result: Result | null;
  /** The last result of each name. */
  results: Map<string, Result>;
  state: State;
  /** How much of the run's lists belongs to it. */
  records: number;
  exchanges: number;
  /** Milliseconds of the step, models included. */
  time: number | null;
}

/** The state, shared by frames that did not change it. */
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
}

export interface Exchange {
  task: string;
  model: string;
  attempt: number;
  system: string;
  prompt: string;
  reply: string | null;
  failed: string | null;
  /** Milliseconds; of a scripted model nobody wants to know. */
  time: number | null;
  tokens: { inputTokens?: number; outputTokens?: number } | null;
}

/** The model of a session can change between runs; a fork keeps its session's. */
export interface Desk {
  ask: LlmCallback;
}

/** A session with nothing in it. */
export function begin(graph: Graph, query: string): { session: GaslSession; desk: Desk } {
  const desk: Desk = {
    ask: () => {
      throw new Error("no run is under way");
    },
  };
  const options = { graph, llm: (request: LlmRequest) => desk.ask(request), query };
  return { session: new GaslSession(options), desk };
}

export interface Listener {
  /** There is another frame, or no more will come. */
  grown(): void;
  /** Something takes a while. */
  progress(words: string): void;
  /** Settles when the frames so far have been looked at; a model that costs something is asked only then. */
  caughtUp(signal: AbortSignal): Promise<void>;
}

/** A plan or a question on its way; each thing that happens becomes a frame. */
export class Run {
  readonly frames: Frame[] = [];
  readonly records: ExecutionRecord[] = [];
  readonly exchanges: Exchange[] = [];
  done = false;
  /** What the model is asked; nothing where a plan runs. */
  question: string | null = null;
  readonly session: GaslSession;
  readonly desk: Desk;
  readonly #model: Model;
  readonly #listener: Listener;
  readonly #abort = new AbortController();
  #written: Written = { plan: "", entries: [], json: false };
  #text = "";
  #line = 0;
  /** The reason of the plan, which every step has that gives none of its own. */
  #why = "";
  #results = new Map<string, Result>();
  #last: Result | null = null;
  /** What went into the state last: this is what an answer rests on. */
  #found: Result | null = null;
  #state: State;
  #since = performance.now();

  constructor(at: { session: GaslSession; desk: Desk }, model: Model, listener: Listener) {
    this.session = at.session;
    this.desk = at.desk;
    this.#model = model;
    this.#listener = listener;
    this.#state = stateOf(this.session);
    this.desk.ask = (request) => this.#ask(request);
  }

  stop(): void {
    this.#abort.abort(new Error("stopped"));
  }

  /** Runs a plan as it stands in the editor. */
  async plan(text: string, written: Written): Promise<void> {
    this.#begin(text, written);
    await this.#until(async () => this.#ended(await this.session.run(written.plan, this.#options)));
  }

  /** Asks the model for plans until it knows the answer. */
  async solve(question: string): Promise<void> {
    this.question = question;
    await this.#until(async () =>
      this.#solved(await this.session.solve(question, { ...this.#options, maxCalls: 40 })),
    );
  }

  get #options() {
    return {
      signal: this.#abort.signal,
      onStep: (record: ExecutionRecord) => this.#step(record),
      onBatch: ({ done, total }: { done: number; total: number }) =>
        this.#listener.progress(`The model has read batch ${done} of ${total}.`),
    };
  }

  async #until(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#abort.signal.aborted) {
        const words = error instanceof Error ? error.message : String(error);
        this.#push({ kind: "end", title: "It failed", note: words, status: "error" });
      }
    }
    this.done = true;
    if (!this.#abort.signal.aborted) this.#listener.grown();
  }

  #begin(text: string, written: Written): void {
    const { plan } = written;
    this.#text = text;
    this.#why =
      typeof plan === "string" ? (/"why"\s*:\s*"([^"]*)"/.exec(plan)?.[1] ?? "") : plan.why;
    this.#written = written;
    this.#line = 0;
    this.#results = new Map();
    this.#since = performance.now();
  }

  async #ask(request: LlmRequest): Promise<LlmReply> {
    const { task, attempt, system, prompt, signal } = request;
    const { name, scripted, callback } = this.#model;
    if (!scripted) await this.#listener.caughtUp(signal);
    const exchange: Exchange = {
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
    this.#listener.progress(`The model (${name}) is asked.`);
    const start = performance.now();
    try {
      const reply = await collect(callback, request);
      exchange.reply = reply.text ?? JSON.stringify(reply.json, null, 2);
      exchange.model = reply.model ?? name;
      exchange.tokens = reply.usage ?? null;
      if (!scripted) exchange.time = performance.now() - start;
      if (["plan", "evaluate", "repair"].includes(task)) this.#said(task, exchange.reply);
      return { ...reply, ...(scripted && { model: "scripted" }) };
    } catch (error) {
      exchange.failed = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  /** A reply of the loop: a plan, which the editor shows, or an answer, which the end tells. */
  #said(task: string, reply: string): void {
    const plan = planIn(reply);
    if (!plan) return;
    const text = linesOf(plan);
    this.#begin(text, planOf(text));
    this.#push({
      kind: "plan",
      title: `The ${this.#model.scripted ? "scripted " : ""}model plans${task === "plan" ? "" : " again"}`,
      note: plan.rationale ?? String(plan.why ?? ""),
      status: "told",
    });
  }

  #step(record: ExecutionRecord): void {
    const time = performance.now() - this.#since;
    const { entries } = this.#written;
    const at = entries.findIndex(
      ({ command }, index) => index >= this.#line && sameCommand(command, record.command),
    );
    const entry = entries[at] ?? null;
    if (entry && !/^\s*TRY\b/i.test(entry.command)) this.#line = at + 1;
    const why = record.why === this.#why ? "" : record.why;
    this.records.push(record);
    const name = nameOf(record);
    const result = name === null ? null : resultOf(this.session, name);
    if (name !== null && result) {
      this.#results = new Map(this.#results).set(name, result);
      this.#last = result;
      if (/^\s*UPDATE\b/i.test(record.command)) this.#found = result;
    }
    this.#push({
      kind: "step",
      title: `Step ${record.step}`,
      note: noteOf(record, name, why),
      why,
      status: record.status,
      entry,
      record,
      diagnostics: record.errors ?? [],
      time,
    });
    this.#since = performance.now();
  }

  #ended({ status, answer, diagnostics, records }: PlanResult): void {
    const refused = records.length === 0;
    const last = this.frames.at(-1);
    // A plan that failed on its way shows where it did.
    const failed = status === "failed" && !refused && last?.kind === "step" ? last : null;
    const fault = failed?.diagnostics.find(({ severity }) => severity === "error");
    const faults = diagnostics.filter(({ severity }) => severity === "error").length;
    const words = {
      completed: "The plan is done. Change it and run it again, or go back to any step.",
      stopped_empty:
        "The plan stopped: a step found nothing. An ON EMPTY line would go another way.",
      failed: refused
        ? `Nothing ran: ${count(faults, "thing")} to mend first.`
        : `The plan stopped at this step${fault ? `: ${fault.message}` : ""}.`,
      cancelled: "The plan was cancelled.",
    }[status];
    const title = {
      completed: "Done",
      stopped_empty: "Stopped",
      failed: "Failed",
      cancelled: "Cancelled",
    };
    this.#push({
      kind: "end",
      title: answer === undefined ? title[status] : "Answer",
      note: answer ?? words,
      status: status === "completed" ? "success" : status === "failed" ? "error" : "empty",
      diagnostics: failed ? [...failed.diagnostics, ...diagnostics] : diagnostics,
      entry: failed?.entry ?? null,
    });
  }

  #solved({ status, answer, diagnostics }: SolveResult): void {
    const [fault] = diagnostics;
    this.#push({
      kind: "end",
      title: status === "complete" ? "Answer" : "Stopped",
      note: answer ?? fault?.message ?? "The loop was stopped.",
      status: status === "complete" ? "success" : "error",
      diagnostics,
      result: this.#found ?? this.#last,
    });
  }

  #push(frame: Pick<Frame, "kind" | "title" | "note" | "status"> & Partial<Frame>): void {
    const { hash } = this.session.snapshot();
    if (hash !== this.#state.hash) this.#state = stateOf(this.session);
    this.frames.push({
      text: this.#text,
      entry: null,
      why: "",
      record: null,
      diagnostics: [],
      result: this.#last,
      results: this.#results,
      state: this.#state,
      records: this.records.length,
      exchanges: this.exchanges.length,
      time: null,
      ...frame,
    });
    this.#listener.grown();
  }
}

/** A record holds the command as it was written, or as it prints. */
function sameCommand(written: string, recorded: string): boolean {
  const plain = (text: string) => text.replace(/[\s;]+/g, " ").trim();
  if (plain(written) === plain(recorded)) return true;
  return /^\s*TRY\b/i.test(written) && plain(written).includes(plain(recorded));
}

/** The plan that the loop takes from a reply, for showing it. */
function planIn(reply: string): { why?: unknown; commands?: unknown; rationale?: string } | null {
  const from = reply.search(/[{[]/);
  const to = Math.max(reply.lastIndexOf("}"), reply.lastIndexOf("]"));
  if (/^\s*COMPLETE\s*:/i.test(reply) || from < 0 || to < from) return null;
  type Said = {
    commands?: unknown;
    plan?: unknown;
    next_actions?: { plan?: unknown; confidence?: number; rationale?: string }[];
  };
  let said: Said | unknown[];
  try {
    said = JSON.parse(reply.slice(from, to + 1)) as Said | unknown[];
  } catch {
    return null;
  }
  if (Array.isArray(said)) return { commands: said };
  const actions = Array.isArray(said.next_actions) ? said.next_actions : [];
  const [best] = actions
    .filter(({ plan }) => plan !== undefined)
    .sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0));
  const plan = best?.plan ?? said.plan ?? said;
  const rationale = best?.rationale === undefined ? {} : { rationale: best.rationale };
  if (Array.isArray(plan)) return { commands: plan, ...rationale };
  if (typeof plan !== "object" || plan === null || !("commands" in plan)) return null;
  return { ...plan, ...rationale };
}

/** What a step did, in a sentence. */
function noteOf(
  { status, metrics, errors = [], command }: ExecutionRecord,
  name: string | null,
  why: string,
): string {
  const fault = errors.find(({ severity }) => severity === "error") ?? errors[0];
  const rows = metrics["count"];
  const added = metrics["added"];
  const reason = why === "" ? "" : `${/[.?!]$/.test(why) ? why : `${why}.`} `;
  if (status === "empty") return `${reason}Nothing was found${fault ? `: ${fault.message}` : ""}.`;
  if (status === "partial") return `${reason}Not all of it: ${fault?.message ?? "it was cut"}.`;
  if (status !== "success") return fault ? `${fault.message}.` : status.replace("_", " ");
  if (metrics["taken"] === false) return `${reason}Not needed this time.`;
  if (typeof added === "number")
    return `${reason}${count(added, "finding")} went into the state, \`${name}\`.`;
  if (typeof rows === "number" && name) return `${reason}${count(rows, "row")} in \`${name}\`.`;
  if (/^\s*DECLARE/i.test(command)) return `${reason}The state has a place for what will be found.`;
  return reason === "" ? "Done." : reason.trim();
}

function stateOf(session: GaslSession): State {
  const { variables = {} } = session.state as { variables?: { [key: string]: Json } };
  const evidence = new Map<string, Finding[]>();
  for (const key of keysOf(variables)) {
    const found = session.evidence(key) as unknown as Finding[];
    if (Array.isArray(found) && found.length > 0) evidence.set(key, found.slice(0, 200));
  }
  return { hash: session.snapshot().hash, variables, evidence };
}

/** The keys of lists and dictionaries, nested ones with dots. */
function keysOf(variables: { [key: string]: Json }, before = ""): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const meta = value["_meta"];
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return [];
    const key = before + name;
    const inner =
      meta["type"] === "DICT" ? keysOf(value as { [key: string]: Json }, `${key}.`) : [];
    return [key, ...inner];
  });
}
