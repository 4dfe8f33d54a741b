import { throwMisuse } from "../arguments.js";
import type { PredicateTree } from "../gasl/types.js";
import type { Json } from "../types.js";
import type { Dialect } from "./dialect.js";
import { quoteName } from "./names.js";
import { equalIds, equalValues, type FieldTest, numberOf, otherField } from "./predicate.js";

/** Expression of a value, and the tests that its kind allows. */
export interface ValueExpression {
  text: string;
  kind: "property" | "label" | "type" | "id" | "number";
  /** Node of a label. */
  variable?: string;
}

/** Writer of conditions in openCypher. Values become parameters, and `NOT` is moved to the tests. */
export class ConditionWriter {
  readonly params: { [name: string]: Json } = {};
  readonly #ignoreCase: boolean;
  readonly #coerce: boolean;
  readonly #dialect: Dialect;
  readonly #sendsBigInts: boolean;

  constructor(options: {
    ignoreCase: boolean;
    coerce: boolean;
    dialect: Dialect;
    sendsBigInts: boolean;
  }) {
    this.#dialect = options.dialect;
    this.#sendsBigInts = options.sendsBigInts;
    this.#ignoreCase = options.ignoreCase;
    this.#coerce = options.coerce;
  }

  /** Adds a value as a parameter and returns its name in the text. */
  addParam(value: Json | undefined): string {
    const name = `p${Object.keys(this.params).length}`;
    this.params[name] = value ?? null;
    return `$${name}`;
  }

  /** Writes a condition; `leaf` writes a test, negated unless `expected`. */
  writeTree(
    tree: PredicateTree,
    leaf: (test: FieldTest, expected: boolean) => string,
    expected = true,
  ): string {
    if ("not" in tree) return this.writeTree(tree.not, leaf, !expected);
    if ("field" in tree) return leaf(tree, expected);
    const isAnd = "all" in tree === expected;
    const parts = "all" in tree ? tree.all : tree.any;
    if (parts.length === 0) return isAnd ? "true" : "false";
    const texts = parts.map((one) => this.writeTree(one, leaf, expected));
    return texts.length === 1 ? (texts[0] as string) : `(${texts.join(isAnd ? " AND " : " OR ")})`;
  }

  /** Writes a condition over the fields of some variables. */
  writeCondition(
    tree: PredicateTree,
    fieldOf: (field: string) => ValueExpression,
    expected = true,
  ): string {
    const leaf = ({ field, op, value }: FieldTest, holds: boolean) => {
      const other = otherField(value);
      if (other === undefined) return this.writeTest(fieldOf(field), op, value, holds);
      return this.writeComparison(fieldOf(field).text, op, fieldOf(other).text, holds);
    };
    return this.writeTree(tree, leaf, expected);
  }

  /** Writes a test of a value, negated unless `expected`. A negation holds for a missing value. */
  writeTest(left: ValueExpression, op: string, value: Json | undefined, expected: boolean): string {
    const { text } = left;
    switch (op) {
      case "EXISTS":
      case "IS NOT NULL":
        return `${text} IS ${expected ? "NOT " : ""}NULL`;
      case "IS NULL":
        return `${text} IS ${expected ? "" : "NOT "}NULL`;
      case "!=":
        return this.#isOneOf(left, [value], !expected);
      case "NOT IN":
        return this.#isOneOf(left, value as Json[], !expected);
      case "=":
        return this.#isOneOf(left, [value], expected);
      case "IN":
        return this.#isOneOf(left, value as Json[], expected);
      case "CONTAINS":
      case "STARTS_WITH":
      case "ENDS_WITH":
        return this.#negated(this.#textTest(left, op, value), expected);
      case ">":
      case ">=":
      case "<":
      case "<=":
        return this.#negated(this.#writeOrdering(left, op, value), expected);
      default:
        return throwMisuse(`unknown operator \`${op}\``);
    }
  }

