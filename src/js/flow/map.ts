import { isTransparent, named, needOptions, refuse } from "../arguments.js";
import { BynameError } from "../errors.js";
import { toText } from "../text.js";
import { flowAnswer, flowAssignIds, flowResolveTemplate, wasmMemory } from "../wasm.js";
import type { Collision, Diagnostic, Json, NodeMappings, PlanningContext } from "../wire.js";
import type { FlowOptions } from "./types.js";

/** How a workflow is given: as JSON text, so that diagnostics have places in it, or as an object. */
export interface GivenFlow {
  workflow: string;
  isText: boolean;
  registry: string;
  options: string;
}

const OPTIONS = ["prefix", "strategies", "budget", "strict"];

/** A workflow, a registry and options as the core takes them. */
export function given(
  workflow: Json,
  registry: Json,
  options: FlowOptions = {},
  more: readonly string[] = [],
): GivenFlow {
  wasmMemory();
  needOptions(options, [...OPTIONS, ...more], "the options of a flow");
  const isText = typeof workflow === "string";
  return {
    workflow: isText ? workflow : jsonText(workflow, "a workflow"),
    isText,
    registry: jsonText(registry, "a registry"),
    options: jsonText(options, "the options of a flow"),
  };
}

/** JSON text of whatever JSON can hold; misuse where it cannot. */
export function jsonText(value: unknown, what: string): string {
  let fault: Diagnostic | undefined;
  function check(this: unknown, _: string, part: unknown): unknown {
    // What is left out of an object may be written as `undefined` too.
    if (isJson(part) || (part === undefined && !Array.isArray(this))) return part;
    fault ??= faultOf(part);
    return null;
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value, check);
  } catch {
    // It holds itself, is too deep, or throws where it is read.
    fault = faultOf(value);
  }
  if (!fault) return text ?? "null";
  throw new BynameError("argument", `${what}: ${fault.message}`, [fault]);
}

function faultOf(value: unknown): Diagnostic | undefined {
  const written = toText(value);
  return "fault" in written ? written.fault : undefined;
}

/** Whether JSON has a value for a part, whatever lies below it. */
function isJson(part: unknown): boolean {
  if (typeof part === "object") return part === null || isTransparent(part);
  return typeof part === "string" || typeof part === "boolean" || Number.isFinite(part);
}

/** Throws for what is no object of names. */
export function needNames(value: unknown, what: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  refuse(`${what} are an object of names, not ${named(value)}`);
}

function answer(what: string, { workflow, isText, registry, options }: GivenFlow) {
  const text = flowAnswer(what, workflow, isText, registry, options);
  return JSON.parse(text) as { value: Json; diagnostics: Diagnostic[] };
}

/** The value, where the workflow can be read; else the diagnostics are thrown. */
function known(what: string, of: GivenFlow): Json {
  const { value, diagnostics } = answer(what, of);
  if (value === null) {
    const fault = diagnostics.find(({ severity }) => severity === "error");
    throw new BynameError("argument", fault?.message ?? "the workflow cannot be read", diagnostics);
  }
  return value;
}

/** The workflow with an id for each node that has none: `api-1`, `api-2`, … */
export function assignIds(workflow: Json, _registry?: Json): Json {
  wasmMemory();
  if (typeof workflow !== "object" || workflow === null) refuse("a workflow is an object");
  return JSON.parse(flowAssignIds(jsonText(workflow, "a workflow"))) as Json;
}

/** Every name that more than one node writes, in the order in which it is first written. */
export function detectCollisions(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): Collision[] {
  return known("collisions", given(workflow, registry, options)) as unknown as Collision[];
}

/** What each node reads and writes under other names, so that no two share one and none reads anything else. */
export function generateMappings(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): { [node: string]: NodeMappings } {
  const mappings = known("mappings", given(workflow, registry, options));
  return mappings as unknown as { [node: string]: NodeMappings };
}

/** What a planner is shown: every output under a name that nobody else writes, and no mapping. */
export function buildContext(
  workflow: Json,
  registry: Json,
  options?: FlowOptions,
): PlanningContext {
  const { value, diagnostics } = answer("context", given(workflow, registry, options));
  const none = { markdown: "", nodes: [], fingerprint: "" };
  return { ...((value ?? none) as unknown as PlanningContext), diagnostics };
}

/** A template with the values of a scope put in. What cannot be resolved stays as it is written. */
export function resolveTemplate(
  template: Json,
  scope: { [name: string]: Json },
): { value: Json; diagnostics: Diagnostic[] } {
  wasmMemory();
  needNames(scope, "the values of a scope");
  const text = flowResolveTemplate(jsonText(template, "a template"), jsonText(scope, "a scope"));
  return JSON.parse(text) as { value: Json; diagnostics: Diagnostic[] };
}
