import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { NodeIds } from "./node-ids.js";
import { escapeText, mapTexts } from "./texts.js";

/** Returns whether a document is an export of ComfyUI in its API format. */
export function isComfyUi(document: JsonObject): boolean {
  const nodes = Object.values(document);
  return (
    nodes.length > 0 &&
    nodes.every((node) => isJsonObject(node) && typeof node["class_type"] === "string")
  );
}

/** Returns whether a document is a workflow of the ComfyUI editor, without names of its values. */
export function isComfyUiEditor({ nodes, links }: JsonObject): boolean {
  const isNode = (node: Json): boolean => isJsonObject(node) && "widgets_values" in node;
  return Array.isArray(nodes) && Array.isArray(links) && nodes.some(isNode);
}

/** Maximum number of outputs of a node. */
const MAX_OUTPUTS = 1000;

/** Converts an export of ComfyUI. The outputs of a node are `output_0`, `output_1` and so on. */
export function fromComfyUi(document: JsonObject, report: ImportReport): Workflow {
  const ids = new NodeIds();
  const all = Object.entries(document) as [string, JsonObject][];
  const idByNumber = new Map(
    all.map(([number, node]) => [number, ids.idOf(`${node["class_type"]}_${number}`)]),
  );
  const outputs = new Map<string, number>();
  for (const [, node] of all) {
    for (const value of Object.values(inputsOf(node))) {
      const link = linkOf(value);
      if (link && linkError(link, idByNumber) === undefined)
        outputs.set(link.number, Math.max(outputs.get(link.number) ?? 0, link.output + 1));
    }
  }
  const nodes = inOrder(all).map(([number, node]): WorkflowNode => {
    const { _meta: meta } = node;
    const title = isJsonObject(meta) ? meta["title"] : undefined;
    const params = Object.entries(inputsOf(node)).flatMap(([name, value]): [string, Json][] => {
      const link = linkOf(value);
      const pointer = `/${number}/inputs/${escapePointer(name)}`;
      if (!link) return [[name, mapTexts(widgetValue(value), pointer, escapeText)]];
      const error = linkError(link, idByNumber);
      if (error === undefined)
        return [[name, `\${${idByNumber.get(link.number)}.output_${link.output}}`]];
      const message = `the input \`${name}\` of node \`${number}\` is left out: ${error}`;
      report.warn(pointer, message, 'write a link as `["node id", output]`');
      return [];
    });
    for (const key of Object.keys(node))
      if (!["class_type", "inputs", "_meta"].includes(key))
        report.omit(
          `/${number}/${escapePointer(key)}`,
          `\`${key}\``,
          "add it to `params` if the callback needs it",
        );
    return {
      id: idByNumber.get(number) as string,
      type: String(node["class_type"]),
      ...(typeof title === "string" && { purpose: title }),
      params: Object.fromEntries(params),
      inputs: params.map(([name]) => name),
      outputs: Array.from({ length: outputs.get(number) ?? 0 }, (_, at) => `output_${at}`),
    };
  });
  return { nodes };
}

function inputsOf(node: JsonObject): JsonObject {
  return isJsonObject(node["inputs"]) ? node["inputs"] : {};
}

/** Returns the value of a widget. A list is wrapped, because a list of two can be a link. */
function widgetValue(value: Json): Json {
  return isJsonObject(value) && value["__value__"] !== undefined ? value["__value__"] : value;
}

interface Link {
  number: string;
  output: number;
}

/** Returns the node and the output that a value refers to, or undefined for another value. */
function linkOf(value: Json): Link | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [number, output] = value;
  return typeof number === "string" && typeof output === "number" ? { number, output } : undefined;
}

/** Returns why a link has no source, or undefined if it has one. */
function linkError(
  { number, output }: Link,
  idByNumber: ReadonlyMap<string, string>,
): string | undefined {
  if (!idByNumber.has(number)) return `it links to node \`${number}\`, which does not exist`;
  if (Number.isInteger(output) && output >= 0 && output < MAX_OUTPUTS) return undefined;
  return `expected an output from 0 to ${MAX_OUTPUTS - 1}, found ${output}`;
}

/** Returns the nodes so that each one follows those it refers to. A cycle keeps its order. */
function inOrder(all: readonly [string, JsonObject][]): [string, JsonObject][] {
  const byNumber = new Map(all);
  const ordered = new Map<string, JsonObject>();
  const open = new Set<string>();
  /** Nodes to visit; a node is added after its sources, when it is visited again. */
  const stack = all.map(([number]) => number).reverse();
  for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
    const node = byNumber.get(number);
    if (node === undefined || ordered.has(number)) continue;
    const sources = Object.values(inputsOf(node))
      .flatMap((value) => linkOf(value)?.number ?? [])
      .filter((source) => !ordered.has(source) && !open.has(source));
    if (open.has(number) || sources.length === 0) {
      ordered.set(number, node);
      continue;
    }
    open.add(number);
    stack.push(number, ...sources.reverse());
  }
  return [...ordered];
}
