// Patterns of checks, which are data: none takes long, and common patterns still match.

import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../pkg/dom/base/words.js";
import { Budget } from "../../pkg/functions/budget.js";
import { failedCheck } from "../../pkg/functions/checks.js";
import { matchesPattern } from "../../pkg/functions/conditions.js";
import { evaluate } from "../../pkg/functions/evaluate.js";
import { maxRegExpSteps } from "../../pkg/functions/regexp-cost.js";

/**
 * Patterns with exponential or high polynomial time, each with a text that fails only after all of
 * it.
 */
const slowPatterns = [
  ["^(a+)+$", "a"],
  ["^((a+))+$", "a"],
  ["^(((a+)b?)c?)+$", "a"],
  ["^(?:(?:a+){2,})$", "a"],
  ["^(a|a)*$", "a"],
  ["^(?:(a|aa))+$", "a"],
  ["^(.*a){12}$", "a"],
  ["^(.*a){12,14}$", "a"],
  ["^(?:a?){40}a{40}$", "a"],
  [`^${"a?".repeat(40)}${"a".repeat(41)}$`, "a"],
  [`^${"(?:a|a)".repeat(40)}$`, "a"],
  [`^${".*".repeat(12)}x$`, "a"],
  ["^(?=(a+)+$)", "a"],
  ["^(?<x>a+)+\\k<x>$", "a"],
  ["^(?i:a+)+$", "a"],
  ["^([a]+)+$", "a"],
  ["^(\\u{61}+)+$", "a"],
  ["(x+x+)+y", "x"],
  ["^(\\[+a*\\]*)*$", "a"],
  [`^${"(".repeat(400)}a+${")+".repeat(400)}$`, "a"],
];

for (const [pattern, character] of slowPatterns) {
  test(`does not run: ${pattern.slice(0, 40)}`, () => {
    const text = `${character.repeat(60)}!`;
    assert.ok(!(maxRegExpSteps(pattern, text.length) <= 1_000_000));
    assert.equal(matchesPattern(pattern, text, new Budget()), undefined);
    // A skipped pattern passes, and a property has no value.
    const props = new Map([["validationRegexp", pattern]]);
    assert.equal(failedCheck(props, text, { words: english }), null);
    assert.equal(evaluate({ call: "regex", args: { value: text, pattern } }), null);
  });
}

/** Common patterns, each with a text that passes and one that does not. */
const fine = [
  ["^\\d{5}$", "80331", "8033"],
  ["^\\d{3}-\\d{3}-\\d{4}$", "555-123-4567", "555-123"],
  ["^\\+?[0-9 ()-]{7,20}$", "+41 44 555 55 55", "none"],
  ["^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "ann.lee@mail.example.com", "ann@"],
  ["^https?://[\\w.-]+\\.[a-z]{2,}(/.*)?$", "https://www.example.com/a/b?c=d", "ftp://example.com"],
  ["^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d).{8,}$", "Passw0rd-of-mine", "password"],
  ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "192.168.10.1", "192.168"],
  ["^#(?:[0-9a-fA-F]{3}){1,2}$", "#ffaa00", "#ff"],
  ["^\\p{Lu}\\p{L}*(?:[ '-]\\p{Lu}\\p{L}*)?$", "Émile Zola", "émile"],
  ["^(?:yes|no|maybe)$", "maybe", "never"],
  ["^([01]\\d|2[0-3]):[0-5]\\d$", "23:59", "24:00"],
  ["^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", "2026-11-22", "2026-13-01"],
  ["^[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){4} ?[A-Z0-9]{1,2}$", "CH93 0076 2011 6238 5295 7", "CH93"],
  ["^[^<>]*$", "x".repeat(2000), "<b>"],
  ["foo|bar", "a bar", "baz"],
  ["^(['\"]).*\\1$", "'a'", "'a\""],
];

for (const [pattern, good, bad] of fine) {
  test(`runs: ${pattern}`, () => {
    const props = new Map([["validationRegexp", pattern]]);
    assert.equal(matchesPattern(pattern, good, new Budget()), true);
    assert.notEqual(failedCheck(props, bad, { words: english }), null);
  });
}

test("counts the exact steps of simple patterns", () => {
  // One for the sequence, one for the character; once for each start position.
  assert.equal(maxRegExpSteps("a", 9), 20);
  assert.ok(maxRegExpSteps("^a*$", 1000) < 5000);
  assert.ok(maxRegExpSteps("^a*a*$", 1000) > 1_000_000);
  for (const invalid of [")", "a)", "[", "(", "\\", "x{2", "a".repeat(1001)]) {
    assert.equal(matchesPattern(invalid, "x", new Budget()), undefined, invalid.slice(0, 9));
  }
});

test("runs a pattern up to a million steps, 1,000 characters and texts of 2,000 characters", () => {
  const matches = (pattern, text) => matchesPattern(pattern, text, new Budget());
  const pattern = "^a*a*b$";
  let length = 1;
  while (maxRegExpSteps(pattern, length + 1) <= 1_000_000) length += 1;
  assert.equal(matches(pattern, "a".repeat(length)), false);
  assert.equal(matches(pattern, "a".repeat(length + 1)), undefined);
  assert.equal(matches("a".repeat(1000), "x"), false);
  assert.equal(matches("a".repeat(1001), "x"), undefined);
  assert.equal(matches("b", "a".repeat(2000)), false);
  assert.equal(matches("b", "a".repeat(2001)), undefined);
});

test("runs a repeated group with a repetition or alternatives on short texts, or a fixed count", () => {
  const matches = (pattern, text) => matchesPattern(pattern, text, new Budget());
  for (const pattern of ["^(a+)+$", "^(?:a|aa)+$"]) {
    assert.equal(matches(pattern, "aaaa"), true, pattern);
    assert.equal(matches(pattern, "a".repeat(100)), undefined, pattern);
  }
  assert.equal(matches("^(?:\\d{1,3}\\.){3}\\d{1,3}$", "1".repeat(2000)), false);
});

test("all checks of a component have four million steps", () => {
  const value = "a".repeat(200);
  const pattern = "^a*a*b$";
  const regex = { call: "regex", args: { value, pattern } };
  const passing = { condition: { call: "not", args: { value: regex } } };
  const failing = { condition: regex, message: "no" };
  const isRun = (count) => {
    const checks = [...Array(count).fill(passing), failing];
    return failedCheck(new Map([["checks", checks]]), "", { words: english }) === "no";
  };
  const most = Math.floor(4_000_000 / maxRegExpSteps(pattern, value.length));
  assert.ok(most > 5);
  // Other parts of a check cost little.
  assert.ok(isRun(most - 2));
  assert.ok(!isRun(most));
});

test("the checks of one component share a budget, and long texts are not matched", () => {
  const regex = { call: "regex", args: { value: "a".repeat(500), pattern: "^a*a*b$" } };
  const checks = Array.from({ length: 40 }, () => ({ condition: regex, message: "no" }));
  assert.equal(failedCheck(new Map([["checks", checks]]), "", { words: english }), "no");
  const passing = { call: "not", args: { value: regex } };
  const many = [...Array.from({ length: 40 }, () => ({ condition: passing })), ...checks];
  assert.equal(failedCheck(new Map([["checks", many]]), "", { words: english }), null);
  assert.equal(matchesPattern("b", "a".repeat(2001), new Budget()), undefined);
});
