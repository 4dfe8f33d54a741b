import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { escapeText, MAX_EXPRESSION_LENGTH, mapTexts } from "./texts.js";

/** Settings of a batch in pflow that have the same name here. */
const BATCH_KEYS = ["items", "as"];

/** Maximum number of concurrent items in pflow, if the batch states none. */
const DEFAULT_CONCURRENCY = 10;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:\[\d+\])?`;
const OPERAND = String.raw`(?:${NAME}(?:\.${NAME})*|"[^"\\]*"|-?\d+(?:\.\d+)?)`;

/** Template of pflow without its dollar sign and braces. */
const TEMPLATE = new RegExp(`^${OPERAND}(?:\\s*\\?\\?\\s*${OPERAND})*$`, "u");

function isTemplate(expression: string): boolean {
  return expression.length <= MAX_EXPRESSION_LENGTH && TEMPLATE.test(expression);
}

/** Returns whether a document is a workflow of this form, or of pflow. */
export function isPflow(document: JsonObject): boolean {
  const { nodes } = document;
  return (
    Array.isArray(nodes) &&
    nodes.every((node) => isJsonObject(node) && typeof node["type"] === "string") &&
    !("connections" in document || "links" in document) &&
    edgesOf(document).every((edge) => isJsonObject(edge) && "from" in edge)
  );
}

function edgesOf({ edges }: JsonObject): Json[] {
  return Array.isArray(edges) ? edges : [];
}

/**
 * Converts a workflow of pflow. An input is required unless it states otherwise, and a node reads
 * only its params: its `scope` keeps it from reading an output of another node by its name.
 */
export function fromPflow(document: JsonObject, report: ImportReport): Workflow {
  const { inputs, nodes, edges, outputs, mappings } = document;
  const { enable_namespacing: isNamespaced = true, template_resolution_mode: mode } = document;
  const converted: JsonObject = { ...document };
  // Without these keys the result is not taken for a workflow of pflow.
  for (const key of ["ir_version", "enable_namespacing", "template_resolution_mode"])
    delete converted[key];
  if (mode === "permissive")
    report.omit(
      "/template_resolution_mode",
      "`template_resolution_mode`",
      'write `?? ""` after a name that can be without a value',
    );
  if (isJsonObject(inputs)) {
    converted["inputs"] = Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [name, withRequired(input)]),
    );
  }
  if (isJsonObject(outputs)) {
    converted["outputs"] = Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [
        name,
        toOutput(output, `/outputs/${escapePointer(name)}`, report),
      ]),
    );
  }
  const hasScopes = isNamespaced === true && mappings === undefined;
  const list = Array.from(Array.isArray(nodes) ? nodes : []);
  converted["nodes"] = list.map((node, index) =>
    isJsonObject(node) ? toNode(node, `/nodes/${index}`, hasScopes, report) : node,
  );
  // A workflow of pflow states its version.
  if (!("ir_version" in document)) reportBareNames(list, report);
  // A run begins at the first node, also if others have no incoming edges.
  const first = isJsonObject(list[0]) ? list[0]["id"] : undefined;
  if (Array.isArray(edges) && edges.length > 0 && typeof first === "string")
    converted["start_node"] ??= first;
  return converted as unknown as Workflow;
}

function toNode(
  node: JsonObject,
  pointer: string,
  hasScope: boolean,
  report: ImportReport,
): JsonObject {
  const { id, params, batch } = node;
  const convert = (text: string, at: string): string => convertText(text, at, report);
  return {
    ...node,
    ...(params !== undefined && { params: mapTexts(params, `${pointer}/params`, convert) }),
    ...(isJsonObject(batch) && { batch: toBatch(batch, `${pointer}/batch`, report) }),
    ...(hasScope && typeof id === "string" && { scope: id }),
  };
}

function withRequired(input: Json): Json {
  if (!isJsonObject(input) || "required" in input || "default" in input) return input;
  return { ...input, required: true };
}

/** Converts an output; a source can be written without braces. */
function toOutput(output: Json, pointer: string, report: ImportReport): Json {
  if (isJsonObject(output) && output["source"] !== undefined)
    return { ...output, source: toOutput(output["source"], `${pointer}/source`, report) };
  if (typeof output !== "string") return output;
  return convertText(isTemplate(output) ? `\${${output}}` : output, pointer, report);
}

function toBatch(batch: JsonObject, pointer: string, report: ImportReport): Json {
  const result: JsonObject = {};
  const convert = (text: string, at: string): string => convertText(text, at, report);
  for (const [key, value] of Object.entries(batch)) {
    if (BATCH_KEYS.includes(key)) result[key] = mapTexts(value, `${pointer}/${key}`, convert);
    else if (key === "error_handling")
      result["on_error"] = value === "continue" ? "continue" : "fail";
    else if (key !== "parallel" && key !== "max_concurrent")
      report.omit(
        `${pointer}/${key}`,
        `\`${key}\``,
        "use `retry` of the node for repeated attempts",
      );
  }
  // Items run one after the other unless `parallel` is set.
  const isParallel = ["true", "1", "yes"].includes(textOf(batch["parallel"]).toLowerCase());
  result["concurrency"] = isParallel ? (batch["max_concurrent"] ?? DEFAULT_CONCURRENCY) : 1;
  return result;
}

/** Reports texts with `$name`, which is a template in this package and a text in pflow. */
function reportBareNames(nodes: readonly Json[], report: ImportReport): void {
  const visit = (text: string, pointer: string): string => {
    const name = /(?:^|[^$])\$([\p{L}_][\p{L}\p{N}_]*)/u.exec(text)?.[1];
    const help = `write \`\${${name}}\` for a template, or pass a workflow of this package to \`compileFlow\``;
    if (name !== undefined) report.warn(pointer, `\`$${name}\` is text in pflow`, help);
    return text;
  };
  for (const [index, node] of nodes.entries())
    if (isJsonObject(node)) mapTexts(node["params"] ?? null, `/nodes/${index}/params`, visit);
}

/** Converts a text, in which only `${name}` is a template. */
function convertText(text: string, pointer: string, report: ImportReport): string {
  let result = "";
  let literalStart = 0;
  for (;;) {
    const dollar = text.indexOf("${", literalStart);
    if (dollar < 0) break;
    const isEscaped = dollar > literalStart && text[dollar - 1] === "$";
    const start = isEscaped ? dollar - 1 : dollar;
    const close = isEscaped ? -1 : closingBraceAt(text, dollar + 2);
    result += escapeText(text.slice(literalStart, start));
    literalStart = close < 0 ? dollar + 2 : close + 1;
    const found = text.slice(start, literalStart);
    const isKept = close >= 0 && isTemplate(text.slice(dollar + 2, close));
    result += isKept ? found : escapeText(found);
    if (isEscaped)
      report.warn(
        pointer,
        "the text `$${` keeps both dollar signs; recent versions of pflow remove the first",
        "write `$${` for `${`, and `$$$${` for `$${`",
      );
    else if (!isKept) report.keepText(pointer, found);
  }
  return result + escapeText(text.slice(literalStart));
}

/** Returns the offset of the brace that closes a template with one level of braces inside, or -1. */
function closingBraceAt(text: string, start: number): number {
  const braces = /[{}]/g;
  braces.lastIndex = start;
  let isInside = false;
  for (let found = braces.exec(text); found !== null; found = braces.exec(text)) {
    const isOpening = found[0] === "{";
    if (isOpening === isInside) return isInside ? -1 : found.index;
    isInside = isOpening;
  }
  return -1;
}
