import { checkArguments } from "../catalog/check/values.js";
import type { FunctionDefinition } from "../catalog/types.js";
import {
  asActionFunction,
  type CatalogFunction,
  type Functions,
} from "../functions/call-context.js";
import type { JsonObject } from "../json-value.js";
import type { CatalogScope, FunctionLookup } from "./function-lookup.js";

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

function isOfAgent({ definition }: { definition: FunctionDefinition }): boolean {
  return definition.allowedCallers === "agentOnly";
}

/** Returns why a property or a check may not call a function, or undefined. */
function refusalOf(
  name: string,
  args: JsonObject,
  lookup: FunctionLookup,
  scope: CatalogScope,
): string | undefined {
  // Data that have not arrived are null.
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  for (const one of lookup.definitionsOf(name, scope)) {
    if (isOfAgent(one)) return `Function '${name}' cannot be called in a property (agentOnly).`;
    if (one.definition.requiresUserActivation === true)
      return `Function '${name}' requires user activation context to execute.`;
    const location = { path: [], owner: name, ownerDepth: 0 };
    const wrong = checkArguments(one.catalog, name, given, location).find(
      ({ code }) => code === WRONG_TYPE,
    );
    if (wrong !== undefined) return `Invalid arguments of function '${name}': ${wrong.message}`;
  }
  return undefined;
}
