import { namesOf } from "../../functions/template.js";
import { asObject, type JsonObject } from "../../json-value.js";
import type { CatalogDefinition } from "../types.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { quote } from "./suggestions.js";
import { childLocation, describeLocation, type ValueLocation } from "./value-location.js";

/** Warns about names in the text of a call that are missing in its `values`. */
export function missingTemplateValues(args: JsonObject, location: ValueLocation): PathDiagnostic[] {
  const text = args["value"];
  if (typeof text !== "string") return [];
  const values = asObject(args["values"]) ?? {};
  const missing = namesOf(text).filter((name) => !Object.hasOwn(values, name));
  return missing.flatMap((name) => {
    if (name === "@index")
      return missingValue(name, 'add `"values": {"@index": {"call": "@index"}}`', location);
    const lastSegment = name.split(/[/.]/).filter(Boolean).at(-1) ?? name;
    const as = lastSegment === name ? "" : `write ${quote(`\${${lastSegment}}`)} in the text and `;
    const help = `${as}add \`"values": {"${lastSegment}": {"binding": {"key": "${lastSegment}"}}}\``;
    return missingValue(name, help, location);
  });
}

function missingValue(name: string, help: string, location: ValueLocation): PathDiagnostic[] {
  const message = `undefined value ${quote(name)} in the text of ${describeLocation(location)}`;
  const text = childLocation(location, "args", "value");
  return diagnosticsAt("CAT010", text, message, help, "warning");
}

/** Warns about a placeholder in a text that is not filled in. */
export function unfilledPlaceholder(
  catalog: CatalogDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const { formatString } = catalog.functions ?? {};
  // Code is literal.
  const isFilled = formatString === undefined || location.texts === "filled";
  const isPattern = /regex|pattern/i.test(String(location.path.at(-1)));
  if (typeof value !== "string" || isFilled || isPattern) return [];
  const words = value.replace(/```.*?(?:```|$)|`[^`]*`/gs, "");
  const [placeholder, doubled, dollar] =
    /\{\{\s*([\w./-]+)\s*\}\}|\$\{\s*([\w./-]+)\s*\}/.exec(words) ?? [];
  if (placeholder === undefined) return [];
  const name = (doubled ?? dollar ?? "").split(/[/.]/).filter(Boolean).at(-1) ?? "name";
  const call = `{"call": "formatString", "args": {"value": "… \${${name}} …", "values": {"${name}": {"binding": {"key": "${name}"}}}}}`;
  const message = `${describeLocation(location)} contains the placeholder ${quote(placeholder)}, which is not filled in`;
  return diagnosticsAt("CAT010", location, message, `write ${call}`, "warning");
}

/** Warns about the placeholders in the texts of a value that is passed on as it is. */
export function unfilledPlaceholders(
  catalog: CatalogDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (typeof value === "string") return unfilledPlaceholder(catalog, value, location);
  const isDynamic = ["call", "binding"].some((key) => asObject(value)?.[key] !== undefined);
  if (typeof value !== "object" || value === null || isDynamic) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    unfilledPlaceholders(catalog, inner, childLocation(location, key)),
  );
}
