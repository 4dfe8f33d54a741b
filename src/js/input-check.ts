import type { Catalog, Instance, Json } from "./types.js";

/** Failed check of an input. */
export interface InputError {
  /** Key of the instance. */
  readonly key: string;
  /** Property that takes the input. */
  readonly prop: string;
  /** Message of the first failed check. */
  readonly message: string;
}

/** Errors of all inputs of a surface. */
export interface Validity {
  readonly valid: boolean;
  readonly errors: readonly InputError[];
}

/** Properties of one instance. */
export interface CheckedInstance {
  readonly key: string;
  readonly component: string;
  readonly props: ReadonlyMap<string, Json>;
}

/** Returns the message of the first check that a value fails, or null. */
export type InputCheck = (instance: CheckedInstance, value: Json | undefined) => string | null;

/** Returns the failed checks of all inputs in a tree. */
export function validityOf(
  catalog: Catalog | undefined,
  tree: Instance | null,
  check: InputCheck,
): Validity {
  const errors: InputError[] = [];
  const visit = ({ key, component, props, children }: Instance): void => {
    const instance = { key, component, props: new Map(Object.entries(props)) };
    const error = inputError(catalog, instance, check);
    if (error) errors.push(error);
    // The depth of a surface is limited.
    children.forEach(visit);
  };
  if (tree) visit(tree);
  return { valid: errors.length === 0, errors };
}

/** Returns the failed check of an instance, or null. An instance without input has none. */
export function inputError(
  catalog: Catalog | undefined,
  instance: CheckedInstance,
  check: InputCheck,
): InputError | null {
  const { key, component, props } = instance;
  const prop = inputPropOf(catalog, component, props);
  if (prop === undefined) return null;
  const message = check(instance, props.get(prop));
  return message === null ? null : { key, prop, message };
}

/** Returns whether properties contain checks. */
export function hasChecks(props: ReadonlyMap<string, Json>): boolean {
  return props.has("checks") || props.has("validationRegexp");
}

/** Returns the first property of a component that takes input, or undefined. */
function inputPropOf(
  catalog: Catalog | undefined,
  component: string,
  props: ReadonlyMap<string, Json>,
): string | undefined {
  const components = catalog?.components ?? {};
  const entry = Object.hasOwn(components, component) ? components[component] : undefined;
  return entry?.input ? entry.input[0] : props.has("value") ? "value" : undefined;
}
