import type { Json } from "../types.js";
import { asList, asNumber, asText, own } from "./value.js";

/** Longer text is not matched by a pattern that came from elsewhere. */
const maxMatched = 2000;
/** A repeated group that repeats or branches inside can take exponential time, and the pattern is not ours. */
const nested = /\((?:[^()\\]|\\.)*[*+|}](?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,)/;

/** The first message of `checks` or `validationRegexp` that the value fails, else null. What cannot be decided here passes. */
export function failedCheck(
  props: ReadonlyMap<string, Json>,
  value: Json | undefined,
): string | null {
  for (const check of asList(props.get("checks"))) {
    if (test(own(check, "condition") ?? null, value, 0) === false)
      return asText(own(check, "message")) || "This value is not valid";
  }
  const pattern = props.get("validationRegexp");
  const text = asText(value);
  if (typeof pattern === "string" && text !== "" && matches(pattern, text) === false)
    return "This value does not have the expected form";
  return null;
}

/** True, false, or undefined where the answer hangs on something that is not known here. */
export function test(condition: Json, value: Json | undefined, depth: number): boolean | undefined {
  if (typeof condition === "boolean") return condition;
  if (depth > 16) return undefined;
  const args = own(condition, "args");
  const given = own(args, "value");
  // An argument that is still a binding is this field's own value in every example; a button has none to offer.
  const subject =
    typeof given === "object" && given !== null && !Array.isArray(given) ? value : given;
  const parts = (): (boolean | undefined)[] =>
    asList(own(args, "values")).map((one) => test(one, value, depth + 1));
  switch (own(condition, "call")) {
    case "and":
      return all(parts());
    case "or":
      return negate(all(parts().map(negate)));
    case "not":
      return given === undefined ? undefined : negate(test(given, value, depth + 1));
  }
  if (subject === undefined) return undefined;
  const text = asText(subject);
  switch (own(condition, "call")) {
    case "required":
      return (
        (subject !== null && subject !== false && text.trim() !== "") || asList(subject).length > 0
      );
    case "regex":
      return text === "" ? true : matches(asText(own(args, "pattern")), text);
    case "email":
      return text === "" ? true : /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
    case "length":
      return within(text.length, args);
    case "numeric": {
      if (text === "") return true;
      const number = asNumber(subject);
      return number !== null && within(number, args);
    }
    default:
      return undefined;
  }
}

function matches(pattern: string, text: string): boolean | undefined {
  if (text.length > maxMatched || nested.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

function within(number: number, args: Json | undefined): boolean {
  const min = asNumber(own(args, "min"));
  const max = asNumber(own(args, "max"));
  return (min === null || number >= min) && (max === null || number <= max);
}

function all(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

function negate(part: boolean | undefined): boolean | undefined {
  return part === undefined ? undefined : !part;
}
