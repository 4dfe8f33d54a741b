import { named, needCount, needFunction, needSignal, refuse } from "../arguments.js";
import { needString } from "../errors.js";
import { isFields } from "../value.js";
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

export function needListeners({ signal, onStep, onBatch, onPlan }: SolveOptions): void {
  needSignal(signal);
  for (const [name, listener] of Object.entries({ onStep, onBatch, onPlan })) {
    if (listener !== undefined) needFunction(listener, `\`${name}\``);
  }
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
  if (seed !== undefined && !Number.isFinite(seed))
    refuse(`\`seed\` is a number, not ${named(seed)}`);
  needCount(retries, "`retries`");
  for (const [name, map] of Object.entries({ caps, ceilings })) {
    if (map !== undefined && !isFields(map)) refuse(`\`${name}\` is an object, not ${named(map)}`);
  }
}
