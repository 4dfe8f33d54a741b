import { Budget } from "../functions/budget.js";
import type { CallContext } from "../functions/call-context.js";
import { evaluateCondition, matchesPattern } from "../functions/conditions.js";
import { asList, asText, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import type { Words } from "./view.js";

/** The first message of `checks` or `validationRegexp` that the value fails, else null. What cannot be decided here passes. */
export function failedCheck(
  props: ReadonlyMap<string, Json>,
  value: Json | undefined,
  context: CallContext & { readonly words: Words },
): string | null {
  const budget = new Budget();
  for (const check of asList(props.get("checks"))) {
    // Models like to leave `condition` out around its call.
    const condition =
      ownProperty(check, "condition") ?? (ownProperty(check, "call") === undefined ? null : check);
    if (evaluateCondition(condition ?? null, value, budget, context) === false)
      return asText(ownProperty(check, "message")) || context.words.invalid;
  }
  const pattern = props.get("validationRegexp");
  const text = asText(value);
  if (typeof pattern === "string" && text !== "" && matchesPattern(pattern, text, budget) === false)
    return context.words.malformed;
  return null;
}
