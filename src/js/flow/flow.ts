// `Symbol.dispose` is younger than the `lib` of most who import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { sleep } from "../abort.js";
import { needCount, needFunction, needOptions, needSignal, refuse } from "../arguments.js";
import { disposed } from "../bridge.js";
import { CompiledFlow } from "../byname_bg.js";
import { jsonOf, toText } from "../json-text.js";
import { bounded, type Driven, drive, type Effect, type Turn } from "../task-driver.js";
import type { Diagnostic, FlowEvent, FlowResult, Json } from "../wire.js";
import { needNames, requestOf, requestText } from "./mappings.js";
import type { FlowOptions, FlowRunOptions, NodeCall } from "./types.js";

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
    needOptions(options, RUN, "the options of `run`");
    const { nodes, inputs, signal, onEvent, concurrency, maxSteps, resume } = options;
    const types = Object.keys(nodes ?? refuse("`nodes` are missing"));
    needOptions(nodes, types, "`nodes`");
    for (const [type, callback] of Object.entries(nodes)) needFunction(callback, `\`${type}\``);
    if (onEvent !== undefined) needFunction(onEvent, "`onEvent`");
    if (inputs !== undefined) {
      needNames(inputs, "`inputs`");
      // A promise that nobody waited for would be an empty object.
      jsonOf(inputs, true);
    }
    needSignal(signal);
    needCount(concurrency, "`concurrency`", 1);
    needCount(maxSteps, "`maxSteps`");
    // JSON has no number without an end.
    const [most, steps] = [concurrency, maxSteps].map((count) => count && Math.min(count, 2 ** 31));
    const text = requestText({
      inputs,
      resume,
      types,
      events: onEvent !== undefined,
      cancelled: signal?.aborted === true,
      concurrency: most,
      maxSteps: steps,
    });
    const run = flow.run() ?? disposed("flow");
    const next = (message: string, number = -1): Turn =>
      JSON.parse(run.next(number, message, new Date().toISOString(), performance.now())) as Turn;
    const driven: Driven = {
      resume: (answer, { number }) => next(answer, number as number),
      cancel: () => next("null"),
      perform: (effect, within) => perform(effect, nodes, within),
      tell: (event) => onEvent?.(event as FlowEvent),
    };
    try {
      return (await drive(driven, () => next(text), signal)) as unknown as FlowResult;
    } finally {
      try {
        run.free();
      } catch {
        // A fault of ours left it in use, and is what is to be thrown.
      }
    }
  }

  /** Node-link JSON of the workflow with its mappings. */
  toJSON(): Json {
    return JSON.parse(this.#living.show("json")) as Json;
  }

  /** A Mermaid flowchart. */
  toMermaid(): string {
    return this.#living.show("mermaid");
  }

  [Symbol.dispose](): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  get #living(): CompiledFlow {
    return this.#handle ?? disposed("flow");
  }
}

/** Maps and compiles a workflow. `context` is what {@link buildContext} showed the planner. */
export function compileFlow(
  workflow: Json,
  registry: Json,
  options?: FlowOptions & { context?: object },
): { ok: true; flow: Flow; diagnostics: Diagnostic[] } | { ok: false; diagnostics: Diagnostic[] } {
  const handle = CompiledFlow.compile(...requestOf(workflow, registry, options, ["context"]));
  const diagnostics = JSON.parse(handle.show("diagnostics")) as Diagnostic[];
  if (!handle.is_ok()) {
    handle.free();
    return { ok: false, diagnostics };
  }
  made = handle;
  return { ok: true, flow: new Flow(), diagnostics };
}

async function perform(
  effect: Effect,
  nodes: FlowRunOptions["nodes"],
  signal: AbortSignal,
): Promise<string> {
  if (effect.kind === "wait") {
    await sleep(effect["milliseconds"] as number, signal);
    return "null";
  }
  const { kind: _, number: __, timeout, ...call } = effect;
  const callback = nodes[call["type"] as string];
  const answer: unknown = await bounded(signal, timeout, (within) =>
    callback?.({ ...call, signal: within } as NodeCall),
  );
  return written(answer);
}

/** The JSON text of an answer. What is `undefined` is left out; what JSON does not show is refused. */
function written(answer: unknown): string {
  const text = toText(answer ?? null, true);
  if ("text" in text) return text.text;
  const { message, location } = text.fault;
  throw new Error(location?.kind === "pointer" ? `${message} at ${location.pointer}` : message);
}
