import { assertMap, assertOptions, describeType, throwMisuse } from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { CatalogDefinition, PropDefinition, PropType } from "./types.js";

const TYPES = [
  ...["string", "number", "integer", "boolean", "array", "object", "any"],
  ...["component", "children", "action", "checks"],
];
const OF_A_PROPERTY = [
  ...["type", "enum", "anyOf", "items", "properties", "required", "bindable", "input"],
  ...["description", "default", "minimum", "maximum", "minItems"],
];
const OF_A_COMPONENT = ["description", "props", "child", "children", "input", "actions"];
const OF_A_FUNCTION = ["description", "args", "returns"];
/** What a name looks like: it stands in a schema's references and in the rules of a grammar. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const OF_A_CATALOG = ["id", "components", "common", "functions", "examples"];

/** Throws for a definition that cannot be meant. */
export function needDefinition(given: CatalogDefinition, taker: string): void {
  if (typeof given?.components !== "object" || given.components === null) {
    throwMisuse(`\`${taker}\` takes an object with \`components\`, not ${describeType(given)}`);
  }
  assertOptions(given, OF_A_CATALOG, "catalogs");
  if (given.common !== undefined) assertMap(given.common, "`common`");
  if (given.functions !== undefined) assertMap(given.functions, "`functions`");
  const { examples = [] } = given;
  if (!Array.isArray(examples) || !examples.every(isJsonObject)) {
    throwMisuse("`examples` is a list of objects");
  }
  const components = Object.entries(given.components);
  if (components.length === 0) throwMisuse("a catalog has one component at least");
  for (const [name, one] of components) {
    if (!NAME.test(name)) {
      throwMisuse(`a component has a name of letters and digits, not \`${name}\``);
    }
    assertOptions(one, OF_A_COMPONENT, `\`${name}\` and other components`);
    for (const [prop, type] of Object.entries({ ...one.props, ...given.common })) {
      if (prop === "id" || prop === "component") {
        throwMisuse(`\`${name}\` cannot have a property \`${prop}\`, which every component has`);
      }
      checkType(type, `${name}.${prop}`);
    }
  }
  for (const [name, one] of Object.entries(given.functions ?? {})) {
    if (!NAME.test(name)) {
      throwMisuse(`a function has a name of letters and digits, not \`${name}\``);
    }
    assertOptions(one, OF_A_FUNCTION, `\`${name}\` and other functions`);
    for (const [arg, type] of Object.entries(one.args ?? {})) checkType(type, `${name}.${arg}`);
  }
}

/** Throws for what cannot be meant as an extension of a catalog. */
export function needExtension(held: CatalogDefinition, more: Partial<CatalogDefinition>): void {
  assertOptions(more, OF_A_CATALOG, "catalogs");
  const { components = {} } = more;
  const all = typeof components === "object" && components && { ...held.components, ...components };
  needDefinition({ ...more, components: all as CatalogDefinition["components"] }, "extend");
}

function checkType(given: PropType, place: string): void {
  if (Array.isArray(given)) {
    needSome(given, place);
    return;
  }
  const type = typeof given === "string" ? { type: given } : (given as PropDefinition);
  if (typeof type !== "object" || type === null) throwMisuse(`\`${place}\` has no type`);
  assertOptions(type, OF_A_PROPERTY, `\`${place}\` and other properties`);
  const { enum: values, anyOf, items, properties } = type;
  if (values !== undefined) needSome(values, place);
  if (anyOf !== undefined) needSome(anyOf, place);
  for (const one of anyOf ?? []) checkType(one, place);
  if (items !== undefined) checkType(items, `${place}[]`);
  for (const [name, one] of Object.entries(properties ?? {})) checkType(one, `${place}.${name}`);
  if (!("type" in type) || type.type === undefined) return;
  if (!TYPES.includes(type.type)) {
    throwMisuse(`\`${place}\` is of no type that there is: ${TYPES.join(", ")}`);
  }
}

/** Throws for a list of what may be, in which there is nothing. */
function needSome(list: readonly unknown[], place: string): void {
  if (!Array.isArray(list) || list.length === 0)
    throwMisuse(`\`${place}\` may be nothing: its list is empty`);
}
