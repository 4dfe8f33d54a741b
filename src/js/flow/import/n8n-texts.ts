import type { Json } from "../../types.js";
import type { ImportReport } from "./import-report.js";
import { escapeText, MAX_EXPRESSION_LENGTH, mapTexts } from "./texts.js";

/** Source of the items of a node: another node, and which of its outputs are connected. */
export interface Source {
  /** Id of the node. */
  id: string;
  /** Whether its regular outputs lead to the node. */
  regular: boolean;
  /** Whether its output for failures leads to the node. */
  failure: boolean;
}

/** Nodes that the expressions of a node can refer to. */
export interface ExpressionScope {
  /** Source of `$json`; undefined if the node has several. */
  previous: Source | undefined;
  /** Returns a node by its name. */
  find(name: string): Source | undefined;
  report: ImportReport;
}

/** Expression that refers to one output: of the previous node, or of a node by its name. */
const OUTPUT_REFERENCE =
  /^(?:\$json|\$node\["([^"]+)"\]\.json|\$\(["']([^"']+)["']\)\.(?:item|first\(\)|last\(\))\.json)((?:\.[\w$]+|\["[^"\\}]+"\]|\[\d+\])*)$/;

/** Properties of JavaScript values, which are no keys of JSON. */
const JS_PROPERTY = /(?:\.|\[")(?:length|constructor|prototype|__proto__)(?:"\]|(?=[.[]|$))/;

/** Converts the expressions in a value. */
export function convertExpressions(value: Json, pointer: string, scope: ExpressionScope): Json {
  return mapTexts(value, pointer, (text, at) => convertText(text, at, scope));
}

/** Converts a text; one that begins with `=` contains expressions in `{{ }}`. */
function convertText(text: string, pointer: string, scope: ExpressionScope): string {
  if (!text.startsWith("=")) return escapeText(text);
  let literalStart = 1;
  let result = "";
  for (;;) {
    const start = text.indexOf("{{", literalStart);
    const end = start < 0 ? -1 : text.indexOf("}}", start + 2);
    if (end < 0) break;
    result += escapeText(text.slice(literalStart, start));
    literalStart = end + 2;
    const template = toTemplate(text.slice(start + 2, end).trim(), scope);
    const found = text.slice(start, literalStart);
    if (template === undefined) scope.report.keepText(pointer, found);
    result += template ?? escapeText(found);
  }
  return result + escapeText(text.slice(literalStart));
}

/** Returns the template for an expression, or undefined if there is none. */
function toTemplate(expression: string, { previous, find }: ExpressionScope): string | undefined {
  if (expression.length > MAX_EXPRESSION_LENGTH) return undefined;
  const reference = OUTPUT_REFERENCE.exec(expression);
  if (!reference) return undefined;
  const [, byNode, byCall, path = ""] = reference;
  const name = byNode ?? byCall;
  const source = name === undefined ? previous : find(name);
  if (source === undefined || JS_PROPERTY.test(path)) return undefined;
  const { id, regular, failure } = source;
  // After a failure the output has the error, and otherwise the input of the node.
  if (failure && (!regular || /^(?:\.error|\["error"\])/.test(path)))
    return !regular && path === ".error.message" ? `\${${id}.error.message}` : undefined;
  const steps = path.replaceAll(/\["([^"]+)"\]|\.([\w$]+)/g, (step, quoted, key) => {
    if (key !== undefined) return key.includes("$") ? `['${key}']` : step;
    return quoted.includes("'") ? step : `['${quoted}']`;
  });
  // A field of an item can be missing: the value of the expression is empty, and the node runs.
  return `\${${id}.json${steps}${steps === "" ? "" : " ?? null"}}`;
}
