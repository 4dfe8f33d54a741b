import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow, WorkflowNode } from "../types.js";
import type { ImportReport } from "./import-report.js";
import { NodeIds } from "./node-ids.js";

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
      const link = linkOf(value, idByNumber);
      if (link) outputs.set(link.number, Math.max(outputs.get(link.number) ?? 0, link.output + 1));
    }
  }
  const nodes = inOrder(all, idByNumber).map(([number, node]): WorkflowNode => {
    const { _meta: meta } = node;
    const title = isJsonObject(meta) ? meta["title"] : undefined;
    const params = Object.entries(inputsOf(node)).map(([name, value]): [string, Json] => {
      const link = linkOf(value, idByNumber);
      if (link) return [name, `\${${idByNumber.get(link.number)}.output_${link.output}}`];
      return [name, typeof value === "string" ? value.replaceAll("$", "$$$$") : value];
    });
    for (const key of Object.keys(node))
      if (!["class_type", "inputs", "_meta"].includes(key))
        report.omit(
          `/${number}/${key}`,
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

/** Returns the node and the output that a value refers to, or undefined for another value. */
function linkOf(
  value: Json,
  idByNumber: ReadonlyMap<string, string>,
): { number: string; output: number } | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [number, output] = value;
  const isLink = typeof output === "number" && idByNumber.has(String(number));
  return isLink ? { number: String(number), output } : undefined;
}

/** Returns the nodes so that each one follows those it refers to. A cycle keeps its order. */
function inOrder(
  all: readonly [string, JsonObject][],
  idByNumber: ReadonlyMap<string, string>,
): [string, JsonObject][] {
  const byNumber = new Map(all);
  const ordered = new Map<string, JsonObject>();
  const open = new Set<string>();
  /** Nodes to visit; a node is added after its sources, when it is visited again. */
  const stack = all.map(([number]) => number).reverse();
  for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
    const node = byNumber.get(number);
    if (node === undefined || ordered.has(number)) continue;
    const sources = Object.values(inputsOf(node))
      .flatMap((value) => linkOf(value, idByNumber)?.number ?? [])
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
