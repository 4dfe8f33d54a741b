import {
  assertBoolean,
  assertMap,
  assertOptions,
  assertString,
  describeType,
  throwMisuse,
} from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { CatalogDefinition, PropDefinition, PropType } from "./types.js";

const TYPES = [
  ...["string", "number", "integer", "boolean", "array", "object", "any"],
  ...["component", "children", "action", "checks"],
];
const URL_USES = ["image", "media", "link"];
const PROPERTY_KEYS = [
  ...[
    "type",
    "enum",
    "anyOf",
    "items",
    "properties",
    "required",
    "bindable",
    "input",
    "url",
    "format",
  ],
  ...["description", "default", "minimum", "maximum", "minItems", "positional"],
];
const COMPONENT_KEYS = [
  ...["description", "props", "child", "children", "input", "actions"],
  ...["allowedParents", "allowedChildren", "metadata"],
];
const FUNCTION_KEYS = [
  ...["description", "args", "returns", "allowedCallers", "requiresUserActivation"],
];
const CALLERS = ["rendererOnly", "agentOnly", "rendererOrAgent"];
/** Type of the implicit parent of the root. */
export const SURFACE = "Surface";
/** Valid name: it is used in schema references and in grammar rules. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const CATALOG_KEYS = ["id", "instructions", "components", "common", "functions", "examples"];

/** Throws if a catalog definition is invalid. */
export function assertDefinition(definition: CatalogDefinition, caller: string): void {
  if (typeof definition?.components !== "object" || definition.components === null) {
    throwMisuse(
      `\`${caller}\` expected an object with \`components\`, found ${describeType(definition)}`,
    );
  }
  assertOptions(definition, CATALOG_KEYS, "catalogs");
  if (definition.instructions !== undefined)
    assertString(definition.instructions, "`instructions`");
  if (definition.common !== undefined) assertMap(definition.common, "`common`");
  if (definition.functions !== undefined) assertMap(definition.functions, "`functions`");
  const { examples = [] } = definition;
  if (!Array.isArray(examples) || !examples.every(isJsonObject)) {
    throwMisuse("expected `examples` to be a list of objects");
  }
  const components = Object.entries(definition.components);
  if (components.length === 0) throwMisuse("a catalog needs at least one component");
  for (const [name, one] of components) {
    if (!NAME.test(name)) {
      throwMisuse(`expected a component name of letters and digits, found \`${name}\``);
    }
    if (name === SURFACE) throwMisuse(`the component name \`${SURFACE}\` is reserved`);
    assertOptions(one, COMPONENT_KEYS, `\`${name}\` and other components`);
    assertTypeNames(one.allowedParents, `\`allowedParents\` of \`${name}\``);
    assertTypeNames(one.allowedChildren, `\`allowedChildren\` of \`${name}\``);
    if (one.metadata !== undefined) assertMap(one.metadata, `\`metadata\` of \`${name}\``);
    for (const [prop, type] of Object.entries({ ...one.props, ...definition.common })) {
      if (prop === "id" || prop === "component") {
        throwMisuse(`\`${name}\` cannot have a property \`${prop}\`, which every component has`);
      }
      assertType(type, `${name}.${prop}`);
    }
  }
  for (const [name, one] of Object.entries(definition.functions ?? {})) {
    if (!NAME.test(name)) {
      throwMisuse(`expected a function name of letters and digits, found \`${name}\``);
    }
    assertOptions(one, FUNCTION_KEYS, `\`${name}\` and other functions`);
    const { allowedCallers, requiresUserActivation } = one;
    if (allowedCallers !== undefined && !CALLERS.includes(allowedCallers))
      throwMisuse(`expected \`allowedCallers\` of \`${name}\` to be one of ${CALLERS.join(", ")}`);
    if (requiresUserActivation !== undefined)
      assertBoolean(requiresUserActivation, `\`requiresUserActivation\` of \`${name}\``);
    for (const [arg, type] of Object.entries(one.args ?? {})) assertType(type, `${name}.${arg}`);
  }
}

/** Throws if an extension of a catalog is invalid. */
export function assertExtension(
  base: CatalogDefinition,
  extension: Partial<CatalogDefinition>,
): void {
  assertOptions(extension, CATALOG_KEYS, "catalogs");
  const { components = {} } = extension;
  const all = typeof components === "object" && components && { ...base.components, ...components };
  assertDefinition({ ...extension, components: all as CatalogDefinition["components"] }, "extend");
}

function assertType(definition: PropType, path: string): void {
  if (Array.isArray(definition)) {
    assertNotEmpty(definition, path);
    return;
  }
  const type =
    typeof definition === "string" ? { type: definition } : (definition as PropDefinition);
  if (typeof type !== "object" || type === null) throwMisuse(`\`${path}\` has no type`);
  assertOptions(type, PROPERTY_KEYS, `\`${path}\` and other properties`);
  const { enum: values, anyOf, items, properties, url, format } = type;
  if (url !== undefined && !URL_USES.includes(url))
    throwMisuse(`expected \`url\` of \`${path}\` to be one of ${URL_USES.join(", ")}`);
  if (format !== undefined && format !== "date-time")
    throwMisuse(`expected \`format\` of \`${path}\` to be "date-time"`);
  if (values !== undefined) assertNotEmpty(values, path);
  if (anyOf !== undefined) assertNotEmpty(anyOf, path);
  for (const one of anyOf ?? []) assertType(one, path);
  if (items !== undefined) assertType(items, `${path}[]`);
  for (const [name, one] of Object.entries(properties ?? {})) assertType(one, `${path}.${name}`);
  if (!("type" in type) || type.type === undefined) return;
  if (!TYPES.includes(type.type)) {
    throwMisuse(`\`${path}\` has an unknown type; available: ${TYPES.join(", ")}`);
  }
}

/** Throws unless a value is a list of type names or `undefined`. */
function assertTypeNames(value: unknown, what: string): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throwMisuse(`expected ${what} to be a list of component names, found ${describeType(value)}`);
}

/** Throws if a list of alternatives is not a list or is empty. */
function assertNotEmpty(list: readonly unknown[], path: string): void {
  if (!Array.isArray(list) || list.length === 0)
    throwMisuse(`expected a list with at least one item in \`${path}\``);
}
