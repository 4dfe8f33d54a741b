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
import type { FlowOptions } from "./types.js";

/** Much faster than the glue, which takes a text character by character. */
const encoder = new TextEncoder();

const OPTIONS = ["prefix", "strategies", "budget", "strict"];

/** A workflow as the core takes it: JSON, whether somebody wrote it as text, and what stands beside it. */
export type FlowRequest = [workflow: Uint8Array, written: boolean, beside: Uint8Array];

/** A workflow with its registry and options. As text, a workflow has places for its diagnostics. */
export function toRequest(
  workflow: Json,
  registry: Json,
  options: FlowOptions = {},
  more: readonly string[] = [],
): FlowRequest {
  assertOptions(options, [...OPTIONS, ...more], "the options of a flow");
  assertMessage(workflow);
  assertMessage(registry);
  const written = typeof workflow === "string";
  // The encoder would put a sign in place of half a pair; the core refuses its escape.
  const text = written
    ? workflow.replace(/\p{Surrogate}/gu, (half) => JSON.stringify(half).slice(1, -1))
    : toRequestJson(workflow);
  return [encoder.encode(text), written, encoder.encode(toRequestJson({ registry, options }))];
}

/** JSON text; misuse where JSON has no value for a part of it. */
export function toRequestJson(request: unknown): string {
  wasmMemory();
  return request === undefined ? "null" : requireJsonText(request, true);
}

/** Throws for what is no object of names. */
export function assertNameMap(value: unknown, what: string): void {
  if (!isJsonObject(value) || !isJsonCompatible(value)) {
    throwExpected(what, "an object of names", value);
  }
}

interface CoreResult {
  value: unknown;
  diagnostics: Diagnostic[];
}

function callCore(what: string, request: FlowRequest): CoreResult {
  return JSON.parse(flowAnswer(what, ...request)) as CoreResult;
}

/** The value, where the workflow can be read; else the diagnostics are thrown. */
function callCoreOrThrow(what: string, request: FlowRequest): unknown {
  const { value, diagnostics } = callCore(what, request);
  if (value !== null) return value;
  const error = diagnostics.find(({ severity }) => severity === "error");
  throw new BynameError("argument", error?.message ?? "invalid workflow", diagnostics);
}

/** The workflow with an id for each node that has none: `api-1`, `api-2`, … */
export function assignIds(workflow: Json, registry: Json = {}): Json {
  const named = callCoreOrThrow("ids", toRequest(workflow, registry)) as Json;
  return typeof named === "object"
    ? named
    : throwMisuse("expected a workflow as an object or as JSON text");
}

/** Every name that more than one node writes, in the order in which it is first written. */
export function detectCollisions(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): Collision[] {
  return callCoreOrThrow("collisions", toRequest(workflow, registry, options)) as Collision[];
}

/** What each node reads and writes under other names, so that no two share one and none reads anything else. */
export function generateMappings(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): { [node: string]: NodeMappings } {
  const mappings = callCoreOrThrow("mappings", toRequest(workflow, registry, options));
  return mappings as { [node: string]: NodeMappings };
}

/** What a planner is shown: every output under a name that nobody else writes, and no mapping. */
export function buildContext(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): PlanningContext {
  const { value, diagnostics } = callCore("context", toRequest(workflow, registry, options));
  const none = { markdown: "", nodes: [], fingerprint: "" };
  return { ...((value ?? none) as PlanningContext), diagnostics };
}

/** A template with the values of a scope put in. What cannot be resolved stays as it is written. */
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
