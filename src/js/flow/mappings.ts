import {
  assertMessage,
  assertOptions,
  isJsonCompatible,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import { flow_answer as flowAnswer } from "../byname_bg.js";
import { BynameError } from "../errors.js";
import { requireJsonText } from "../json-text.js";
import { isJsonObject } from "../json-value.js";
import { wasmMemory } from "../wasm.js";
import type { Collision, Diagnostic, Json, NodeMappings, PlanningContext } from "../wire.js";
import type { FlowOptions, Registry, Workflow } from "./types.js";

/** Faster than the glue, which encodes character by character. */
const encoder = new TextEncoder();

const OPTIONS = ["prefix", "strategies", "budget", "strict"];

/** Workflow for the core: JSON, whether its author wrote it as text, and the other arguments. */
export type FlowRequest = [workflow: Uint8Array, written: boolean, beside: Uint8Array];

/** Returns a request for the core. Diagnostics of a workflow in text form have offsets. */
export function toRequest(
  workflow: Workflow | string,
  registry: Registry,
  options: FlowOptions = {},
  more: readonly string[] = [],
): FlowRequest {
  assertOptions(options, [...OPTIONS, ...more], "the options of a flow");
  assertMessage(workflow);
  assertMessage(registry);
  const written = typeof workflow === "string";
  // The encoder would replace a lone surrogate; the core reports its escape.
  const text = written
    ? workflow.replace(/\p{Surrogate}/gu, (half) => JSON.stringify(half).slice(1, -1))
    : toRequestJson(workflow);
  return [encoder.encode(text), written, encoder.encode(toRequestJson({ registry, options }))];
}

/** Serialises a request in UTF-8. Throws for a value that is not JSON. */
export function encodeJson(request: unknown): Uint8Array {
  return encoder.encode(toRequestJson(request));
}

/** Serialises a request. Throws for a value that is not JSON. */
export function toRequestJson(request: unknown): string {
  wasmMemory();
  return request === undefined ? "null" : requireJsonText(request, true);
}

export function assertNameMap(value: unknown, what: string): void {
  if (!isJsonObject(value) || !isJsonCompatible(value)) {
    throwExpected(what, "an object of names", value);
  }
}

interface CoreResult {
  value: unknown;
  diagnostics: Diagnostic[];
}

/** Calls the core, and parses its result. */
export function callCore(what: string, request: FlowRequest): CoreResult {
  return JSON.parse(flowAnswer(what, ...request)) as CoreResult;
}

/** Returns the value of a core call. Throws its diagnostics if the workflow is invalid. */
function callCoreOrThrow(what: string, request: FlowRequest): unknown {
  const { value, diagnostics } = callCore(what, request);
  if (value !== null) return value;
  const error = diagnostics.find(({ severity }) => severity === "error");
  throw new BynameError("argument", error?.message ?? "invalid workflow", diagnostics);
}

/** Returns the workflow with an id for each node without one: `api-1`, `api-2`, … */
export function assignIds(workflow: Workflow | string, registry: Registry = {}): Workflow {
  const named = callCoreOrThrow("ids", toRequest(workflow, registry)) as Workflow | string;
  return typeof named === "object"
    ? named
    : throwMisuse("expected a workflow as an object or as JSON text");
}

/** Returns every name that several nodes write, in the order of the first writers. */
export function detectCollisions(
  workflow: Workflow | string,
  registry: Registry,
  options?: FlowOptions,
): Collision[] {
  return callCoreOrThrow("collisions", toRequest(workflow, registry, options)) as Collision[];
}

/**
 * Returns the names under which each node reads and writes, so that no two nodes share a name by
 * accident.
 */
export function generateMappings(
  workflow: Workflow | string,
  registry: Registry,
  options?: FlowOptions,
): { [node: string]: NodeMappings } {
  const mappings = callCoreOrThrow("mappings", toRequest(workflow, registry, options));
  return mappings as { [node: string]: NodeMappings };
}

/** Returns the context for a planner: every output under a unique name, without mappings. */
export function buildContext(
  workflow: Workflow | string,
  registry: Registry,
  options?: FlowOptions,
): PlanningContext {
  const { value, diagnostics } = callCore("context", toRequest(workflow, registry, options));
  const none = { markdown: "", nodes: [], fingerprint: "" };
  return { ...((value ?? none) as PlanningContext), diagnostics };
}

/** Interpolates the values of a scope into a template. Unresolved references stay as text. */
export function resolveTemplate(
  template: Json,
  scope: { [name: string]: Json },
): { value: Json; diagnostics: Diagnostic[] } {
  assertNameMap(scope, "the values of a template");
  const request = encoder.encode(toRequestJson({ template, scope }));
  const { value, diagnostics } = callCore("template", [request, false, new Uint8Array()]);
  const read = !diagnostics[0]?.code.startsWith("JSON");
  return { value: read ? (value as Json) : template, diagnostics };
}
