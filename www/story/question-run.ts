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
  evidenceOf,
  findingsNode,
  type Kinds,
  openedSources,
  type Source,
} from "../flow/findings.js";
import type { FlowEvent } from "../flow/types.js";
import { nameOf, type Result, resultOf } from "../graph/result.js";
import type { Model } from "../model/choice.js";
import { Stopped } from "../model/stop-error.js";
import { briefly, count } from "../page/format.js";
import type { Frame, NodeShown, StageName, Step } from "./frame.js";
import { type edgesOf, litBy } from "./highlight.js";
import type { Clock } from "./pace-clock.js";
import { mistakesIn } from "./plan-check.js";
import type { Live, Update } from "./story-surface.js";

/** How long things stay on the screen, in milliseconds. */
const pace = { node: 180, line: 130, step: 430 };

/** What all questions share. */
export interface Desk {
  session: GaslSession;
  kinds: Kinds;
  edges: ReturnType<typeof edgesOf>;
  live: Live;
  clock: Clock;
  flow: Flow;
  inputs: { [name: string]: Json };
  push(frame: Frame): void;
  /** What has come of the update that streams. */
  streaming(text: string): void;
}

/** Where it can go wrong, by the node. */
const failures: { readonly [node: string]: string } = {
  plan: "The model wrote no plan",
  look: "The plan stopped",
  tell: "The model wrote no answer",
};

const wordless = "The rows are here, but no words to them.";

const nothing = { nodes: new Set<string>(), edges: new Set<string>() };

/** A question on its way through the workflow: each thing that happens becomes a frame. */
export class Turn {
  readonly question: string;
  readonly model: Model;
  /** What the model replied, by node. */
  readonly replies: { [node: string]: Json } = {};
  plan: Plan | null = null;
  /** Where each row of the answer comes from; the session forgets it when the next plan runs. */
  evidence: ReadonlyMap<string, Source[]> | null = null;
  readonly #desk: Desk;
  readonly #abort = new AbortController();
  readonly #work = new Map<string, number>();
  /** The page that is gone back to where nothing comes of the question. */
  readonly #before: HamNodes;
  #frame: Frame;
  /** The node whose model somebody stopped. */
  #stopped = "";
  /** What was wrong with the last plan, for the next attempt. */
  #mistakes = "";

