import type { PredicateTree } from "../gasl/types.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Test of one field. */
export type FieldTest = Extract<PredicateTree, { field: string }>;

/** Prefixes of fields of a path. */
const PATH_PARTS = new Set(["start", "source", "end", "target", "edge", "node"]);

/** Fields that `FOLLOW` compares in a graph without a schema. */
const RELATION_FIELDS = new Set(["type", "relation", "rel", "label"]);

/** Returns the other field of a comparison, or undefined for a value. */
export function otherField(value: FieldTest["value"]): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const { field } = value;
  return typeof field === "string" ? field : undefined;
}

/** Splits `source.name` into `source` and `name`. */
export function splitPrefix(field: string): [string, string] {
  const dot = field.indexOf(".");
  return dot < 0 ? ["", field] : [field.slice(0, dot), field.slice(dot + 1)];
}

/** Splits `edge.weight` into the part of a path and its field; a field of both ends has no part. */
export function splitPart(field: string): [string, string] {
  if (field === "length") return ["length", field];
  const [first, rest] = splitPrefix(field);
  if (first === "source") return ["start", rest];
  if (first === "target") return ["end", rest];
  return PATH_PARTS.has(first) ? [first, rest] : ["", field];
}

/** Returns the tests of which all must hold. */
export function conjunctsOf(tree: PredicateTree): PredicateTree[] {
  return "all" in tree ? tree.all.flatMap(conjunctsOf) : [tree];
}

/** Returns whether a condition always holds. */
export function isTrivial(tree: PredicateTree | undefined): boolean {
  return tree === undefined || conjunctsOf(tree).length === 0;
}

/** Returns the texts of which a field must have one, by a test that is a conjunct. */
export function requiredTexts(
  tree: PredicateTree,
  field: string,
): { texts: string[]; test: PredicateTree } | undefined {
  for (const test of conjunctsOf(tree)) {
    if (!("field" in test) || test.field !== field) continue;
    const { op, value } = test;
    const values = op === "=" ? [value] : op === "IN" && Array.isArray(value) ? value : [];
    const isName = (one: unknown): one is string => typeof one === "string" && one !== "";
    if (values.length > 0 && values.length <= MAX_ALTERNATIVES && values.every(isName))
      return { texts: values, test };
  }
  return undefined;
}

/** Maximum number of labels or relation types in a pattern. */
const MAX_ALTERNATIVES = 16;

/** Returns a condition without one of its conjuncts. */
export function withoutTest(tree: PredicateTree, test: PredicateTree | undefined): PredicateTree {
  return test === undefined ? tree : { all: conjunctsOf(tree).filter((one) => one !== test) };
}

/** Reduces the test of a relation in any of its usual fields to the field that the database has. */
export function relationInField(tree: PredicateTree, typeField: string): PredicateTree {
  const reduce = (one: PredicateTree): PredicateTree => {
    if (!("any" in one) || one.any.length !== RELATION_FIELDS.size) return one;
    const isRelation = (test: PredicateTree) =>
      "field" in test && test.op === "=" && RELATION_FIELDS.has(test.field);
    if (!one.any.every(isRelation)) return one;
    return one.any.find((test) => "field" in test && test.field === typeField) ?? one;
  };
  return { all: conjunctsOf(tree).map(reduce) };
}

/** Returns the values that are equal to a value: a number and its text, a boolean and its name. */
export function equalValues(value: Json | undefined): Json[] {
  if (typeof value === "number") return [value, String(value)];
  if (typeof value === "boolean") {
    const word = String(value);
    return [value, word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
  }
  if (typeof value !== "string") return [value ?? null];
  const lower = value.toLowerCase();
  if (lower === "true" || lower === "false") return [value, lower === "true"];
  const number = numberOf(value);
  return number === undefined ? [value] : [value, number];
}

/**
 * Returns the ids that are equal to an id. A text has the number that it spells only in its usual
 * form, because an index of texts finds `1` by the number of `1.0`. Rows have the text of an integer
 * that no number represents exactly; with `sendsBigInts`, its `BigInt` finds the row again.
 */
export function equalIds(value: Json | undefined, sendsBigInts: boolean): Json[] {
  if (typeof value !== "string") return equalValues(value);
  const large = largeInteger(value);
  if (large !== undefined) return sendsBigInts ? [value, large] : [value];
  const number = numberOf(value);
  return number === undefined || String(number) !== value ? [value] : [value, number];
}

/** Returns the `BigInt` of a text that spells a 64-bit integer which is not a safe number. */
export function largeInteger(text: Json | undefined): Json | undefined {
  if (typeof text !== "string" || !/^-?[1-9]\d{15,18}$/.test(text)) return undefined;
  const integer = BigInt(text);
  const isLarge = !Number.isSafeInteger(Number(text)) && BigInt.asIntN(64, integer) === integer;
  // Clients whose parameters may be a `BigInt` are marked in the layout.
  return isLarge ? (integer as unknown as Json) : undefined;
}

/** Returns the number that a text spells as JSON does. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}
