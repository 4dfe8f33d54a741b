import type { ExecutionRecord, HamNodes } from "byname";
import type { Highlight } from "./highlight.js";
import type { SurfaceUpdate } from "./story-surface.js";

export type StageName = "question" | "plan" | "flow" | "surface";

/** A command of a plan, and what came of it so far. */
export interface PlanStep {
  command: string;
  why: string;
  status: ExecutionRecord["status"] | null;
  /** Rows that it left. */
  rows: number | null;
  /** Milliseconds. */
  time: number | null;
}

export interface PlanProgress {
  why: string;
  steps: readonly PlanStep[];
  /** The step that is marked; -1 while none is. */
  at: number;
  /** Who wrote it. */
  model: string;
}

export interface NodeProgress {
  state: "running" | "waiting" | "finished" | "failed";
  /** Milliseconds that the node worked, without what it was held back. */
  time: number | null;
}

/** All that the page shows after one step. Frames are never changed, so any of them can be gone back to. */
export interface Frame {
  /** Which question it belongs to, from 0. */
  questionIndex: number;
  question: string;
  /** The stage that this step happened in. */
  stage: StageName;
  /** What happened, in a few words. */
  title: string;
  plan: PlanProgress | null;
  nodes: ReadonlyMap<string, NodeProgress>;
  /** What is lit in the graph. */
  highlight: Highlight;
  /** The last update of the surface. */
  update: SurfaceUpdate | null;
  document: HamNodes;
  /** Stages that are done. */
  done: ReadonlySet<StageName>;
  /** What went wrong, for a person. */
  error: string | null;
  /** What was measured in this step. */
  numbers: readonly string[];
}
