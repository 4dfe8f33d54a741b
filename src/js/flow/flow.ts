// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { throwMisuse } from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { CompiledFlow } from "../byname_bg.js";
import { toBynameError } from "../diagnostic-error.js";
import type { Diagnostic, FlowResult, Json } from "../wire.js";
import type { CallContext } from "./context.js";
import { assertNameMap, toRequest, toRequestJson } from "./mappings.js";
import { type RunRecord, runCompiled } from "./run.js";
import { toRunSetup, toStepwiseSetup } from "./run-setup.js";
import { StepwiseRun } from "./stepwise.js";
import { runStored } from "./stored-run.js";
import type {
  FlowBeginOptions,
  FlowCall,
  FlowOptions,
  FlowRunOptions,
  Registry,
  Workflow,
} from "./types.js";

let compiledHandle: CompiledFlow | undefined;

let runInside: typeof runFlow;

/** Runs a workflow as a part of another run. */
export function runFlow(
  flow: Flow,
  options: FlowRunOptions,
  context: CallContext,
): Promise<FlowResult> {
  return runInside(flow, options, context);
}

/**
 * Compiled workflow. No two nodes share a name by accident, and every node reads what it would read
 * in one flat store.
 */
export class Flow {
  static {
    runInside = (flow, options, context) => runCompiled(flow.#openHandle, options, context);
  }

  #handle: CompiledFlow | undefined;
  #fingerprint: string | undefined;

  /** @internal Flows come from {@link compileFlow}. */
  constructor() {
    if (!compiledHandle) throwMisuse("create flows with `compileFlow`");
    this.#handle = compiledHandle;
    compiledHandle = undefined;
  }

  /** Runs the workflow. Errors in it are part of the result; only misuse throws. */
  async run(options: FlowRunOptions): Promise<FlowResult> {
    if (options?.storage === undefined) return runCompiled(this.#openHandle, options);
    toRunSetup(options, undefined);
    const stored = {
      fingerprint: this.fingerprint,
      run: ({ storage: _, run: __, ...others }: FlowRunOptions, record: RunRecord) =>
        runCompiled(this.#openHandle, others, undefined, record),
      restoreSecrets: (value: Json) => this.#restoreSecrets(value, options.inputs),
    };
    return runStored(stored, options);
  }

  /**
   * Begins a run without functions: the caller makes its `calls`, in any process, and passes their
   * outcomes to `answer`.
   */
  begin(options: FlowBeginOptions = {}): StepwiseRun {
    const reveal = (call: FlowCall) => this.reveal(call, options.inputs);
    return new StepwiseRun(this.#openHandle, toStepwiseSetup(options), undefined, reveal);
  }

  /**
   * Returns a call of a stepwise run with the secrets of `inputs` in place of their markers. Throws
   * for a missing secret.
   */
  reveal(call: FlowCall, inputs?: { [name: string]: Json }): FlowCall {
    const { params, inputs: values, item, resumed } = call;
    const hidden = { params, inputs: values, item, resumed };
    const revealed = this.#restoreSecrets(hidden as unknown as Json, inputs);
    return { ...call, ...(revealed as unknown as Partial<FlowCall>) };
  }

  #restoreSecrets(value: Json, inputs: { [name: string]: Json } = {}): Json {
    assertNameMap(inputs, "`inputs`");
    const text = this.#openHandle.reveal(toRequestJson(value), toRequestJson(inputs));
    const restored = JSON.parse(text) as { value: Json } | { error: Diagnostic };
    if ("value" in restored) return restored.value;
    throw toBynameError("argument", [restored.error]);
  }

  /** Hash of the workflow and its wiring. A trace with the same hash belongs to this workflow. */
  get fingerprint(): string {
    this.#fingerprint ??= this.#openHandle.show("fingerprint");
    return this.#fingerprint;
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
