import {
  assertCount,
  assertFunction,
  assertOptionTypes,
  assertSignal,
  assertString,
  throwExpected,
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
  "seed",
  "now",
  "model",
  "retries",
  "resultTokens",
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

/** Returns options of a page. Throws if they are invalid. */
export function assertPageOptions(options: PageOptions): PageOptions {
  assertOptionTypes(options, { offset: assertCount, limit: assertCount }, "the options of a page");
  return options;
}

/** Throws unless a value is a finite number. */
export function assertSeed(value: unknown, what: string): void {
  if (!Number.isFinite(value)) throwExpected(what, "a number", value);
}

/** Throws for session options of the wrong type. */
export function assertSessionOptions({
  query,
  model,
  seed,
  retries,
  resultTokens,
  caps,
  ceilings,
}: Omit<GaslSessionOptions, "graph">): void {
  for (const [name, text] of Object.entries({ query, model })) {
    if (text !== undefined) assertString(text, `\`${name}\``);
  }
  if (seed !== undefined) assertSeed(seed, "`seed`");
  assertCount(retries, "`retries`");
  assertCount(resultTokens, "`resultTokens`");
  for (const [name, map] of Object.entries({ caps, ceilings })) {
    if (map !== undefined && !isJsonObject(map)) throwExpected(`\`${name}\``, "an object", map);
  }
}
