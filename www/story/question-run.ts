import type {
  ExecutionRecord,
  Flow,
  GaslSession,
  HamNodes,
  Json,
  NodeAnswer,
  NodeCall,
  NodeCallback,
  Plan,
} from "byname";
import { linkedNodes } from "byname/flow";
import {
  evidenceByTitle,
  findingsNode,
  type NodeKinds,
  refreshOpenSources,
  type Source,
} from "../flow/findings.js";
import type { FlowEvent } from "../flow/types.js";
import { type Result, readResult, resultName } from "../graph/result.js";
import type { Model } from "../model/choice.js";
import { StopError } from "../model/stop-error.js";
import { formatCoarseMilliseconds, formatCount } from "../page/format.js";
import type { Frame, NodeProgress, PlanStep, StageName } from "./frame.js";
import { type graphEdges, highlightOf } from "./highlight.js";
import type { PaceClock } from "./pace-clock.js";
import { planErrors } from "./plan-check.js";
import type { StorySurface, SurfaceUpdate } from "./story-surface.js";

/** Display times in milliseconds. */
const displayDelays = { node: 180, line: 130, step: 430 };

/** Objects shared by all questions. */
export interface QuestionContext {
  session: GaslSession;
  kinds: NodeKinds;
  edges: ReturnType<typeof graphEdges>;
  surface: StorySurface;
  clock: PaceClock;
  flow: Flow;
  inputs: { [name: string]: Json };
  push(frame: Frame): void;
  /** Called with the streamed part of an update. */
  showStreamedText(text: string): void;
}

/** Error prefixes by node. */
const failureMessages: { readonly [node: string]: string } = {
  plan: "The model wrote no plan",
  look: "The plan stopped",
  tell: "The model wrote no answer",
};

const noAnswerText = "The rows are complete, but the answer text is missing.";

const noHighlight = { nodes: new Set<string>(), edges: new Set<string>() };

/** Run of the workflow for one question, recorded as frames. */
export class QuestionRun {
  readonly question: string;
  readonly model: Model;
  /** Replies of the model by node. */
  readonly replies: { [node: string]: Json } = {};
  plan: Plan | null = null;
  /** Sources of each row; stored here, because the session drops them when the next plan runs. */
  evidence: ReadonlyMap<string, Source[]> | null = null;
  readonly #context: QuestionContext;
  readonly #abort = new AbortController();
  readonly #nodeTimes = new Map<string, number>();
  /** Page to restore if the question fails. */
  readonly #previousPage: HamNodes;
  #frame: Frame;
  /** Node whose model the user stopped. */
  #stoppedNode = "";
  /** Feedback on the last plan for the next attempt. */
  #planFeedback = "";