  constructor(desk: Desk, model: Model, question: string, turn: number, before: HamNodes) {
    this.#desk = desk;
    this.model = model;
    this.question = question;
    this.#before = before;
    this.#frame = {
      turn,
      question,
      stage: "question",
      title: question,
      plan: null,
      nodes: new Map(),
      lit: nothing,
      update: null,
      document: desk.live.store.export(),
      done: new Set(["question"]),
      fault: null,
      numbers: [],
    };
  }

  stop(): void {
    this.#abort.abort(new Error("another question was asked"));
  }

  /** What went wrong, for a person. */
  get fault(): string | null {
    return this.#frame.fault;
  }

  /** Whether all of its rows have come. */
  get complete(): boolean {
    return this.#frame.nodes.get("show")?.state === "finished";
  }

  /** The page that this question leaves: one that was stopped leaves no words that promise more. */
  get left(): HamNodes {
    const document = this.#desk.live.store.export();
    const finished = (node: string): boolean => this.#frame.nodes.get(node)?.state === "finished";
    if (finished("say") || this.#frame.fault !== null) return document;
    return this.complete ? { ...document, answer: wordless } : this.#before;
  }

  async run(): Promise<void> {
    const { flow, inputs } = this.#desk;
    const { signal } = this.#abort;
    this.#desk.push(this.#frame);
    const result = await flow.run({
      nodes: this.#nodes(),
      inputs: { ...inputs, question: this.question },
      signal,
      onEvent: (event) => this.#happened(event),
    });
    if (this.#stopped !== "") this.#failed(`\`${this.#stopped}\` failed: you stopped it`);
    if (signal.aborted || result.status === "completed") return;
    const fault = result.diagnostics.find(({ severity }) => severity === "error");
    this.#failed(fault?.message ?? "the workflow stopped");
  }

  /** Something that a visitor did in the surface. */
  edited(title: string, update: Update): void {
    this.#push("surface", title, { update, document: update.document }, numbersOf(update));
  }

  #nodes(): { [type: string]: NodeCallback } {
    const { session, live, kinds, clock } = this.#desk;
    const linked = linkedNodes({ llm: this.model.callback });
    const nodes: { [type: string]: NodeCallback } = {
      llm: (call) => (call.id === "plan" ? this.#planned(call, linked) : this.#asked(call, linked)),
      "gasl.plan": (call) => this.#looked(call),
      findings: findingsNode(session, live.store, kinds),
      "ham.apply": (call) => this.#shown(call),
    };
    const paced = ([type, node]: [string, NodeCallback]): [string, NodeCallback] => [
      type,
      async (call) => {
        await clock.wait(pace.node, call.signal);
        const start = performance.now();
        this.#work.delete(call.id);
        const answer = await node(call);
        if (!this.#work.has(call.id)) this.#work.set(call.id, performance.now() - start);
        await clock.wait(0, call.signal);
        return answer;
      },
    ];
    return Object.fromEntries(Object.entries(nodes).map(paced));
  }

  async #asked(call: NodeCall, linked: { [type: string]: NodeCallback }): Promise<NodeAnswer> {
    const answer = await ask(linked, call).catch((error: unknown) => {
      // It is not to be tried again.
      if (error instanceof Stopped) {
        this.#stopped = call.id;
        this.stop();
      }
      throw error;
    });
    this.replies[call.id] = answer.outputs["response"] ?? null;
    return answer;
  }

  /** The model writes a plan; one that cannot run goes back to it once, with what is wrong. */
  async #planned(call: NodeCall, linked: { [type: string]: NodeCallback }): Promise<NodeAnswer> {
    const inputs = { ...call.inputs, prompt: `${call.inputs["prompt"]}${this.#mistakes}` };
    const start = performance.now();
    const answer = await this.#asked({ ...call, inputs }, linked).catch((error: unknown) => {
      this.#mistakes = "\n\nAnswer with the JSON of a plan, and nothing else.";
      throw error;
    });
    const time = performance.now() - start;
    this.#work.set(call.id, time);
    const given = answer.outputs["response"] ?? null;
    const mistakes = mistakesIn(given);
    if (mistakes.length > 0) {
      this.#mistakes = `\n\nYour last plan could not run:\n${mistakes.join("\n")}\nWrite it again.`;
      throw new Error(`its plan cannot run: ${mistakes[0]}`);
    }
    this.#write(given as unknown as Plan, time, answer);
    await this.#desk.clock.wait(pace.line * (this.#frame.plan?.steps.length ?? 0), call.signal);
    return answer;
  }

  #write(plan: Plan, time: number, { outputs }: NodeAnswer): void {
    this.plan = plan;
    const steps = plan.commands.map((one): Step => {
      const { command, why = "" } = typeof one === "string" ? { command: one } : one;
      return { command, why, status: null, rows: null, time: null };
    });
    const { scripted, instead } = this.model;
    const name = instead?.has("plan") ? "scripted" : this.model.name;
    const { outputTokens } = (outputs["usage"] ?? {}) as { outputTokens?: number };
    const numbers = [
      count(steps.length, "command"),
      ...(scripted ? [] : [`the model took ${briefly(time)}`]),
      ...(outputTokens === undefined ? [] : [count(outputTokens, "token")]),
    ];
    const shown = { why: plan.why, steps, at: -1, model: name };
    this.#push("plan", "The model has written a plan", { plan: shown }, numbers);
  }

  /** The plan runs, in a few milliseconds; then its steps are shown one by one. */
  async #looked(call: NodeCall): Promise<NodeAnswer> {
    const { session, clock } = this.#desk;
    const taken: { record: ExecutionRecord; time: number; result: Result | null }[] = [];
    let since = performance.now();
    const begun = since;
    const result = await session.run(call.inputs["plan"] as unknown as Plan, {
      signal: call.signal,
      onStep: (record) => {
        const time = performance.now() - since;
        const name = nameOf(record);
        taken.push({ record, time, result: name === null ? null : resultOf(session, name) });
        since = performance.now();
      },
    });
    this.#work.set(call.id, performance.now() - begun);
    for (const [at, { record, time, result: found }] of taken.entries()) {
      this.#step(at, record, time, found);
      await clock.wait(pace.step, call.signal);
    }
    const { status, answer } = result;
    if (status === "failed" || status === "cancelled") {
      const faults = [...result.diagnostics, ...taken.flatMap(({ record }) => record.errors ?? [])];
      const fault = faults.find(({ severity }) => severity === "error");
      throw new Error(fault?.message ?? `the plan was ${status}`);
    }
    // A model that forgot the name of the answer left it in its last rows.
    const last = taken.filter(({ result: one }) => one !== null).at(-1)?.result?.rows;
    const value = session.variable(String(call.inputs["variable"] ?? "answer")) ?? last;
    return {
      outputs: {
        status,
        ...(value !== undefined && { value }),
        ...(answer !== undefined && { answer }),
      },
    };
  }

  #step(at: number, record: ExecutionRecord, time: number, found: Result | null): void {
    const { plan } = this.#frame;
    if (!plan) return;
    const rows = found?.total ?? null;
    const steps = plan.steps.map((one, index) =>
      index === at ? { ...one, status: record.status, rows, time } : one,
    );
    const some = found !== null && found.rows.length > 0;
    const lit = some ? litBy(found, this.#frame.lit, this.#desk.edges) : this.#frame.lit;
    const numbers = [briefly(time), ...(rows === null ? [] : [count(rows, "row")])];
    const change = { plan: { ...plan, steps, at }, lit };
    this.#push("plan", record.command, change, numbers);
  }

  /** HAM nodes go to the surface: the words that wait at once, what was found as a stream. */
  async #shown(call: NodeCall): Promise<NodeAnswer> {
    const { session, live, clock } = this.#desk;
    let nodes = call.inputs["update"] as HamNodes;
    if (call.id === "show") {
      this.evidence = evidenceOf(session);
      // Before the rows, so that none of them ever stands above the sources of another question.
      nodes = { ...openedSources(nodes, live.store, this.evidence), ...nodes };
    }
    // A list of a model may begin its items as Markdown does; a star would make them pointers.
    if (call.id === "say" && Array.isArray(nodes["next"]))
      nodes = { ...nodes, next: nodes["next"].map(unlisted) };
    const update =
      call.id === "ask"
        ? live.apply(nodes)
        : await live.pour(nodes, clock, call.signal, (text) => this.#desk.streaming(text));
    this.#work.set(call.id, update.time);
    const titles: { [id: string]: string } = {
      ask: "The question stands in the surface",
      show: "The findings stream into the surface",
      say: "The answer streams into the surface",
    };
    const change = { update, document: update.document };
    this.#push("surface", titles[call.id] ?? "The surface changes", change, numbersOf(update));
    return { outputs: { changed: update.changed, deleted: update.deleted } };
  }

  #happened({ kind, node }: FlowEvent): void {
    if (this.#abort.signal.aborted) return;
    const states = { started: "running", retried: "waiting", finished: "finished" } as const;
    const state: NodeShown["state"] = states[kind as keyof typeof states] ?? "failed";
    const time = kind === "finished" ? (this.#work.get(node) ?? null) : null;
    const nodes = new Map(this.#frame.nodes).set(node, { state, time });
    const done = new Set(this.#frame.done);
    if (kind === "finished" && node === "look") done.add("plan");
    if (kind === "finished" && node === "say") done.add("flow").add("surface");
    const words = {
      running: "begins",
      waiting: "is tried again",
      finished: "is done",
      failed: "failed",
    };
    const numbers = time === null ? [] : [`${node} ${briefly(time)}`];
    this.#push("flow", `\`${node}\` ${words[state]}`, { nodes, done }, numbers);
  }

  /** What was found so far stays, and where nothing was, the page is as it was; a person is told what went wrong. */
  #failed(message: string): void {
    const { live } = this.#desk;
    const [, node = "", reason = message] = /^`(\w+)` failed: (.*)$/s.exec(message) ?? [];
    const shown = this.complete;
    const back = !shown && Object.keys(this.#before).length > 0;
    if (!shown) live.goTo(back ? this.#before : { question: this.question });
    const answer = shown ? wordless : "No answer came of this.";
    const update = back ? null : live.apply({ answer });
    const fault = `${failures[node] ?? "The workflow stopped"}: ${reason}`;
    const change = { fault, document: live.store.export(), ...(update && { update }) };
    this.#push("surface", "It did not work", change, []);
  }

  #push(stage: StageName, title: string, change: Partial<Frame>, numbers: readonly string[]): void {
    this.#frame = { ...this.#frame, stage, title, numbers, ...change };
    this.#desk.push(this.#frame);
  }
}

function numbersOf({ bytes, whole, time, changes }: Update): string[] {
  return [
    briefly(time),
    `${bytes.toLocaleString()} of ${whole.toLocaleString()} bytes`,
    count(changes, "change"),
  ];
}

async function ask(linked: { [type: string]: NodeCallback }, call: NodeCall): Promise<NodeAnswer> {
  const node = linked["llm"];
  if (!node) throw new Error("there is no model");
  return node(call);
}

function unlisted(words: Json): Json {
  return typeof words === "string" ? words.replace(/^[\s*-]+/, "") : words;
}
