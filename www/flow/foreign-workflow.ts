import type { Diagnostic, Json } from "byname";
import { importWorkflow, type WorkflowFormat } from "byname/flow";
import { formatJson } from "../page/format-json.js";
import { asList, asRecord } from "../page/json.js";

/** Text of an imported workflow, with the diagnostics of the import. */
export interface ForeignWorkflow {
  /** Name of the program that the workflow comes from. */
  program: string;
  text: string;
  diagnostics: Diagnostic[];
}

const programNames: { readonly [format in WorkflowFormat]: string } = {
  pflow: "pflow",
  "state-graph": "LangGraph",
  n8n: "n8n",
  comfyui: "ComfyUI",
};

/** Converts the text of a workflow of another program; returns null for any other text. */
export function convertForeign(text: string): ForeignWorkflow | null {
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  const { format, workflow, diagnostics } = importWorkflow(document);
  if (format === null || workflow === null) return null;
  const converted = workflow as unknown as Json;
  // The form of pflow is that of this package, except for these parts.
  if (format === "pflow" && !isFromPflow(document)) return null;
  return { program: programNames[format], text: `${formatJson(converted)}\n`, diagnostics };
}

/** Settings that only pflow has. */
const pflowKeys = ["enable_namespacing", "template_resolution_mode", "ir_version"];
const pflowBatchKeys = ["error_handling", "parallel", "max_concurrent", "max_retries"];

/** Returns whether a document has a setting or the version of pflow. */
function isFromPflow(document: Json): boolean {
  const hasKey = (value: Json, keys: string[]) => keys.some((key) => key in asRecord(value));
  const nodes = asList(asRecord(document)["nodes"]);
  return (
    hasKey(document, pflowKeys) ||
    nodes.some((node) => hasKey(asRecord(node)["batch"] ?? null, pflowBatchKeys))
  );
}

/** Returns why a text is not a workflow of any known form, or null if it is one. */
export function workflowError(text: string): string | null {
  const { format, diagnostics } = importWorkflow(text);
  if (format !== null) return null;
  const [error] = diagnostics;
  return [error?.message, error?.help].filter((part) => part !== undefined).join("; ");
}

/** Returns whether less than half of a text was there before, as after pasting all of it. */
export function isReplaced(before: string, text: string): boolean {
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  return start + end < text.length / 2;
}
