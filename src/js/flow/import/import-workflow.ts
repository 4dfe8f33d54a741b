import { throwExpected } from "../../arguments.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Json } from "../../types.js";
import type { Workflow } from "../types.js";
import { fromComfyUi, isComfyUi, isComfyUiEditor } from "./comfyui.js";
import { ImportReport } from "./import-report.js";
import { fromN8n, isN8n } from "./n8n.js";
import { fromPflow, isPflow } from "./pflow.js";
import { fromStateGraph, isStateGraph } from "./state-graph.js";
import { isTooDeep } from "./texts.js";

/** Format of an imported workflow. */
export type WorkflowFormat = "pflow" | "state-graph" | "n8n" | "comfyui";

/** Result of an import; `workflow` is null after an error. */
export interface ImportedWorkflow {
  format: WorkflowFormat | null;
  workflow: Workflow | null;
  diagnostics: Diagnostic[];
}

type Importer = readonly [
  format: WorkflowFormat,
  isFormat: (document: JsonObject) => boolean,
  convert: (document: JsonObject, report: ImportReport) => Workflow,
];

/** Formats in the order in which they are recognised. */
const IMPORTERS: readonly Importer[] = [
  ["n8n", isN8n, fromN8n],
  ["comfyui", isComfyUi, fromComfyUi],
  ["pflow", isPflow, fromPflow],
  ["state-graph", isStateGraph, fromStateGraph],
];

const HELP =
  'expected {"nodes": [{"id": "a", "type": "t"}], "edges": [{"from": "a", "to": "b"}]}, a state graph with `source` and `target`, an export of n8n, or one of ComfyUI in the API format';

/**
 * Converts a workflow of pflow, a state graph as LangGraph describes it, or an export of n8n or
 * ComfyUI, as JSON text or an object. Parts without a counterpart are warnings.
 */
export function importWorkflow(source: string | Json): ImportedWorkflow {
  const report = new ImportReport();
  const document = documentOf(source, report);
  const failed = { format: null, workflow: null, diagnostics: report.diagnostics };
  if (document === undefined) return failed;
  if (isComfyUiEditor(document)) {
    const help = "export the workflow again with `Export (API)`";
    report.reject("the values in a file of the ComfyUI editor have no names", help);
    return failed;
  }
  const importer = IMPORTERS.find(([, isFormat]) => isFormat(document));
  if (importer === undefined) {
    const keys = Object.keys(document)
      .slice(0, 8)
      .map((key) => `\`${key}\``);
    report.reject(`unknown form of a workflow with the keys ${keys.join(", ") || "(none)"}`, HELP);
    return failed;
  }
  const [format, , convert] = importer;
  return { format, workflow: convert(document, report), diagnostics: report.diagnostics };
}

function documentOf(source: string | Json, report: ImportReport): JsonObject | undefined {
  let value: Json = source;
  if (typeof source === "string") {
    try {
      value = JSON.parse(source) as Json;
    } catch (error) {
      report.reject(`the workflow is not JSON (${(error as Error).message})`, HELP);
      return undefined;
    }
  } else if (typeof source !== "object" || source === null) {
    throwExpected("a workflow", "JSON text or an object", source);
  }
  if (isTooDeep(value)) {
    report.reject("the workflow is nested too deeply", "nest its values less deeply");
    return undefined;
  }
  if (isJsonObject(value)) return value;
  report.reject("expected an object, found a list or a single value", HELP);
  return undefined;
}
