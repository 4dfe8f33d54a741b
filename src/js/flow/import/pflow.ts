import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { Workflow } from "../types.js";
import type { ImportReport } from "./import-report.js";

/** Settings of a batch in pflow, each with its name here. */
const BATCH_KEYS: { readonly [key: string]: string } = {
  items: "items",
  as: "as",
  max_concurrent: "concurrency",
};

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

/** Converts a workflow of pflow, where an input is required unless it states otherwise. */
export function fromPflow(document: JsonObject, report: ImportReport): Workflow {
  const { inputs, nodes } = document;
  const converted: JsonObject = { ...document };
  if (isJsonObject(inputs)) {
    converted["inputs"] = Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [name, withRequired(input)]),
    );
  }
  const list = Array.isArray(nodes) ? nodes : [];
  converted["nodes"] = list.map((node, index) =>
    isJsonObject(node) && isJsonObject(node["batch"])
      ? { ...node, batch: toBatch(node["batch"], `/nodes/${index}/batch`, report) }
      : node,
  );
  return converted as unknown as Workflow;
}

function withRequired(input: Json): Json {
  if (!isJsonObject(input) || "required" in input || "default" in input) return input;
  return { ...input, required: true };
}

function toBatch(batch: JsonObject, pointer: string, report: ImportReport): Json {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(batch)) {
    const name = BATCH_KEYS[key];
    if (name !== undefined) result[name] = value;
    else if (key === "error_handling")
      result["on_error"] = value === "continue" ? "continue" : "fail";
    else if (key !== "parallel")
      report.omit(
        `${pointer}/${key}`,
        `\`${key}\``,
        "use `retry` of the node for repeated attempts",
      );
  }
  return result;
}
