import {
  assertCount,
  assertFunction,
  assertSignal,
  assertString,
  throwExpected,
} from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { GaslSessionOptions, SolveOptions } from "./types.js";

/** What a session is made with. */
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
] as const;

/** One set of options for all that run something: whoever shares one between calls may do so. */
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

/** Throws for what an option of a run cannot be. */
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

/** Throws for what no choice by chance can begin with. */
export function assertSeed(value: unknown, what: string): void {
  if (!Number.isFinite(value)) throwExpected(what, "a number", value);
}

/** Throws for options of a session that are of another type. */
export function assertSessionOptions({
  query,
  model,
  seed,
  retries,
  caps,
  ceilings,
}: GaslSessionOptions): void {
  for (const [name, text] of Object.entries({ query, model })) {
    if (text !== undefined) assertString(text, `\`${name}\``);
  }
  if (seed !== undefined) assertSeed(seed, "`seed`");
  assertCount(retries, "`retries`");
  for (const [name, map] of Object.entries({ caps, ceilings })) {
    if (map !== undefined && !isJsonObject(map)) throwExpected(`\`${name}\``, "an object", map);
  }
}