  constructor(
    context: QuestionContext,
    model: Model,
    question: string,
    questionIndex: number,
    before: HamNodes,
  ) {
    this.#context = context;
    this.model = model;
    this.question = question;
    this.#previousPage = before;
    this.#frame = {
      questionIndex,
      question,
      stage: "question",
      title: question,
      plan: null,
      nodes: new Map(),
      highlight: noHighlight,
      update: null,
      document: context.surface.store.export(),
      done: new Set(["question"]),
      error: null,
      numbers: [],
    };
  }

  stop(): void {
    this.#abort.abort(new Error("another question was asked"));
  }

  /** Error message for the user. */
  get error(): string | null {
    return this.#frame.error;
  }

  /** Whether all rows have arrived. */
  get isComplete(): boolean {
    return this.#frame.nodes.get("show")?.state === "finished";
  }

  /** Returns the page that remains after this question; a stopped one has no unfinished text. */
  get remainingPage(): HamNodes {
    const document = this.#context.surface.store.export();
    const finished = (node: string): boolean => this.#frame.nodes.get(node)?.state === "finished";
    if (finished("say") || this.#frame.error !== null) return document;
    return this.isComplete ? { ...document, answer: noAnswerText } : this.#previousPage;
  }

  async run(): Promise<void> {
    const { flow, inputs } = this.#context;
    const { signal } = this.#abort;
    this.#context.push(this.#frame);
    const result = await flow.run({
      nodes: this.#nodes(),
      inputs: { ...inputs, question: this.question },
      signal,
      onEvent: (event) => this.#handleEvent(event),
    });
    if (this.#stoppedNode !== "")
      this.#addFailure(`\`${this.#stoppedNode}\` failed: you cancelled it`);
    if (signal.aborted || result.status === "completed") return;
    const error = result.diagnostics.find(({ severity }) => severity === "error");
    this.#addFailure(error?.message ?? "the workflow stopped");
  }

  /** Adds a frame for an update by the user. */
  addUserUpdate(title: string, update: SurfaceUpdate): void {
    this.#addFrame("surface", title, { update, document: update.document }, updateNumbers(update));
  }

  #nodes(): { [type: string]: NodeCallback } {
    const { session, surface: live, kinds, clock } = this.#context;
    const linked = linkedNodes({ llm: this.model.callback });
    const nodes: { [type: string]: NodeCallback } = {
      llm: (call) =>
        call.id === "plan" ? this.#writePlan(call, linked) : this.#askModel(call, linked),
      "gasl.plan": (call) => this.#runPlan(call),
      findings: findingsNode(session, live.store, kinds),
      "ham.apply": (call) => this.#applyUpdate(call),
    };
    const withDelay = ([type, node]: [string, NodeCallback]): [string, NodeCallback] => [
      type,
      async (call) => {
        await clock.wait(displayDelays.node, call.signal);
        const start = performance.now();
        this.#nodeTimes.delete(call.id);
        const answer = await node(call);
        if (!this.#nodeTimes.has(call.id)) this.#nodeTimes.set(call.id, performance.now() - start);
        await clock.wait(0, call.signal);
        return answer;
      },
    ];
    return Object.fromEntries(Object.entries(nodes).map(withDelay));
  }

  async #askModel(call: NodeCall, linked: { [type: string]: NodeCallback }): Promise<NodeAnswer> {
    const answer = await callModel(linked, call).catch((error: unknown) => {
      // Prevents a retry.
      if (error instanceof StopError) {
        this.#stoppedNode = call.id;
        this.stop();
      }
      throw error;
    });
    this.replies[call.id] = answer.outputs["response"] ?? null;
    return answer;
  }

  /** Lets the model write a plan; an invalid one is retried once with its errors. */
  async #writePlan(call: NodeCall, linked: { [type: string]: NodeCallback }): Promise<NodeAnswer> {
    const inputs = { ...call.inputs, prompt: `${call.inputs["prompt"]}${this.#planFeedback}` };
    const start = performance.now();
    const answer = await this.#askModel({ ...call, inputs }, linked).catch((error: unknown) => {
      this.#planFeedback = "\n\nReturn only the JSON of a plan.";
      throw error;
    });
    const time = performance.now() - start;
    this.#nodeTimes.set(call.id, time);
    const given = answer.outputs["response"] ?? null;
    const mistakes = planErrors(given);
    if (mistakes.length > 0) {
      this.#planFeedback = `\n\nYour last plan has errors:\n${mistakes.map((one) => one.replaceAll(/\s+/g, " ")).join("\n")}\nFix these errors and return the complete plan.`;
      throw new Error(`invalid plan: ${mistakes[0]}`);
    }
    this.#addPlan(given as unknown as Plan, time, answer);
    await this.#context.clock.wait(
      displayDelays.line * (this.#frame.plan?.steps.length ?? 0),
      call.signal,
    );
    return answer;
  }

  #addPlan(plan: Plan, time: number, { outputs }: NodeAnswer): void {
    this.plan = plan;
    const steps = plan.commands.map((one): PlanStep => {
      const { command, why = "" } = typeof one === "string" ? { command: one } : one;
      return { command, why, status: null, rows: null, time: null };
    });
    const { scripted, fallbackReasons } = this.model;
    const name = fallbackReasons?.has("plan") ? "scripted" : this.model.name;
    const { outputTokens } = (outputs["usage"] ?? {}) as { outputTokens?: number };
    const numbers = [
      formatCount(steps.length, "command"),
      ...(scripted ? [] : [`the model took ${formatCoarseMilliseconds(time)}`]),
      ...(outputTokens === undefined ? [] : [formatCount(outputTokens, "token")]),
    ];
    const shown = { why: plan.why, steps, at: -1, model: name };
    this.#addFrame("plan", "The model has written a plan", { plan: shown }, numbers);
  }

  /** Runs the plan, then shows its steps one by one. */
  async #runPlan(call: NodeCall): Promise<NodeAnswer> {
    const { session, clock } = this.#context;
    const steps: { record: ExecutionRecord; time: number; result: Result | null }[] = [];
    let since = performance.now();
    const begun = since;
    const result = await session.run(call.inputs["plan"] as unknown as Plan, {
      signal: call.signal,
      onStep: (record) => {
        const time = performance.now() - since;
        const name = resultName(record);
        steps.push({ record, time, result: name === null ? null : readResult(session, name) });
        since = performance.now();
      },
    });
    this.#nodeTimes.set(call.id, performance.now() - begun);
    for (const [at, { record, time, result: found }] of steps.entries()) {
      this.#addStep(at, record, time, found);
      await clock.wait(displayDelays.step, call.signal);
    }
    const { status, answer } = result;
    if (status === "failed" || status === "cancelled") {
      const diagnostics = [
        ...result.diagnostics,
        ...steps.flatMap(({ record }) => record.errors ?? []),
      ];
      const error = diagnostics.find(({ severity }) => severity === "error");
      throw new Error(error?.message ?? `the plan was ${status}`);
    }
    // A model may forget the variable name, so the last rows are used.
    const last = steps.filter(({ result: one }) => one !== null).at(-1)?.result?.rows;
    const value = session.variable(String(call.inputs["variable"] ?? "answer")) ?? last;
    return {
      outputs: {
        status,
        ...(value !== undefined && { value }),
        ...(answer !== undefined && { answer }),
      },
    };
  }

  #addStep(at: number, record: ExecutionRecord, time: number, found: Result | null): void {
    const { plan } = this.#frame;
    if (!plan) return;
    const rows = found?.total ?? null;
    const steps = plan.steps.map((one, index) =>
      index === at ? { ...one, status: record.status, rows, time } : one,
    );
    const some = found !== null && found.rows.length > 0;
    const highlight = some
      ? highlightOf(found, this.#frame.highlight, this.#context.edges)
      : this.#frame.highlight;
    const numbers = [
      formatCoarseMilliseconds(time),
      ...(rows === null ? [] : [formatCount(rows, "row")]),
    ];
    const change: Partial<Frame> = { plan: { ...plan, steps, at }, highlight };
    this.#addFrame("plan", record.command, change, numbers);
  }

  /** Applies HAM nodes to the surface: the placeholder at once, results as a stream. */
  async #applyUpdate(call: NodeCall): Promise<NodeAnswer> {
    const { session, surface: live, clock } = this.#context;
    let nodes = call.inputs["update"] as HamNodes;
    if (call.id === "show") {
      this.evidence = evidenceByTitle(session);
      // Sources are updated before the rows, so that no row shows those of another question.
      nodes = { ...refreshOpenSources(nodes, live.store, this.evidence), ...nodes };
    }
    // Markdown list markers are removed, because an asterisk would make a pointer.
    if (call.id === "say" && Array.isArray(nodes["next"]))
      nodes = { ...nodes, next: nodes["next"].map(stripListMarker) };
    const update =
      call.id === "ask"
        ? live.apply(nodes)
        : await live.streamUpdate(nodes, clock, call.signal, (text) =>
            this.#context.showStreamedText(text),
          );
    this.#nodeTimes.set(call.id, update.time);
    const titles: { [id: string]: string } = {
      ask: "The question is in the surface",
      show: "The findings stream into the surface",
      say: "The answer streams into the surface",
    };
    const change: Partial<Frame> = { update, document: update.document };
    this.#addFrame("surface", titles[call.id] ?? "Surface update", change, updateNumbers(update));
    return { outputs: { changed: update.changed, deleted: update.deleted } };
  }

  #handleEvent({ kind, node }: FlowEvent): void {
    if (this.#abort.signal.aborted) return;
    const states = { started: "running", retried: "waiting", finished: "finished" } as const;
    const state: NodeProgress["state"] = states[kind as keyof typeof states] ?? "failed";
    const time = kind === "finished" ? (this.#nodeTimes.get(node) ?? null) : null;
    const nodes = new Map(this.#frame.nodes).set(node, { state, time });
    const done = new Set(this.#frame.done);
    if (kind === "finished" && node === "look") done.add("plan");
    if (kind === "finished" && node === "say") done.add("flow").add("surface");
    const words = {
      running: "starts",
      waiting: "is retried",
      finished: "is done",
      failed: "failed",
    };
    const numbers = time === null ? [] : [`${node} ${formatCoarseMilliseconds(time)}`];
    this.#addFrame("flow", `\`${node}\` ${words[state]}`, { nodes, done }, numbers);
  }

  /** Adds a failure: keeps complete rows, else restores the previous page. */
  #addFailure(message: string): void {
    const { surface: live } = this.#context;
    const [, node = "", reason = message] = /^`(\w+)` failed: (.*)$/s.exec(message) ?? [];
    const shown = this.isComplete;
    const back = !shown && Object.keys(this.#previousPage).length > 0;
    if (!shown) live.goTo(back ? this.#previousPage : { question: this.question });
    const answer = shown ? noAnswerText : "No answer.";
    const update = back ? null : live.apply({ answer });
    const error = `${failureMessages[node] ?? "The workflow stopped"}: ${reason}`;
    const change: Partial<Frame> = {
      error,
      document: live.store.export(),
      ...(update && { update }),
    };
    this.#addFrame("surface", "Failed", change, []);
  }

  #addFrame(
    stage: StageName,
    title: string,
    change: Partial<Frame>,
    numbers: readonly string[],
  ): void {
    this.#frame = { ...this.#frame, stage, title, numbers, ...change };
    this.#context.push(this.#frame);
  }
}

function updateNumbers({ bytes, totalBytes, time, changes }: SurfaceUpdate): string[] {
  return [
    formatCoarseMilliseconds(time),
    `${bytes.toLocaleString()} of ${totalBytes.toLocaleString()} bytes`,
    formatCount(changes, "change"),
  ];
}

async function callModel(
  linked: { [type: string]: NodeCallback },
  call: NodeCall,
): Promise<NodeAnswer> {
  const node = linked["llm"];
  if (!node) throw new Error("no model is available");
  return (await node(call)) as NodeAnswer;
}

function stripListMarker(words: Json): Json {
  return typeof words === "string" ? words.replace(/^[\s*-]+/, "") : words;
}
