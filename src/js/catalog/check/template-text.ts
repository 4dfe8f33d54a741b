import { type Expression, namesOf, parseTemplate } from "../../functions/template.js";
import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { quote } from "./suggestions.js";
import { describeLocation, type ValueLocation } from "./value-location.js";

/** Maximum length of a shown expression. */
const MAX_SHOWN = 40;

/** Returns the calls in a template as JSON, and its invalid expressions with their positions. */
export function expressionsOf(text: string): {
  calls: JsonObject[];
  invalid: { at: number; text: string }[];
} {
  const starts: number[] = [];
  const parts = parseTemplate(text, starts);
  const invalid = starts.map((at) => ({ at, text: /^[^}]*\}?/.exec(text.slice(at))?.[0] ?? "" }));
  const calls = parts.filter((part) => typeof part === "object" && "call" in part);
  return { calls: calls.map((one) => jsonOf(one as Expression) as JsonObject), invalid };
}

/** Returns an expression as a call, a binding or a literal. */
function jsonOf(expression: Expression): Json {
  if ("literal" in expression) return expression.literal;
  if ("path" in expression) return { binding: {} };
  const args = Object.entries(expression.args).map(([name, one]) => [name, jsonOf(one)]);
  const { value, ...others } = Object.fromEntries(args);
  if (expression.call !== "formatString")
    return { call: expression.call, args: Object.fromEntries(args) };
  // A nested template uses the values of the outer one.
  const values = Object.fromEntries(namesOf(String(value)).map((name) => [name, ""]));
  return { call: expression.call, args: { value, values, ...others } };
}

/** Returns the warning for an expression that is shown as text. */
export function invalidExpression(
  { at, text }: { at: number; text: string },
  location: ValueLocation,
): PathDiagnostic[] {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const message = `invalid expression ${quote(shown)} at ${at} in ${describeLocation(location)}`;
  return diagnosticsAt("CAT010", location, message, helpFor(text), "warning");
}

function helpFor(text: string): string {
  if (!text.endsWith("}")) return "end the expression with `}`, or write `\\${` for the text `${`";
  const path = text.replace(/^\$\{\s*\$?\.?\/?/, "").replace(/[[.](\w+)\]?/g, "/$1");
  if (/^[\w/]+\s*\}$/.test(path)) return `write ${quote(`\${/${path}`)}`;
  return /^\$\{\s*\w+\(/.test(text)
    ? "name the arguments: `${formatDate(value: /date, format: 'MMM d')}`"
    : "write a path as `${/user/name}` or a call; calculate other values in the data";
}
