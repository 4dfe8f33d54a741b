// Compares the results of programs over a database with those over the same graph in memory.

import assert from "node:assert/strict";
import { GaslSession } from "byname";

/**
 * Returns what a program shows: status and metrics of each step, diagnostics, rows and sources of `x`,
 * without the order of rows.
 */
export async function observe(graph, commands, options = {}) {
  const session = new GaslSession({ graph, ...options });
  const config = { stop_on_error: false, continue_on_empty: true };
  const result = await session.run({ plan_id: "p", why: "compare", commands, config });
  const value = await valueOfX(session);
  await session.execute("DECLARE evidence_of_x AS LIST");
  const kept = Array.isArray(value) ? await session.execute("UPDATE evidence_of_x WITH x") : null;
  const isStored = kept?.status === "success";
  return {
    status: result.status,
    steps: result.records.map(({ status, metrics }) => withoutTime({ status, metrics })),
    diagnostics: result.records.flatMap(({ errors = [] }) =>
      errors.map(({ code, severity, message, help }) => ({
        ...{ code, severity, message },
        // Databases list the fields in another order, and a help shows only some.
        help: help
          ?.replace(/available: .*/i, "available")
          .replace(/fields of edges( with numbers)?: .*/, "fields of edges"),
      })),
    ),
    rows: Array.isArray(value) ? value.map(canonical).sort() : (value ?? null),
    evidence: isStored
      ? withoutTime(session.evidence("evidence_of_x")).map(withSortedSources).map(canonical).sort()
      : [],
  };
}

/** Returns a value without the times at which a model replied. */
function withoutTime(value) {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === "timestamp" ? null : part)));
}

/** Returns the value of `x`, also if its rows are in the database. */
async function valueOfX(session) {
  try {
    return session.variable("x");
  } catch {
    return session.rows("x");
  }
}

/** Returns a finding with its sources in a fixed order, because those of groups are in that of the rows. */
function withSortedSources({ sources, ...finding }) {
  return { ...finding, sources: sources.map(canonical).sort() };
}

/** Returns JSON text with sorted keys. */
function canonical(value) {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/**
 * Runs all programs over both graphs. `allowed` contains the reason of a difference by the name of
 * the program. A listed difference that does not occur fails too, so that the list can only shrink.
 */
export async function compareAll(memory, database, programs, allowed = {}, options = {}) {
  const names = Object.keys(programs);
  const missing = Object.keys(allowed).filter((name) => !names.includes(name));
  const differences = missing.map((name) => `${name}: no such program`);
  for (const [name, commands] of Object.entries(programs)) {
    const expected = await observe(memory, commands, options);
    const actual = await observe(database, commands, options);
    const difference = differs(expected, actual);
    if (allowed[name] === undefined && difference) differences.push(`${name}: ${difference}`);
    if (allowed[name] !== undefined && !difference)
      differences.push(`${name}: listed as a difference (${allowed[name]}), but equal`);
  }
  assert.equal(differences.join("\n"), "");
}

function differs(expected, actual) {
  try {
    assert.deepEqual(actual, expected);
    return "";
  } catch {
    const parts = Object.keys(expected).filter(
      (key) => JSON.stringify(expected[key]) !== JSON.stringify(actual[key]),
    );
    const shown = (value) => JSON.stringify(value)?.slice(0, 400);
    return parts
      .map((key) => `${key}: expected ${shown(expected[key])}, found ${shown(actual[key])}`)
      .join("; ");
  }
}
