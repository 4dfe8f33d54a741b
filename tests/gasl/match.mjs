// Compares values with the expectations of a GASL case: a value, or a form whose only key begins with `$`.

import { CaseFailure, expectCodes, expectSame, expectTrue, same, show } from "../compare.mjs";

/** Throws a CaseFailure if a value does not match an expectation. */
export function match(actual, expected, what) {
  const form = formOf(expected);
  if (form) return FORMS[form](actual, expected[form], what);
  if (Array.isArray(expected)) {
    expectTrue(Array.isArray(actual), `${what}: expected a list, got ${show(actual)}`);
    expectSame(actual.length, expected.length, `${what}: length of ${show(actual)}`);
    for (const [index, each] of expected.entries()) match(actual[index], each, `${what}/${index}`);
    return;
  }
  if (typeof expected === "object" && expected !== null) {
    const keys = isMap(actual) ? Object.keys(actual).sort() : actual;
    expectSame(keys, Object.keys(expected).sort(), `${what}: keys of ${show(actual)}`);
    return part(actual, expected, what);
  }
  expectSame(actual, expected, what);
}

const FORMS = {
  /** A map with at least these entries. */
  $part: part,
  $missing: (actual, _, what) => expectSame(actual, undefined, what),
  $any: (actual, _, what) => expectTrue(actual !== undefined, `${what}: the value is missing`),
  $oneOf: (actual, choices, what) =>
    expectTrue(
      choices.some((choice) => same(actual, choice)),
      `${what}: ${show(actual)} is not one of ${show(choices)}`,
    ),
  /** A text with these parts, or a list with these items. */
  $has: (actual, parts, what) => {
    const has = (one) =>
      typeof actual === "string" ? actual.includes(one) : actual?.some((item) => same(item, one));
    for (const one of [parts].flat()) {
      expectTrue(has(one), `${what}: no ${show(one)} in ${show(actual)}`);
    }
  },
  $lacks: (actual, parts, what) => {
    for (const one of [parts].flat()) {
      expectTrue(!actual?.includes(one), `${what}: ${show(one)} in ${show(actual)}`);
    }
  },
  $length: (actual, length, what) => expectSame(actual?.length, length, `${what}: length`),
  $atMost: (actual, most, what) => expectTrue(actual <= most, `${what}: ${show(actual)} > ${most}`),
  /** These items in any order. */
  $unordered: (actual, items, what) => {
    expectSame(actual?.length, items.length, `${what}: length of ${show(actual)}`);
    const left = [...actual];
    for (const item of items) {
      const at = left.findIndex((one) => fits(one, item));
      expectTrue(at >= 0, `${what}: no ${show(item)} in ${show(actual)}`);
      left.splice(at, 1);
    }
  },
  /** The values of one field of the items. */
  $column: (actual, { of, is }, what) => {
    expectTrue(Array.isArray(actual), `${what}: expected a list, got ${show(actual)}`);
    match(
      actual.map((item) => item?.[of] ?? null),
      is,
      `${what}: ${of}`,
    );
  },
  $all: (actual, each, what) => {
    for (const one of each) match(actual, one, what);
  },
};

function part(actual, entries, what) {
  expectTrue(isMap(actual), `${what}: expected a map, got ${show(actual)}`);
  for (const [key, each] of Object.entries(entries)) {
    match(Object.hasOwn(actual, key) ? actual[key] : undefined, each, `${what}/${key}`);
  }
}

function fits(actual, expected) {
  try {
    match(actual, expected, "");
    return true;
  } catch (error) {
    if (error instanceof CaseFailure) return false;
    throw error;
  }
}

function formOf(expected) {
  if (!isMap(expected)) return undefined;
  const keys = Object.keys(expected);
  return keys.length === 1 && Object.hasOwn(FORMS, keys[0]) ? keys[0] : undefined;
}

function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compares the codes, parts of messages and help, and the first location of diagnostics. */
export function expectDiagnostics(diagnostics, expected, what) {
  if (expected.codes) {
    expectCodes(diagnostics.map(({ code }) => code).sort(), expected.codes, what);
  }
  for (const expectedText of [expected.help ?? []].flat()) {
    const isFound = diagnostics.some(({ help }) => help?.includes(expectedText));
    expectTrue(isFound, `${what}: no help with ${show(expectedText)} in ${show(diagnostics)}`);
  }
  for (const expectedText of [expected.says ?? []].flat()) {
    const isFound = diagnostics.some(({ message }) => message.includes(expectedText));
    expectTrue(isFound, `${what}: no message with ${show(expectedText)} in ${show(diagnostics)}`);
  }
  for (const [name, value] of Object.entries(expected.location ?? {})) {
    const first = diagnostics[0];
    expectSame(first?.location?.[name], value, `${what}: location.${name} of ${show(first)}`);
  }
}

/** Returns the value at a JSON pointer, or undefined. */
export function at(value, pointer) {
  const steps = pointer.split("/").slice(1);
  return steps.reduce((found, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof found === "object" && found !== null && Object.hasOwn(found, key)
      ? found[key]
      : undefined;
  }, value);
}

/**
 * Replaces the short forms of a case: `{"$text": ["FIND ", {"times": 9, "of": "("}]}` is a text, and
 * `{"times": 3, "of": "SHOW x"}` in a list is three items.
 */
export function expand(value) {
  if (Array.isArray(value)) {
    return value.flatMap((item) =>
      isRepetition(item)
        ? Array.from({ length: item.times }, () => expand(item.of))
        : [expand(item)],
    );
  }
  if (!isMap(value)) return value;
  if (Object.hasOwn(value, "$text")) {
    const parts = value.$text.map((item) =>
      isRepetition(item) ? item.of.repeat(item.times) : item,
    );
    return parts.join("");
  }
  // Assignment would lose the key `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each)]));
}

function isRepetition(value) {
  return isMap(value) && Object.keys(value).sort().join() === "of,times";
}
