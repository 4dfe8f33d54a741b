import { named, needCount, needFunction, needSignal, refuse } from "../arguments.js";
import { needString } from "../errors.js";
import { isFields } from "../json-value.js";
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
export function needRun(options: SolveOptions): void {
  const { signal, onStep, onBatch, onPlan, maxPlans, maxCalls, maxTokens, maxSteps, timeout } =
    options;
  needSignal(signal);
  const counts = { maxPlans, maxCalls, maxTokens, maxSteps, timeout };
  for (const [name, count] of Object.entries(counts)) needCount(count, `\`${name}\``);
  for (const [name, listener] of Object.entries({ onStep, onBatch, onPlan })) {
    if (listener !== undefined) needFunction(listener, `\`${name}\``);
  }
}

/** Throws for what no choice by chance can begin with. */
export function needSeed(value: unknown, what: string): void {
  if (!Number.isFinite(value)) refuse(`${what} is a number, not ${named(value)}`);
}

/** Throws for options of a session that are of another type. */
export function needValues({
  query,
  model,
  seed,
  retries,
  caps,
  ceilings,
}: GaslSessionOptions): void {
  for (const [name, text] of Object.entries({ query, model })) {
    if (text !== undefined) needString(text, `\`${name}\``);
  }
  if (seed !== undefined) needSeed(seed, "`seed`");
  needCount(retries, "`retries`");
  for (const [name, map] of Object.entries({ caps, ceilings })) {
    if (map !== undefined && !isFields(map)) refuse(`\`${name}\` is an object, not ${named(map)}`);
  }
}
