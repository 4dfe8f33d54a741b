import { isTransparent, named, needMessage, needOptions, refuse } from "../arguments.js";
import { flow_answer as flowAnswer } from "../byname_bg.js";
import { BynameError } from "../errors.js";
import { jsonOf } from "../json-text.js";
import { isFields } from "../json-value.js";
import { wasmMemory } from "../wasm.js";
import type { Collision, Diagnostic, Json, NodeMappings, PlanningContext } from "../wire.js";
import type { FlowOptions } from "./types.js";

/** Much faster than the glue, which takes a text character by character. */
const encoder = new TextEncoder();

const OPTIONS = ["prefix", "strategies", "budget", "strict"];

/** A workflow as the core takes it: JSON, whether somebody wrote it as text, and what stands beside it. */
export type FlowRequest = [workflow: Uint8Array, written: boolean, beside: Uint8Array];

/** A workflow with its registry and options. As text, a workflow has places for its diagnostics. */
export function requestOf(
  workflow: Json,
  registry: Json,
  options: FlowOptions = {},
  more: readonly string[] = [],
): FlowRequest {
  needOptions(options, [...OPTIONS, ...more], "the options of a flow");
  needMessage(workflow);
  needMessage(registry);
  const written = typeof workflow === "string";
  // The encoder would put a sign in place of half a pair; the core refuses its escape.
  const text = written
    ? workflow.replace(/\p{Surrogate}/gu, (half) => JSON.stringify(half).slice(1, -1))
    : requestText(workflow);
  return [encoder.encode(text), written, encoder.encode(requestText({ registry, options }))];
}

/** JSON text; misuse where JSON has no value for a part of it. */
export function requestText(request: unknown): string {
  wasmMemory();
  return request === undefined ? "null" : jsonOf(request, true);
}

/** Throws for what is no object of names. */
export function needNames(value: unknown, what: string): void {
  if (!isFields(value) || !isTransparent(value)) {
    refuse(`${what} are an object of names, not ${named(value)}`);
  }
}

interface Answer {
  value: unknown;
  diagnostics: Diagnostic[];
}

function answer(what: string, request: FlowRequest): Answer {
  return JSON.parse(flowAnswer(what, ...request)) as Answer;
}

/** The value, where the workflow can be read; else the diagnostics are thrown. */
function known(what: string, request: FlowRequest): unknown {
  const { value, diagnostics } = answer(what, request);
  if (value !== null) return value;
  const fault = diagnostics.find(({ severity }) => severity === "error");
  throw new BynameError("argument", fault?.message ?? "the workflow cannot be read", diagnostics);
}

/** The workflow with an id for each node that has none: `api-1`, `api-2`, … */
export function assignIds(workflow: Json, registry: Json = {}): Json {
  const named = known("ids", requestOf(workflow, registry)) as Json;
  return typeof named === "object" ? named : refuse("a workflow is an object, or its JSON text");
}

/** Every name that more than one node writes, in the order in which it is first written. */
export function detectCollisions(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): Collision[] {
  return known("collisions", requestOf(workflow, registry, options)) as Collision[];
}

/** What each node reads and writes under other names, so that no two share one and none reads anything else. */
export function generateMappings(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): { [node: string]: NodeMappings } {
  const mappings = known("mappings", requestOf(workflow, registry, options));
  return mappings as { [node: string]: NodeMappings };
}

/** What a planner is shown: every output under a name that nobody else writes, and no mapping. */
export function buildContext(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): PlanningContext {
  const { value, diagnostics } = answer("context", requestOf(workflow, registry, options));
  const none = { markdown: "", nodes: [], fingerprint: "" };
  return { ...((value ?? none) as PlanningContext), diagnostics };
}

/** A template with the values of a scope put in. What cannot be resolved stays as it is written. */
export function resolveTemplate(
  template: Json,
  scope: { [name: string]: Json },
): { value: Json; diagnostics: Diagnostic[] } {
  needNames(scope, "the values of a template");
  const request = encoder.encode(requestText({ template, scope }));
  const { value, diagnostics } = answer("template", [request, false, new Uint8Array()]);
  const read = !diagnostics[0]?.code.startsWith("JSON");
  return { value: read ? (value as Json) : template, diagnostics };
}
