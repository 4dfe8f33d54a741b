import { checkArguments } from "../catalog/check/values.js";
import {
  asActionFunction,
  type CatalogFunction,
  type Functions,
} from "../functions/call-context.js";
import type { JsonObject } from "../json-value.js";
import type { CatalogScope, FunctionInCatalog, FunctionLookup } from "./function-lookup.js";

/** Code of an argument of a wrong type. */
const WRONG_TYPE = "CAT003";

/**
 * Returns the functions of a page for renderers. In properties and checks they throw an error where
 * the catalog does not allow the call; for actions of the user they are the functions themselves.
 */
export function valueFunctions(lookup: FunctionLookup, scope: () => CatalogScope): Functions {
  const guarded = Object.entries(lookup.functions).map(([name, own]): [string, CatalogFunction] => {
    const guard: CatalogFunction = (args, context) => {
      const refusal = refusalOf(name, { ...args }, lookup, scope());
      if (refusal !== undefined) throw new Error(refusal);
      return own(args, context);
    };
    asActionFunction.set(guard, () =>
      lookup.definitionsOf(name, scope()).some(isOfAgent) ? undefined : own,
    );
    return [name, guard];
  });
  return Object.fromEntries(guarded);
}

function isOfAgent({ definition }: FunctionInCatalog): boolean {
  return definition.allowedCallers === "agentOnly";
}

/** Returns why a property or a check may not call a function, or undefined. */
function refusalOf(
  name: string,
  args: JsonObject,
  lookup: FunctionLookup,
  scope: CatalogScope,
): string | undefined {
  const definitions = lookup.definitionsOf(name, scope);
  if (definitions.some(isOfAgent))
    return `Function '${name}' cannot be called in a property (agentOnly).`;
  if (definitions.some(({ definition }) => definition.requiresUserActivation === true))
    return `Function '${name}' requires user activation context to execute.`;
  const location = { path: [], owner: name, ownerDepth: 0, isResolved: true, isPartial: true };
  const findWrong = ({ catalog }: FunctionInCatalog): string | undefined =>
    checkArguments(catalog, name, args, location).find(({ code }) => code === WRONG_TYPE)?.message;
  const [wrong] = definitions.flatMap((one) => findWrong(one) ?? []);
  if (wrong === undefined) return undefined;
  // The call may name another catalog than that of the surface.
  const isValid = lookup.allDefinitionsOf(name).some((one) => findWrong(one) === undefined);
  return isValid ? undefined : `Invalid arguments of function '${name}': ${wrong}`;
}
