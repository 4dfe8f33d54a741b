import {
  assertCount,
  assertFunction,
  assertOptions,
  assertOptionTypes,
  assertSignal,
  assertString,
  describeType,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { GaslSessionOptions, PageOptions, SolveOptions } from "./types.js";

/** Options of a session. */
export const SESSION_OPTIONS = [
  "graph",
  "llm",
  "query",
  "state",
  "backend",
  "caps",
  "ceilings",
  "limits",
  "seed",
  "now",
  "model",
  "retries",
  "resultTokens",
  "citations",
] as const;

/** Options of all methods that run something, so that callers can share one object. */
export const RUN_OPTIONS = [
  "why",
  "signal",
  "onStep",
  "onBatch",
  "onPlan",
  "maxPlans",
  "maxCalls",
  "maxTokens",
  "maxSteps",
  "timeout",
];

/** Throws for invalid options of a run. */
export function assertRunOptions(options: SolveOptions): void {
  const { signal, onStep, onBatch, onPlan, maxPlans, maxCalls, maxTokens, maxSteps, timeout } =
    options;
  assertSignal(signal);
  const counts = { maxPlans, maxCalls, maxTokens, maxSteps, timeout };
  for (const [name, count] of Object.entries(counts)) assertCount(count, `\`${name}\``);
  for (const [name, listener] of Object.entries({ onStep, onBatch, onPlan })) {
    if (listener !== undefined) assertFunction(listener, `\`${name}\``);
  }
}

/** Number of rows that no list exceeds: the largest integer of the core. */
const MAX_ROWS = 2 ** 32 - 1;

/** Returns the offset and the number of the rows of a page. Throws for invalid options. */
export function toPageCounts(options: PageOptions): [offset: number, limit: number] {
  assertOptionTypes(options, { offset: assertCount, limit: assertCount }, "the options of a page");
  const { offset = 0, limit = MAX_ROWS } = options;
  return [Math.min(offset, MAX_ROWS), Math.min(limit, MAX_ROWS)];
}

/** Throws unless a value is a finite number. */
export function assertSeed(value: unknown, what: string): void {
  if (!Number.isFinite(value)) throwExpected(what, "a number", value);
}

function assertCitations(value: unknown): void {
  if (value === undefined || value === "required" || value === "warn") return;
  const found = typeof value === "string" ? JSON.stringify(value) : describeType(value);
  throwMisuse(`expected \`citations\` to be "required" or "warn", found ${found}`);
}
const LIMIT_NAMES = ["commands", "state", "snapshots", "variables", "replies"] as const;

/** Throws for session options of the wrong type. */
export function assertSessionOptions({
  query,
  model,
  seed,
  retries,
  resultTokens,
  citations,
  caps,
  ceilings,
  limits = {},
}: Omit<GaslSessionOptions, "graph">): void {
  for (const [name, text] of Object.entries({ query, model })) {
    if (text !== undefined) assertString(text, `\`${name}\``);
  }
  if (seed !== undefined) assertSeed(seed, "`seed`");
  assertCount(retries, "`retries`");
  assertCount(resultTokens, "`resultTokens`");
  assertCitations(citations);
  assertOptions(limits, LIMIT_NAMES, "`limits`");
  for (const name of LIMIT_NAMES) assertCount(limits[name], `\`limits.${name}\``);
  for (const [name, map] of Object.entries({ caps, ceilings })) {
    if (map !== undefined && !isJsonObject(map)) throwExpected(`\`${name}\``, "an object", map);
  }
}