  /** Compares two values of the database. A missing one fails, unless the test is negated. */
  writeComparison(left: string, op: string, right: string, expected: boolean): string {
    switch (op) {
      case "CONTAINS":
      case "STARTS_WITH":
      case "ENDS_WITH":
        return this.#negated(
          `${this.#foldCase(left)} ${op.replace("_", " ")} ${this.#foldCase(right)}`,
          expected,
        );
      case "=":
        return this.#negated(this.#compareNumbers(left, "=", right), expected);
      case "!=":
        return this.#negated(
          this.#coercesFields
            ? `(${left} IS NOT NULL AND ${right} IS NOT NULL AND NOT coalesce(${this.#compareNumbers(left, "=", right)}, false))`
            : `${left} <> ${right}`,
          expected,
        );
      case ">":
      case ">=":
      case "<":
      case "<=":
        return this.#negated(this.#compareOrdered(left, op, right), expected);
      default:
        return throwMisuse(`unknown operator \`${op}\``);
    }
  }

  /** Compares the order of two values. Booleans and lists have none, as in memory. */
  #compareOrdered(left: string, op: string, right: string): string {
    const test = this.#compareNumbers(left, op, right);
    if (this.#dialect.isComplete)
      return `CASE WHEN ${left} IN [true, false] OR ${left} = [] + ${left} THEN false ELSE ${test} END`;
    const both = (isType: (value: string) => string) => `(${isType(left)} AND ${isType(right)})`;
    return `(${test} AND (${both(isAgeText)} OR ${both(isAgeNumber)}))`;
  }

  /** Returns the text that compares two values; with `coerce`, a numeric text compares as a number. */
  #compareNumbers(left: string, op: string, right: string): string {
    const test = `${left} ${op} ${right}`;
    if (!this.#coercesFields) return test;
    const [a, b] = [this.#dialect.toNumber(left), this.#dialect.toNumber(right)];
    return `(${test} OR ((${a} = ${left} OR ${b} = ${right}) AND ${a} ${op} ${b}))`;
  }

  /** Whether two fields can be compared as numbers: only if no text equals the number that it spells. */
  get #coercesFields(): boolean {
    return this.#coerce && this.#dialect.isComplete && !this.#dialect.equatesTexts;
  }

  #isOneOf(left: ValueExpression, items: readonly (Json | undefined)[], expected: boolean): string {
    const values = items.filter((item) => item !== null && item !== undefined);
    const hasLabelTests = this.#dialect.isComplete && left.variable !== undefined;
    if (hasLabelTests && values.length <= MAX_LABEL_TESTS) {
      const names = values.filter((one) => typeof one !== "object").map(String);
      const labels = names.filter((one) => one !== "");
      const tests = labels.map((one) => `${left.variable}:${quoteName(one)}`);
      if (tests.length === 0) return expected ? "false" : "true";
      const any = tests.length === 1 ? (tests[0] as string) : `(${tests.join(" OR ")})`;
      return expected ? any : `NOT ${any}`;
    }
    const isText = left.kind === "type" || left.kind === "label";
    const idsOf = (one: Json) => equalIds(one, this.#sendsBigInts);
    const all = values.flatMap(isText ? textOf : left.kind === "id" ? idsOf : equalValues);
    const distinct = all.length > 1 ? [...new Set(all)] : all;
    if (distinct.length === 0) return expected ? "false" : "true";
    const isOne = distinct.length === 1;
    const { text } = left;
    const right = this.addParam(isOne ? distinct[0] : distinct);
    const positive = this.#exact(left, distinct, `${text} ${isOne ? "=" : "IN"} ${right}`);
    const numbers = this.#coerce ? distinct.filter((one) => typeof one === "number") : [];
    if (left.kind !== "property" || numbers.length === 0) {
      return expected ? positive : `(${text} IS NULL OR NOT ${positive})`;
    }
    const coerced = `(${positive} OR ${this.#dialect.toNumber(text)} IN ${this.addParam(numbers)})`;
    return expected ? coerced : this.#negated(coerced, false);
  }

  /** Excludes texts such as `007` where the database takes them for the integer that they spell. */
  #exact({ text, kind }: ValueExpression, values: Json[], test: string): string {
    const integers = values.filter((one) => Number.isSafeInteger(one));
    const isNeeded = this.#dialect.equatesTexts && (kind === "property" || kind === "id");
    if (!isNeeded || integers.length === 0) return test;
    const spelled = integers.flatMap((one) => [String(one), `${one}.0`]);
    const isExact = `toString(${text}) IN ${this.addParam(spelled)}`;
    return `(${test} AND (NOT ${text} IN ${this.addParam(integers)} OR ${isExact}))`;
  }

  #writeOrdering(left: ValueExpression, op: string, value: Json | undefined): string {
    const { text } = left;
    const number = typeof value === "string" ? numberOf(value) : value;
    // Booleans and lists have no order, as in memory.
    if (typeof number !== "number")
      return typeof value === "string" ? this.after(text, op, value) : "false";
    const isText = left.kind === "type" || left.kind === "label";
    const numeric = this.after(text, op, number);
    if (typeof value === "string") {
      const textual = this.after(text, op, value);
      return isText ? textual : `(${textual} OR ${numeric})`;
    }
    if (!this.#coerce || left.kind === "number") return numeric;
    return `(${numeric} OR ${this.#dialect.toNumber(text)} ${op} ${this.addParam(number)})`;
  }

  /** Writes a comparison with the order of a value, without an index that would miss rows. */
  after(text: string, op: string, value: Json | undefined): string {
    const isUnsafe = typeof value === "string" && !this.#dialect.hasTextIndex;
    const test = `${isUnsafe ? `coalesce(${text})` : text} ${op} ${this.addParam(value)}`;
    if (this.#dialect.isComplete) return test;
    return `(${test} AND ${typeof value === "string" ? isAgeText(text) : isAgeNumber(text)})`;
  }

  /** Writes a text test. `CONTAINS` on a list tests for an item. */
  #textTest({ text, kind }: ValueExpression, op: string, value: Json | undefined): string {
    if (value === null || value === undefined || typeof value === "object") return "false";
    const folded = this.#ignoreCase ? String(value).toLowerCase() : String(value);
    const hasSigma = this.#ignoreCase && /[σς]/.test(folded);
    const right = this.addParam(hasSigma ? folded.replaceAll("ς", "σ") : folded);
    const fold = (one: string) => this.#foldCase(one, hasSigma);
    const operator = op.replace("_", " ");
    if (kind !== "property") return `${fold(text)} ${operator} ${right}`;
    // Databases evaluate both branches, so the list and the scalar are separated before the tests.
    const either = (whenList: string, otherwise: string) =>
      `CASE WHEN ${text} = [] + ${text} THEN ${whenList} ELSE ${otherwise} END`;
    const scalar = `${fold(either("null", text))} ${operator} ${right}`;
    if (op !== "CONTAINS") return scalar;
    const hasItem = this.some("item", either(text, "[]"), `${fold("item")} = ${right}`);
    return `(${scalar} OR ${hasItem})`;
  }

  /** Writes a test that some item of a list satisfies a condition. */
  some(item: string, list: string, test: string): string {
    if (this.#dialect.isComplete) return `any(${item} IN ${list} WHERE ${test})`;
    return `size([${item} IN ${list} WHERE ${test}]) > 0`;
  }

  /** Writes a test that every item of a list satisfies a condition. */
  every(item: string, list: string, test: string): string {
    if (this.#dialect.isComplete) return `all(${item} IN ${list} WHERE ${test})`;
    return `size([${item} IN ${list} WHERE ${this.#negated(test, false)}]) = 0`;
  }

  /** Negates a test; one that is unknown (null) counts as false. */
  #negated(test: string, expected: boolean): string {
    if (expected) return test;
    if (this.#dialect.isComplete) return `NOT coalesce(${test}, false)`;
    return `CASE WHEN ${test} THEN false ELSE true END`;
  }

  /** Writes a value as text for comparisons; the two forms of the Greek sigma are equal. */
  #foldCase(text: string, hasSigma = false): string {
    const folded = this.#ignoreCase ? `toLower(toString(${text}))` : `toString(${text})`;
    return hasSigma ? `replace(${folded}, 'ς', 'σ')` : folded;
  }
}

/** Maximum number of labels that a condition names instead of comparing with a list. */
const MAX_LABEL_TESTS = 16;

/** Tests the type of a value in AGE, which orders all values: lists, then texts, booleans and numbers. */
const isAgeText = (value: string) => `${value} >= '' AND ${value} < false`;
const isAgeNumber = (value: string) => `${value} >= -1.7976931348623157e308`;

function textOf(value: Json | undefined): Json[] {
  return typeof value === "object" || value === undefined ? [] : [String(value)];
}
