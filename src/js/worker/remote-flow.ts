import { throwMisuse } from "../arguments.js";
import { CHILD_FLOW } from "../flow/context.js";
import { toResultText } from "../flow/result-text.js";
import { isSuspended } from "../flow/suspend.js";
import type { FlowOptions, FlowRunOptions, NodeCall, Registry, Workflow } from "../flow/types.js";
import { type Hold, holdOf } from "../hold.js";
import type { Diagnostic, FlowResult, Json } from "../wire.js";
import type { Connection } from "./connection.js";
import type { ArgumentEncoder } from "./encoder.js";
import type { Argument } from "./protocol.js";
import { WorkerObject } from "./remote-object.js";

/** Compiled workflow in a worker. Its nodes run in the page. */
export class RemoteFlow extends WorkerObject {
  /** Hash of the workflow and its wiring. */
  readonly fingerprint: string;

  /** @internal Flows come from `compileFlow`. */
  constructor(connection: Connection, handle: number, fingerprint: string) {
    super(connection, handle, "flow", () => {});
    this.fingerprint = fingerprint;
  }

  /** Runs the workflow. Errors in it are part of the result; only misuse rejects. */
  run(options: FlowRunOptions): Promise<FlowResult> {
    return this.read("Flow.run", (encoder) => [encodeRunOptions(encoder, options)]);
  }

  /** @internal Not available in a worker: a stepwise run answers at once. */
  begin(): never {
    return throwMisuse(
      "a flow of a worker has no `begin`: compile it with `compileFlow` of the page, or call `run` with `storage` and `run`",
    );
  }

  /** @internal Not available in a worker. */
  reveal(): never {
    return throwMisuse(
      "a flow of a worker has no `reveal`: compile it with `compileFlow` of the page",
    );
  }

  /** Returns node-link JSON of the workflow with its mappings. */
  toJSON(): Promise<Json> {
    return this.read("Flow.toJSON");
  }

  /** Returns a Mermaid flowchart. */
  toMermaid(): Promise<string> {
    return this.read("Flow.toMermaid");
  }
}

/** Result of `compileFlow` in a worker. */
export type CompiledRemotely =
  | { ok: true; flow: RemoteFlow; diagnostics: Diagnostic[] }
  | { ok: false; diagnostics: Diagnostic[] };

/** Maps and compiles a workflow in a worker. */
export async function compileRemotely(
  connection: Connection,
  workflow: Workflow | string,
  registry: Registry,
  options?: FlowOptions & { context?: object },
): Promise<CompiledRemotely> {
  const handle = connection.newHandle();
  const value = await connection.call({
    method: "compileFlow",
    created: [handle],
    encode: (encoder) => [workflow, registry, options].map((part) => encoder.encodeValue(part)),
  });
  if (value.kind !== "flow") throw new Error("expected a flow from the worker");
  const { ok, diagnostics, fingerprint } = value;
  if (!ok) return { ok, diagnostics };
  return { ok, flow: new RemoteFlow(connection, handle, fingerprint), diagnostics };
}

function encodeRunOptions(encoder: ArgumentEncoder, options: unknown): Argument {
  const hold = holdOf(Object(options));
  const node = (value: unknown): Argument => encodeNode(encoder, value, hold);
  return encoder.encodeOptions(options, {
    nodes: (nodes) => encoder.encodeOptions(nodes, {}, node),
    signal: (value) => encoder.encodeSignal(value),
    onEvent: (value) => encoder.encodeListener(value),
    onCheckpoint: (value) => encoder.jsonCallback(value),
    storage: (value) => encodeStorage(encoder, value),
  });
}

/** Encodes the storage of a run, which the worker opens again. */
function encodeStorage(encoder: ArgumentEncoder, storage: unknown): Argument {
  const encoded = encoder.encodeBackend(storage);
  if (encoded.kind === "object")
    throwMisuse("expected `storage` to be a `fileStorage` or an `indexedDbStorage` in a worker");
  return encoded;
}

/** Encodes the callback of a node, which runs in the page. */
function encodeNode(encoder: ArgumentEncoder, node: unknown, hold: Hold | undefined): Argument {
  if (CHILD_FLOW in Object(node))
    throwMisuse(
      "expected a function as a node, found a `subflow`, which needs a flow of the page: compile both with `compileFlow` of the page",
    );
  return encoder.encodeCallback(node, "request", async ([call], signal) => {
    const run = node as (call: NodeCall) => unknown;
    if (hold) await hold((call as NodeCall).id, signal);
    const result = await run({ ...(call as NodeCall), signal });
    return isSuspended(result)
      ? { value: { kind: "suspended", text: toResultText(result.payload) } }
      : { value: { kind: "json", text: toResultText(result) } };
  });
}
