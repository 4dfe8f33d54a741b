import type { ExecutionRecord, HamNodes } from "byname";
import type { Highlight } from "./highlight.js";
import type { SurfaceUpdate } from "./story-surface.js";

export type StageName = "question" | "plan" | "flow" | "surface";

/** Command of a plan and its result so far. */
export interface PlanStep {
  command: string;
  why: string;
  status: ExecutionRecord["status"] | null;
  rows: number | null;
  /** Milliseconds. */
  time: number | null;
}

export interface PlanProgress {
  why: string;
  steps: readonly PlanStep[];
  /** Index of the current step; -1 if none. */
  at: number;
  /** Name of the model that wrote it. */
  model: string;
}

export interface NodeProgress {
  state: "running" | "waiting" | "finished" | "failed";
  /** Milliseconds in the node, without delays. */
  time: number | null;
}

/** Immutable snapshot of everything that the page shows after a step. */
export interface Frame {
  /** Zero-based index of the question. */
  questionIndex: number;
  question: string;
  /** Stage of this step. */
  stage: StageName;
  title: string;
  plan: PlanProgress | null;
  nodes: ReadonlyMap<string, NodeProgress>;
  highlight: Highlight;
  /** Last update of the surface. */
  update: SurfaceUpdate | null;
  document: HamNodes;
  /** Completed stages. */
  done: ReadonlySet<StageName>;
  /** Error message for the user. */
  error: string | null;
  /** Measurements of this step. */
  numbers: readonly string[];
}
