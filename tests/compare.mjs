// What the case runners share: equality of JSON values and failures that say where they happened.

export class CaseFailure extends Error {
  name = "CaseFailure";
}

/** JSON equality: property order does not count, `-0` is `0`, `undefined` equals nothing but itself. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** Every property that `expected` names is there and equal. */
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

/** The order of code units, the same in every engine. */
export function sorted(texts) {
  return [...texts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

export function codesOf(diagnostics) {
  return sorted(diagnostics.map((diagnostic) => diagnostic.code));
}

const SEVERITIES = new Set(["error", "warning", "info"]);

/** What every diagnostic must be, whatever a case says about it. */
export function expectWellFormed(diagnostics, what) {
  expectTrue(Array.isArray(diagnostics), `${what}: diagnostics is no list`);
  for (const diagnostic of diagnostics) {
    expectTrue(/^[A-Z]+\d{3}$/.test(diagnostic.code), `${what}: code ${show(diagnostic)}`);
    expectTrue(SEVERITIES.has(diagnostic.severity), `${what}: severity ${show(diagnostic)}`);
    expectTrue(diagnostic.message?.length > 0, `${what}: no message ${show(diagnostic)}`);
    expectTrue(!diagnostic.message.includes("\n"), `${what}: lines in ${show(diagnostic)}`);
  }
}

/** `{has, lacks}`, or the whole sorted list. */
export function expectCodes(codes, expected, what) {
  if (Array.isArray(expected)) return expectSame(codes, sorted(expected), `${what}: codes`);
  for (const code of expected.has ?? []) {
    expectTrue(codes.includes(code), `${what}: no ${code} in ${show(codes)}`);
  }
  for (const code of expected.lacks ?? []) {
    expectTrue(!codes.includes(code), `${what}: ${code} in ${show(codes)}`);
  }
}
