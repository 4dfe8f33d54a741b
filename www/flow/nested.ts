import type { Diagnostic, Json, NodeCallback } from "byname";
import { subflow } from "byname/flow";
import { formatJson } from "../page/format-json.js";
import { asList, asRecord, type JsonRecord } from "../page/json.js";
import { type CompiledWorkflow, compileWorkflow, type WorkflowDiagram } from "./diagram.js";

/** Workflow of a node type, compiled with those inside of it. */
export type NestedWorkflows = ReadonlyMap<string, NestedWorkflow>;

/** Compiled workflow of a node type, and its text. */
export interface NestedWorkflow {
  workflow: Json;
  compiled: CompiledWorkflow;
  inside: NestedWorkflows;
}

/** Compiled workflow with the workflows that its nodes run. */
export interface CompiledProgram extends CompiledWorkflow {
  nested: NestedWorkflows;
}

/**
 * Compiles a workflow and those of its node types: a type of the page can have a `workflow`, which
 * its nodes run. An error in one of them is an error of the program.
 */
export function compileProgram(text: string, registry: JsonRecord): CompiledProgram {
  const start = performance.now();
  const compiled = compileWorkflow(text, registry);
  const diagnostics = [...compiled.diagnostics];
  const types = compiled.diagram?.nodes.map(({ type }) => type) ?? [];
  const nested = compileNested(types, registry, [], diagnostics);
  const isWrong = diagnostics.some(({ severity }) => severity === "error");
  if (isWrong) compiled.flow?.[Symbol.dispose]();
  const flow = isWrong ? null : compiled.flow;
  return { ...compiled, flow, diagnostics, nested, time: performance.now() - start };
}

function compileNested(
  types: readonly string[],
  registry: JsonRecord,
  parents: readonly string[],
  diagnostics: Diagnostic[],
): NestedWorkflows {
  const found = new Map<string, NestedWorkflow>();
  for (const type of new Set(types)) {
    const workflow = asRecord(registry[type])["workflow"];
    if (workflow === undefined) continue;
    if (parents.includes(type)) {
      const message = `the workflow of the type \`${type}\` runs itself`;
      const help = `remove the node of the type \`${type}\` from it, in Types`;
      diagnostics.push({ code: "FLOW", severity: "error", message, help });
      continue;
    }
    const compiled = compileWorkflow(formatJson(workflow), registry);
    for (const { code, severity, message, help } of compiled.diagnostics) {
      // Collisions need no fix.
      if (code === "FLOW020") continue;
      const words = `in the workflow of the type \`${type}\`: ${message}`;
      diagnostics.push({ code, severity, message: words, ...(help !== undefined && { help }) });
    }
    const childTypes = asList(asRecord(workflow)["nodes"]).map((node) =>
      String(asRecord(node)["type"]),
    );
    const inside = compileNested(childTypes, registry, [...parents, type], diagnostics);
    found.set(type, { workflow, compiled, inside });
  }
  return found;
}

/** Returns the callbacks of the types that have workflows. */
export function nestedCallbacks(nested: NestedWorkflows): { [type: string]: NodeCallback } {
  const made: { [type: string]: NodeCallback } = {};
  for (const [type, { compiled, inside }] of nested) {
    Object.assign(made, nestedCallbacks(inside));
    if (compiled.flow) made[type] = subflow(compiled.flow);
  }
  return made;
}

/** Returns all nested workflows as JSON, by type. */
export function nestedJson(nested: NestedWorkflows): Map<string, Json> {
  return new Map(
    [...nested].flatMap(([type, { workflow, inside }]): [string, Json][] => [
      [type, workflow],
      ...nestedJson(inside),
    ]),
  );
}

/** Returns the diagram of the workflow that a node runs, or null if it runs none. */
export function diagramAt(
  program: CompiledProgram | null,
  path: readonly string[],
): WorkflowDiagram | null {
  let diagram = program?.diagram ?? null;
  let nested: NestedWorkflows = program?.nested ?? new Map();
  for (const id of path) {
    const type = diagram?.nodes.find((node) => node.id === id)?.type;
    const child = type === undefined ? undefined : nested.get(type);
    diagram = child?.compiled.diagram ?? null;
    nested = child?.inside ?? new Map();
  }
  return diagram;
}

/** Returns the node of an opened workflow that a path of node ids leads to, or through. */
export function shownNode(
  program: CompiledProgram | null,
  opened: readonly string[],
  path: string,
): string {
  const prefix = [...opened, ""].join("/");
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const nodes = diagramAt(program, opened)?.nodes ?? [];
  return nodes.some(({ id }) => id === rest) ? rest : (rest.split("/")[0] ?? rest);
}
