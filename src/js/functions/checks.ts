import { asList, asNumber, asObject, asText, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import type { Budget } from "./budget.js";
import { answerOf, type Calls, ownFunction } from "./calls.js";
import { mostSteps } from "./pattern.js";

/** Longer text is not matched by a pattern that came from elsewhere. */
const maxMatched = 2000;
/** A pattern that could take more steps is not run: it is not ours. */
const maxSteps = 1_000_000;
/** Deeper conditions are not decided. */
const maxDepth = 16;

/** True, false, or undefined where the answer hangs on something that is not known here. */
export function test(
  condition: Json,
  value: Json | undefined,
  budget: Budget,
  calls: Calls,
  depth = 0,
): boolean | undefined {
  if (typeof condition === "boolean") return condition;
  if (depth > maxDepth) return undefined;
  const call = ownProperty(condition, "call");
  const args = ownProperty(condition, "args");
  const given = ownProperty(args, "value");
  // An argument that is still a binding is this field's own value in every example; a button has none to offer.
  const isOwn = ["binding", "path", "call"].some((name) => ownProperty(given, name) !== undefined);
  const subject = isOwn ? value : given;
  const made = ownFunction(calls, call);
  if (made) {
    if (isOwn && value === undefined) return undefined;
    const values = { ...asObject(args), ...(isOwn ? { value: value ?? null } : {}) };
    const answer = answerOf(asText(call), made, values, calls);
    return typeof answer === "boolean" ? answer : undefined;
  }
  const parts = (): (boolean | undefined)[] =>
    asList(ownProperty(args, "values")).map((one) => test(one, value, budget, calls, depth + 1));
  switch (call) {
    case "and":
      return all(parts());
    case "or":
      return negate(all(parts().map(negate)));
    case "not":
      return given === undefined ? undefined : negate(test(given, value, budget, calls, depth + 1));
  }
  if (subject === undefined) return undefined;
  const text = asText(subject);
  switch (call) {
    case "required":
      return (
        (subject !== null && subject !== false && text.trim() !== "") || asList(subject).length > 0
      );
    case "regex":
      return text === "" ? true : matches(asText(ownProperty(args, "pattern")), text, budget);
    case "email":
      // The first dot that has something before it decides, so no character is looked at twice.
      return text === "" ? true : /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(text);
    case "length":
      return within(Array.isArray(subject) ? subject.length : text.length, args);
    case "numeric": {
      if (text === "") return true;
      const number = asNumber(subject);
      return number !== null && within(number, args);
    }
    default:
      return undefined;
  }
}

/** Whether a text is of a pattern; undefined where that is not looked at, or the pattern is none. */
export function matches(pattern: string, text: string, budget: Budget): boolean | undefined {
  if (text.length > maxMatched) return undefined;
  const steps = mostSteps(pattern, text.length);
  if (!(steps <= maxSteps && budget.has(steps))) return undefined;
  budget.pay(steps);
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

function within(number: number, args: Json | undefined): boolean {
  const min = asNumber(ownProperty(args, "min"));
  const max = asNumber(ownProperty(args, "max"));
  return (min === null || number >= min) && (max === null || number <= max);
}

function all(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

function negate(part: boolean | undefined): boolean | undefined {
  return part === undefined ? undefined : !part;
}
