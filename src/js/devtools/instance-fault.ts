import { asObject } from "../json-value.js";
import type { Instance } from "../types.js";
import type { TracedSurface } from "./types.js";

/**
 * Returns what is wrong with an instance: a component that the catalog does not have, and bindings
 * without a value. An input without a value is empty.
 */
export function faultOf({ id, component, props }: Instance, traced: TracedSurface): string {
  const components = traced.surface.catalog?.components ?? {};
  const isKnown = Object.hasOwn(components, component);
  const isUnknown = component !== "" && Object.keys(components).length > 0 && !isKnown;
  const inputs = (isKnown && components[component]?.input) || [];
  const definition = traced.definitions.get(id) ?? {};
  const missing = Object.keys(props).filter(
    (prop) =>
      props[prop] === null &&
      asObject(definition[prop])?.["binding"] !== undefined &&
      !inputs.includes(prop),
  );
  return [
    ...(isUnknown ? ["not in the catalog"] : []),
    ...(missing.length > 0 ? [`no value for ${missing.join(", ")}`] : []),
  ].join("; ");
}
