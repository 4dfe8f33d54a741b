// Shared by the case runners: equality of JSON values, and failures with a location.

export class CaseFailure extends Error {
  name = "CaseFailure";
}

/** Compares JSON values in any order of properties; `-0` equals `0`, `undefined` only itself. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** Returns whether `actual` has the properties of `expected` with equal values. */
export function covers(actual, expected) {
  return Object.keys(expected).every(
    (key) => Object.hasOwn(actual, key) && same(actual[key], expected[key]),
  );
}

export function show(value) {
  const text = value === undefined ? "undefined" : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

export function expectSame(actual, expected, what) {
  if (same(actual, expected)) return;
  throw new CaseFailure(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

export function expectTrue(condition, what) {
  if (!condition) throw new CaseFailure(what);
}

/** Sorts texts by code units. */
export function sorted(texts) {
  return [...texts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

export function codesOf(diagnostics) {
  return sorted(diagnostics.map((diagnostic) => diagnostic.code));
}

const SEVERITIES = new Set(["error", "warning", "info"]);

/** Checks the code, severity and message of each diagnostic. */
export function expectWellFormed(diagnostics, what) {
  expectTrue(Array.isArray(diagnostics), `${what}: diagnostics is not a list`);
  for (const diagnostic of diagnostics) {
    expectTrue(/^[A-Z]+\d{3}$/.test(diagnostic.code), `${what}: code ${show(diagnostic)}`);
    expectTrue(SEVERITIES.has(diagnostic.severity), `${what}: severity ${show(diagnostic)}`);
    expectTrue(diagnostic.message?.length > 0, `${what}: no message ${show(diagnostic)}`);
    expectTrue(!diagnostic.message.includes("\n"), `${what}: lines in ${show(diagnostic)}`);
  }
}

/** Compares sorted codes with `{has, lacks}` or a complete list. */
export function expectCodes(codes, expected, what) {
  if (Array.isArray(expected)) return expectSame(codes, sorted(expected), `${what}: codes`);
  for (const code of expected.has ?? []) {
    expectTrue(codes.includes(code), `${what}: no ${code} in ${show(codes)}`);
  }
  for (const code of expected.lacks ?? []) {
    expectTrue(!codes.includes(code), `${what}: ${code} in ${show(codes)}`);
  }
}
