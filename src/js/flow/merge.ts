import { isJsonCompatible, throwExpected } from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic } from "../wire.js";
import { callCore, encodeJson } from "./mappings.js";
import type { Workflow } from "./types.js";

/** A merge needs no registry and no options. */
const NO_INPUT = new Uint8Array();

/**
 * Merges workflows into one that gives the same results as its parts. Ids, templates, inputs and
 * outputs get the name of their workflow as a prefix: the node `fetch` of `a` becomes `a_fetch`.
 * With an error, the result has no nodes and does not compile.
 */
export function mergeWorkflows(workflows: { [name: string]: Workflow }): {
  workflow: Workflow;
  diagnostics: Diagnostic[];
} {
  if (!isJsonObject(workflows) || !isJsonCompatible(workflows)) {
    throwExpected("the workflows", "an object of workflows by their names", workflows);
  }
  const { value, diagnostics } = callCore("merge", [encodeJson(workflows), false, NO_INPUT]);
  return { workflow: (value ?? {}) as Workflow, diagnostics };
}
