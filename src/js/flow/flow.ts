// `Symbol.dispose` is younger than the `lib` of most who import this package.
/// <reference lib="esnext.disposable" preserve="true" />
import { needCount, needFunction, needOptions, needSignal, refuse } from "../arguments.js";
import { disposed } from "../bridge.js";
import { bounded, type Driven, drive, type Effect, type Turn } from "../drive.js";
import { sleep } from "../llm/abort.js";
import { CompiledFlow, type FlowRun as Handle } from "../wasm.js";
import type { Diagnostic, FlowEvent, FlowResult, Json } from "../wire.js";
import { given, jsonText, needNames } from "./map.js";
import type { FlowOptions, FlowRunOptions, NodeCallback } from "./types.js";

const RUN = ["nodes", "inputs", "signal", "onEvent", "concurrency", "maxSteps", "resume"];

let made: CompiledFlow | undefined;

/** A workflow that can run: no two nodes share a name by accident, and every node reads what it would read in one flat store. */
export class Flow {
  #handle: CompiledFlow | undefined;

  /** @internal Flows come from {@link compileFlow}. */
  constructor() {
    if (!made) refuse("a flow comes from `compileFlow`");
    this.#handle = made;
    made = undefined;
  }

  /** Runs the workflow. Whatever goes wrong in it is a result too; only misuse throws. */
  async run(options: FlowRunOptions): Promise<FlowResult> {
    const flow = this.#living;
    needOptions(options ?? null, RUN, "the options of `run`");
    const { nodes, inputs, signal, onEvent, concurrency, maxSteps, resume } = options;
    needOptions(nodes, Object.keys(nodes ?? refuse("`nodes` are missing")), "`nodes`");
    for (const [type, callback] of Object.entries(nodes)) needFunction(callback, `\`${type}\``);
    if (onEvent !== undefined) needFunction(onEvent, "`onEvent`");
    if (inputs !== undefined) needNames(inputs, "`inputs`");
    needSignal(signal);
    needCount(concurrency, "`concurrency`");
    needCount(maxSteps, "`maxSteps`");
    const types = Object.keys(nodes);
    const events = onEvent !== undefined;
    const cancelled = signal?.aborted === true;
    const setup = { inputs, resume, concurrency, maxSteps, types, events, cancelled };
    let run: Handle | undefined;
    const turn = (text: string): Turn => JSON.parse(text) as Turn;
    const driven: Driven = {
      resume: (answer, { number }) =>
        turn(living(run).resume(number as number, answer, now(), performance.now())),
      cancel: () => turn(living(run).cancel(now(), performance.now())),
      perform: (effect, within) => perform(effect, nodes, within),
      tell: (event) => onEvent?.(event as FlowEvent),
    };
    const begin = (): Turn => {
      run = flow.run(jsonText(setup, "the options of `run`"), now(), performance.now());
      return turn(living(run).first());
    };
    try {
      return (await drive(driven, begin, signal)) as unknown as FlowResult;
    } finally {
      run?.free();
    }
  }

  /** Node-link JSON of the workflow with its mappings. */
  toJSON(): Json {
    return JSON.parse(this.#living.to_json() ?? "null") as Json;
  }

  /** A Mermaid flowchart. */
  toMermaid(): string {
    return this.#living.to_mermaid() ?? "";
  }

  [Symbol.dispose](): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  get #living(): CompiledFlow {
    return this.#handle ?? disposed("flow");
  }
}

function living(run: Handle | undefined): Handle {
  return run ?? disposed("run");
}

/** Maps and compiles a workflow. `context` is what {@link buildContext} showed the planner. */
export function compileFlow(
  workflow: Json,
  registry: Json,
  options?: FlowOptions & { context?: object },
): { ok: true; flow: Flow; diagnostics: Diagnostic[] } | { ok: false; diagnostics: Diagnostic[] } {
  const of = given(workflow, registry, options, ["context"]);
  const handle = CompiledFlow.compile(of.workflow, of.isText, of.registry, of.options);
  const diagnostics = JSON.parse(handle.diagnostics()) as Diagnostic[];
  if (!handle.is_ok()) {
    handle.free();
    return { ok: false, diagnostics };
  }
  made = handle;
  return { ok: true, flow: new Flow(), diagnostics };
}

function now(): string {
  return new Date().toISOString();
}

async function perform(
  effect: Effect,
  nodes: { [type: string]: NodeCallback },
  signal: AbortSignal,
): Promise<string> {
  if (effect.kind === "wait") {
    await sleep(effect["milliseconds"] as number, signal);
    return "null";
  }
  const { id, type, params, inputs, attempt, timeout } = effect as Effect & {
    id: string;
    type: string;
    params: { [name: string]: Json };
    inputs: { [key: string]: Json };
    attempt: number;
  };
  const callback = nodes[type];
  if (!callback) throw new Error(`nobody runs nodes of the type ${type}`);
  const answer: unknown = await bounded(signal, timeout, (within) =>
    callback({ id, type, params, inputs, attempt, signal: within }),
  );
  return jsonText(answer, "the answer");
}
