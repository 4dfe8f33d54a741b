// `Symbol.dispose` is younger than the `lib` of most who import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { sleep } from "../abort.js";
import {
  assertCount,
  assertFunction,
  assertOptions,
  assertSignal,
  throwMisuse,
} from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { CompiledFlow } from "../byname_bg.js";
import { requireJsonText, toJsonText } from "../json-text.js";
import {
  type Effect,
  runTask,
  type TaskHost,
  type TaskUpdate,
  withTimeout,
} from "../task-driver.js";
import type { Diagnostic, FlowEvent, FlowResult, Json } from "../wire.js";
import { assertNameMap, toRequest, toRequestJson } from "./mappings.js";
import type { FlowOptions, FlowRunOptions, NodeCall, Registry, Workflow } from "./types.js";

const RUN = ["nodes", "inputs", "signal", "onEvent", "concurrency", "maxSteps", "resume"];

let compiledHandle: CompiledFlow | undefined;

/**
 * Compiled workflow. No two nodes share a name by accident, and every node reads what it would read
 * in one flat store.
 */
export class Flow {
  #handle: CompiledFlow | undefined;

  /** @internal Flows come from {@link compileFlow}. */
  constructor() {
    if (!compiledHandle) throwMisuse("create flows with `compileFlow`");
    this.#handle = compiledHandle;
    compiledHandle = undefined;
  }

  /** Runs the workflow. Errors in it are part of the result; only misuse throws. */
  async run(options: FlowRunOptions): Promise<FlowResult> {
    const flow = this.#openHandle;
    assertOptions(options, RUN, "the options of `run`");
    const { nodes, inputs, signal, onEvent, concurrency, maxSteps, resume } = options;
    const types = Object.keys(nodes ?? throwMisuse("missing `nodes`"));
    assertOptions(nodes, types, "`nodes`");
    for (const [type, callback] of Object.entries(nodes)) assertFunction(callback, `\`${type}\``);
    if (onEvent !== undefined) assertFunction(onEvent, "`onEvent`");
    if (inputs !== undefined) {
      assertNameMap(inputs, "`inputs`");
      // A promise would serialise as an empty object.
      requireJsonText(inputs, true);
    }
    assertSignal(signal);
    assertCount(concurrency, "`concurrency`", 1);
    assertCount(maxSteps, "`maxSteps`");
    // JSON has no `Infinity`.
    const [maxCalls, steps] = [concurrency, maxSteps].map(
      (count) => count && Math.min(count, 2 ** 31),
    );
    const text = toRequestJson({
      inputs,
      resume,
      types,
      events: onEvent !== undefined,
      cancelled: signal?.aborted === true,
      concurrency: maxCalls,
      maxSteps: steps,
    });
    const run = flow.run() ?? throwDisposed("flow");
    const next = (message: string, number = -1): TaskUpdate =>
      JSON.parse(
        run.next(number, message, new Date().toISOString(), performance.now()),
      ) as TaskUpdate;
    const host: TaskHost = {
      resume: (answer, { number }) => next(answer, number as number),
      cancel: () => next("null"),
      perform: (effect, within) => perform(effect, nodes, within),
      notify: (event) => onEvent?.(event as FlowEvent),
    };
    try {
      return (await runTask(host, () => next(text), signal)) as unknown as FlowResult;
    } finally {
      try {
        run.free();
      } catch {
        // An internal error left it borrowed; that error is thrown.
      }
    }
  }

  /** Returns node-link JSON of the workflow with its mappings. */
  toJSON(): Json {
    return JSON.parse(this.#openHandle.show("json")) as Json;
  }

  /** Returns a Mermaid flowchart. */
  toMermaid(): string {
    return this.#openHandle.show("mermaid");
  }

  [Symbol.dispose](): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  get #openHandle(): CompiledFlow {
    return this.#handle ?? throwDisposed("flow");
  }
}

/**
 * Maps and compiles a workflow. `context` is the result of {@link buildContext} that the planner
 * has seen.
 */
export function compileFlow(
  workflow: Workflow | string,
  registry: Registry,
  options?: FlowOptions & { context?: object },
): { ok: true; flow: Flow; diagnostics: Diagnostic[] } | { ok: false; diagnostics: Diagnostic[] } {
  const handle = CompiledFlow.compile(...toRequest(workflow, registry, options, ["context"]));
  const diagnostics = JSON.parse(handle.show("diagnostics")) as Diagnostic[];
  if (!handle.is_ok()) {
    handle.free();
    return { ok: false, diagnostics };
  }
  compiledHandle = handle;
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
  const answer: unknown = await withTimeout(signal, timeout, (within) =>
    callback?.({ ...call, signal: within } as NodeCall),
  );
  return toResultText(answer);
}

/**
 * Serialises the result of a node. Keys with `undefined` are left out; values that are not JSON
 * throw.
 */
function toResultText(answer: unknown): string {
  const text = toJsonText(answer ?? null, true);
  if ("text" in text) return text.text;
  const { message, location } = text.error;
  throw new Error(location?.kind === "pointer" ? `${message} at ${location.pointer}` : message);
}
