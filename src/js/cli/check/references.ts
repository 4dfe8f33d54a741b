import type { TypedCatalog } from "../../catalog/define/typed.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Json } from "../../types.js";

/** Id of a component in a property, with its path. */
interface Reference {
  id: string;
  pointer: string;
}

/** Returns the ids of components that a component names, with their pointers in the component. */
export function referencesOf(component: JsonObject, catalog: TypedCatalog): Reference[] {
  const { component: type } = component;
  const inner = isJsonObject(type) ? Object.entries(type)[0] : undefined;
  const name = inner?.[0] ?? type;
  if (typeof name !== "string" || !Object.hasOwn(catalog.components, name)) return [];
  const props = inner === undefined ? component : inner[1];
  const base = inner === undefined ? "" : `/component/${inner[0]}`;
  const { child = [], children = [] } = catalog.components[name] ?? {};
  return [...child, ...children].flatMap((path) => referencesAt(props, path.split("."), base));
}

function referencesAt(
  value: Json | undefined,
  [step, ...rest]: string[],
  pointer: string,
): Reference[] {
  if (Array.isArray(value)) {
    const steps = step === undefined ? [] : [step, ...rest];
    return value.flatMap((item, at) => referencesAt(item, steps, `${pointer}/${at}`));
  }
  if (step !== undefined) {
    const inner = isJsonObject(value) ? value[step] : undefined;
    return inner === undefined ? [] : referencesAt(inner, rest, `${pointer}/${step}`);
  }
  if (typeof value === "string") return [{ id: value, pointer }];
  if (!isJsonObject(value)) return [];
  // v0.8 writes lists of ids and templates as objects.
  if (Array.isArray(value["explicitList"]))
    return referencesAt(value["explicitList"], [], `${pointer}/explicitList`);
  for (const key of ["componentId", "template"]) {
    const id = value[key];
    if (typeof id === "string") return [{ id, pointer: `${pointer}/${key}` }];
    if (isJsonObject(id)) return referencesAt(id, [], `${pointer}/${key}`);
  }
  return [];
}

export function missingComponent(id: string, pointer: string): Diagnostic {
  return {
    code: "HAM028",
    severity: "warning",
    message: `missing component \`${id}\``,
    help: "describe it in `updateComponents`, or do not name it as a child",
    location: { kind: "pointer", pointer },
  };
}
