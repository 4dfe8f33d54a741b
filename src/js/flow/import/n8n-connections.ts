import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../../json-value.js";
import type { ImportReport } from "./import-report.js";

/** Connection between the names of nodes. */
export interface Connection {
  from: string;
  to: string;
  /** Index of the output of `from`. */
  output: number;
  /** Index of the input of `to`. */
  input: number;
}

/** Returns the connections between nodes. Those of models and tools are left out. */
export function connectionsOf(
  connections: JsonObject,
  nodes: ReadonlyMap<string, unknown>,
  report: ImportReport,
): Connection[] {
  const found: Connection[] = [];
  for (const [from, kinds] of Object.entries(connections)) {
    for (const [kind, outputs] of Object.entries(isJsonObject(kinds) ? kinds : {})) {
      const pointer = `/connections/${escapePointer(from)}/${escapePointer(kind)}`;
      if (kind !== "main") {
        const help = "pass the model or tool in the callback";
        report.omit(pointer, `the connection \`${kind}\``, help);
        continue;
      }
      for (const [output, targets] of (Array.isArray(outputs) ? outputs : []).entries()) {
        for (const target of Array.isArray(targets) ? targets : []) {
          if (!isJsonObject(target)) continue;
          const { node, index } = target;
          const to = textOf(node);
          const input = typeof index === "number" ? index : 0;
          if (nodes.has(from) && nodes.has(to)) found.push({ from, to, output, input });
          else
            report.warn(
              pointer,
              `the connection from \`${from}\` to \`${to}\` is left out: one of them is not a node`,
              "add the node, or connect another one",
            );
        }
      }
    }
  }
  return found;
}

/** Types with a number of regular outputs that is not one, or not known. */
const SEVERAL_OUTPUTS =
  /\.(?:switch|splitInBatches|compareDatasets|textClassifier|sentimentAnalysis)$/;

const isIf = (node: JsonObject): boolean => textOf(node["type"]).endsWith(".if");
const isSwitch = (node: JsonObject): boolean => textOf(node["type"]).endsWith(".switch");

/** Returns the output for failures, which follows the regular ones; undefined if it is not known. */
export function errorOutputOf(
  node: JsonObject,
  outgoing: readonly Connection[],
): number | undefined {
  if (node["onError"] !== "continueErrorOutput") return undefined;
  if (SEVERAL_OUTPUTS.test(textOf(node["type"]))) return undefined;
  const last = isIf(node) ? 2 : 1;
  return outgoing.some(({ output }) => output > last) ? undefined : last;
}

/** Returns the action of an output: an `if` node has two, others number their outputs. */
export function actionOf(
  node: JsonObject,
  output: number,
  errorOutput: number | undefined,
): string | undefined {
  if (output === errorOutput) return "error";
  if (isIf(node) && output < 2) return output === 0 ? "true" : "false";
  return output === 0 && !isSwitch(node) ? undefined : `output_${output}`;
}

/** Returns the actions that a node declares; none if it has no choice. */
export function actionsOf(
  node: JsonObject,
  outgoing: readonly Connection[],
  errorOutput: number | undefined,
): string[] {
  const connected = outgoing.flatMap(({ output }) => actionOf(node, output, errorOutput) ?? []);
  if (connected.length === 0) return [];
  // A branch without a connection ends; these nodes always choose one of their branches.
  if (isIf(node)) return [...new Set(["true", "false", ...connected])];
  return [...new Set([...connected, ...(isSwitch(node) ? [] : ["default"])])];
}
