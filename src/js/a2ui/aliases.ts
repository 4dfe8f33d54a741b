import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { diagnostic } from "./translation.js";

/** Older names of properties, by component. The current name wins where both are present. */
const propAliases: { readonly [component: string]: { readonly [alias: string]: string } } = {
  Text: { usageHint: "variant" },
  Image: { usageHint: "variant", altText: "description" },
  Row: { distribution: "justify", alignment: "align" },
  Column: { distribution: "justify", alignment: "align" },
  List: { alignment: "align" },
  Tabs: { tabItems: "tabs" },
  Modal: { entryPointChild: "trigger", contentChild: "content" },
  TextField: { text: "value", textFieldType: "variant" },
  CheckBox: { checked: "value" },
  ChoicePicker: { selections: "value" },
  Slider: { minValue: "min", maxValue: "max" },
};

/** Older values of the property `variant` of a Button. */
const buttonVariants: { readonly [name: string]: string } = {
  secondary: "default",
  text: "borderless",
};

/** Returns the literal of `{literalString}` and its siblings, or undefined for other values. */
export function literalOf(value: Json): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  return (
    value["literalString"] ??
    value["literalNumber"] ??
    value["literalBoolean"] ??
    value["literalArray"]
  );
}

/** Returns a component with the current names of types, properties and values. */
export function renameAliases(
  component: JsonObject,
  pointer: string,
  diagnostics: Diagnostic[],
): JsonObject {
  return withCurrentNames(withComponentId(component, pointer, diagnostics));
}

/** Returns a component with `componentId` in place of `template`, its name in HAM. */
function withComponentId(
  component: JsonObject,
  pointer: string,
  diagnostics: Diagnostic[],
): JsonObject {
  const { children } = component;
  if (!isJsonObject(children)) return component;
  const { template, ...rest } = children;
  const path = children["@path"] ?? children["path"];
  if (typeof path !== "string" || typeof template !== "string" || rest["componentId"] !== undefined)
    return component;
  const text = "expected `componentId` in a list of children, found `template`";
  const help = `write {"path": ${JSON.stringify(path)}, "componentId": ${JSON.stringify(template)}}`;
  diagnostics.push(diagnostic("A2UI025", text, help, `${pointer}/children/template`));
  return { ...component, children: { ...rest, componentId: template } };
}

function withCurrentNames(component: JsonObject): JsonObject {
  const type =
    component["component"] === "MultipleChoice" ? "ChoicePicker" : component["component"];
  if (typeof type !== "string" || !Object.hasOwn(propAliases, type)) {
    return type === "Button" ? renameButton(component) : component;
  }
  const aliases = propAliases[type] ?? {};
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(component)) {
    const name = Object.hasOwn(aliases, key) ? (aliases[key] as string) : key;
    if (name === key || !Object.hasOwn(component, name)) result[name] = value;
  }
  result["component"] = type;
  if (type === "TextField") renameTextField(result);
  if (type === "ChoicePicker") renameChoices(result);
  if (type === "Image" && result["fit"] === "scale-down") result["fit"] = "scaleDown";
  return result;
}

function renameButton(component: JsonObject): JsonObject {
  const { primary, ...rest } = component;
  const { variant } = rest;
  if (typeof variant === "string" && Object.hasOwn(buttonVariants, variant))
    return { ...rest, variant: buttonVariants[variant] as string };
  const isPrimary = literalOf(primary ?? null) ?? primary;
  if (typeof isPrimary !== "boolean") return component;
  return isPrimary && variant === undefined ? { ...rest, variant: "primary" } : rest;
}

function renameTextField(field: JsonObject): void {
  const { variant, validationRegexp, checks } = field;
  if (variant === "date") {
    delete field["variant"];
    field["component"] = "DateTimeInput";
    field["enableDate"] ??= true;
  }
  if (typeof validationRegexp !== "string" || checks !== undefined) return;
  delete field["validationRegexp"];
  const args = { value: field["value"] ?? null, pattern: validationRegexp };
  field["checks"] = [
    { condition: { call: "regex", args }, message: "The value has an invalid format." },
  ];
}

function renameChoices(picker: JsonObject): void {
  const { maxAllowedSelections: maximum } = picker;
  if (maximum === undefined) return;
  delete picker["maxAllowedSelections"];
  const count = literalOf(maximum) ?? maximum;
  picker["variant"] ??= count === 1 ? "mutuallyExclusive" : "multipleSelection";
}
