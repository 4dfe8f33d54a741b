import { asList, asText, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import { Budget } from "./budget.js";
import type { CallContext } from "./call-context.js";
import { evaluateCondition, matchesPattern } from "./conditions.js";

/** Messages of failed checks without one. */
export interface CheckWords {
  /** Message of a failed check that has none. */
  invalid: string;
  /** Message for a text that does not match `validationRegexp`. */
  malformed: string;
}

export const englishChecks: CheckWords = {
  invalid: "This value is not valid",
  malformed: "This value does not have the expected form",
};

/**
 * Returns the message of the first check or `validationRegexp` that the value fails, or `null`. A
 * check that cannot be evaluated here passes.
 */
export function failedCheck(
  props: ReadonlyMap<string, Json>,
  value: Json | undefined,
  context: CallContext & { readonly words: CheckWords },
): string | null {
  const budget = new Budget();
  for (const check of asList(props.get("checks"))) {
    // Models often omit `condition` around its call.
    const own = ownProperty(check, "condition");
    const isCall = own === undefined && ownProperty(check, "call") !== undefined;
    if (evaluateCondition(isCall ? check : own, value, budget, context) === false)
      return asText(ownProperty(check, "message")) || context.words.invalid;
  }
  const pattern = props.get("validationRegexp");
  const text = asText(value);
  if (typeof pattern === "string" && text !== "" && matchesPattern(pattern, text, budget) === false)
    return context.words.malformed;
  return null;
}
