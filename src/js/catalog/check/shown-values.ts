import { evaluate, isAction } from "../../functions/evaluate.js";
import { isClearTime } from "../../functions/zoned-time.js";
import { asNumber } from "../../json-value.js";
import type { Diagnostic, Instance, Json } from "../../types.js";
import { normalizeType } from "../prop-types.js";
import type { CatalogDefinition, PropDefinition } from "../types.js";
import type { PathDiagnostic } from "./path-diagnostic.js";
import { relativeUrl } from "./urls.js";
import { describeLocation, toPointer, type ValueLocation } from "./value-location.js";

/** Maximum length of a value in a message. */
const MAX_SHOWN_VALUE = 60;
/** Properties that are not shown, or only after an action of the user. */
const UNSHOWN = new Set(["checks", "accessibility"]);

/**
 * Returns warnings about values in a tree that their components and functions cannot show. Instances
 * of one component are reported once for each property.
 */
export function checkShownValues(
  catalog: Pick<CatalogDefinition, "components">,
  tree: Instance | null,
): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const visit = ({ id, component, props, children }: Instance): void => {
    const types = Object.hasOwn(catalog.components, component)
      ? catalog.components[component]?.props
      : undefined;
    for (const [prop, value] of Object.entries(props)) {
      if (UNSHOWN.has(prop) || isAction(value)) continue;
      const type = types !== undefined && Object.hasOwn(types, prop) ? types[prop] : undefined;
      const location = { path: [id, prop], owner: id, ownerDepth: 1 };
      const warning =
        typeof value === "object"
          ? checkCalls(value, location)
          : checkScalar(type && normalizeType(type), value, location);
      if (warning === undefined || found.has(warning.path.join("/"))) continue;
      const { path, ...diagnostic } = warning;
      found.set(path.join("/"), { ...diagnostic, location: toPointer(path) });
    }
    // The depth of a surface is limited.
    children.forEach(visit);
  };
  if (tree !== null) visit(tree);
  return [...found.values()];
}

/** Returns a warning about a literal text that is not a date, where its type expects one. */
export function invalidDate(
  type: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (type.format === undefined || typeof value !== "string" || value === "") return [];
  const found = checkScalar({ format: type.format }, value, location);
  return found === undefined ? [] : [{ ...found, help: "write it as `2026-03-31` or `09:30`" }];
}

/** Returns a warning about an argument that a function of the basic catalog cannot show. */
function checkCalls(value: Json, location: ValueLocation): PathDiagnostic | undefined {
  let found: PathDiagnostic | undefined;
  const onUnusable = (call: string, argument: Json, expected: string): void => {
    const where = `\`value\` of \`${call}\` in ${describeLocation(location)}`;
    found ??= warning(where, expected, argument, location);
  };
  evaluate(value, { onUnusable });
  return found;
}

function checkScalar(
  type: PropDefinition | undefined,
  value: Json,
  location: ValueLocation,
): PathDiagnostic | undefined {
  const expected = value === "" ? undefined : expectedType(type, value);
  if (expected !== undefined) return warning(describeLocation(location), expected, value, location);
  return value === "" ? undefined : relativeUrl(type?.url, value, location)[0];
}

/** Returns a description of the expected values if a scalar cannot be shown. */
function expectedType(type: PropDefinition | undefined, value: Json): string | undefined {
  switch (type?.type) {
    case "boolean":
      return ["true", "false"].includes(String(value)) ? undefined : "true or false";
    case "integer":
    case "number":
      return asNumber(value) === null ? "a number" : undefined;
    case "array":
      return typeof value === "string" ? undefined : "a list";
    default:
      return type?.format === "date-time" && !isClearTime(value)
        ? "a date or time in ISO 8601"
        : undefined;
  }
}

function warning(
  where: string,
  expected: string,
  value: Json,
  { path }: ValueLocation,
): PathDiagnostic {
  const text = JSON.stringify(value);
  const isLong = text.length > MAX_SHOWN_VALUE;
  const found = isLong ? `${text.slice(0, MAX_SHOWN_VALUE)}…` : text;
  const message = `expected ${expected} in ${where}, found \`${found}\``;
  const help = `send ${expected} in the data, or bind to another value`;
  return { code: "CAT017", severity: "warning", message, help, path };
}
