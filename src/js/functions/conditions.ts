import { asList, asNumber, asObject, asText, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import type { Budget } from "./budget.js";
import { type CallContext, callFunction, customFunction } from "./call-context.js";
import { calledFunction, unmarkData } from "./data-mark.js";
import { maxRegExpSteps } from "./regexp-cost.js";

/** Maximum length of a text that is matched against an untrusted pattern. */
const maxTextLength = 2000;
/** Maximum steps of an untrusted pattern. */
const maxPatternSteps = 1_000_000;
/** Maximum nesting depth of conditions. */
const maxDepth = 16;

/**
 * Evaluates a condition: a call, or a value by its truth. Returns undefined if it cannot be
 * evaluated, as a call of an unknown function.
 */
export function evaluateCondition(
  condition: Json | undefined,
  value: Json | undefined,
  budget: Budget,
  context: CallContext,
  depth = 0,
): boolean | undefined {
  if (condition === undefined) return undefined;
  if (!isUnresolved(condition)) return isTruthy(condition);
  if (depth > maxDepth) return undefined;
  const call = calledFunction(condition);
  const args = ownProperty(condition, "args");
  const argument = ownProperty(args, "value");
  // An unresolved argument is bound to the value of this field. A button has no value.
  const isFieldValue = isUnresolved(argument);
  const subject = isFieldValue ? value : argument;
  const implementation = customFunction(context, call);
  if (implementation) {
    if (isFieldValue && value === undefined) return undefined;
    const values = { ...asObject(args), ...(isFieldValue ? { value: value ?? null } : {}) };
    const given = unmarkData(values);
    const result = callFunction(asText(call), implementation, given, context);
    const valid = typeof result === "boolean" ? result : ownProperty(result, "valid");
    return typeof valid === "boolean" ? valid : undefined;
  }
  const operand = (one: Json): boolean | undefined =>
    evaluateCondition(one, value, budget, context, depth + 1);
  const operands = (): (boolean | undefined)[] => {
    const values = asList(ownProperty(args, "values"));
    // The specification rejects fewer than two operands.
    return values.length < 2 ? [undefined] : values.map(operand);
  };
  switch (call) {
    case "and":
      return threeValuedAnd(operands());
    case "or":
      return threeValuedNot(threeValuedAnd(operands().map(threeValuedNot)));
    case "not":
      return argument === undefined ? undefined : threeValuedNot(operand(argument));
  }
  if (subject === undefined) return undefined;
  const text = asText(subject);
  switch (call) {
    case "required":
      if (asObject(subject) !== undefined) return true;
      return (
        (subject !== null && subject !== false && text.trim() !== "") || asList(subject).length > 0
      );
    case "regex":
      return text === ""
        ? true
        : matchesPattern(asText(ownProperty(args, "pattern")), text, budget);
    case "email":
      // Linear, because each run of letters after a dot is matched once.
      return text === "" ? true : /^[\w.%+-]+@[a-z\d.-]+\.[a-z]{2,}$/i.test(text);
    case "length":
      return isWithinBounds(Array.isArray(subject) ? subject.length : text.length, args);
    case "numeric": {
      if (text === "") return true;
      const number = asNumber(subject);
      return number !== null && isWithinBounds(number, args);
    }
    default:
      return undefined;
  }
}

/**
 * Returns whether a text matches a pattern, or undefined if the pattern is invalid or exceeds a
 * limit.
 */
export function matchesPattern(pattern: string, text: string, budget: Budget): boolean | undefined {
  if (text.length > maxTextLength) return undefined;
  const steps = maxRegExpSteps(pattern, text.length);
  if (!(steps <= maxPatternSteps && budget.has(steps))) return undefined;
  budget.trySpend(steps);
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a value is a binding or a call whose result is unknown here. */
function isUnresolved(value: Json | undefined): boolean {
  if (calledFunction(value) !== undefined) return true;
  return ["binding", "path"].some((name) => ownProperty(value, name) !== undefined);
}

/** Returns the truth value of a value. A validation result counts by its `valid`. */
function isTruthy(value: Json): boolean {
  const object = asObject(value);
  if (object === undefined) return Array.isArray(value) ? value.length > 0 : Boolean(value);
  const valid = ownProperty(object, "valid");
  return typeof valid === "boolean" ? valid : Object.keys(object).length > 0;
}

function isWithinBounds(number: number, args: Json | undefined): boolean {
  const min = asNumber(ownProperty(args, "min"));
  const max = asNumber(ownProperty(args, "max"));
  return (min === null || number >= min) && (max === null || number <= max);
}

function threeValuedAnd(operands: readonly (boolean | undefined)[]): boolean | undefined {
  if (operands.includes(false)) return false;
  return operands.includes(undefined) ? undefined : true;
}

function threeValuedNot(operand: boolean | undefined): boolean | undefined {
  return operand === undefined ? undefined : !operand;
}
