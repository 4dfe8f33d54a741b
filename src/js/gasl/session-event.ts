import type { ExecutionRecord, Plan } from "../types.js";
import type { SolveOptions } from "./types.js";

/** Event of a running task. */
export type SessionEvent =
  | { kind: "step"; record: ExecutionRecord }
  | { kind: "plan"; plan: Plan }
  | { kind: "batch"; done: number; total: number };

/** Calls the listener of an event. Returns its result, which may be a promise. */
export function notifyListener(event: SessionEvent, options: SolveOptions): unknown {
  if (event.kind === "step") return options.onStep?.(event.record);
  if (event.kind === "plan") return options.onPlan?.(event.plan);
  return options.onBatch?.({ done: event.done, total: event.total });
}
