import type { ExecutionRecord, HamNodes } from "byname";
import type { Lit } from "./highlight.js";
import type { Update } from "./story-surface.js";

export type StageName = "question" | "plan" | "flow" | "surface";

/** A command of a plan, and what came of it so far. */
export interface Step {
  command: string;
  why: string;
  status: ExecutionRecord["status"] | null;
  /** Rows that it left. */
  rows: number | null;
  /** Milliseconds. */
  time: number | null;
}

export interface PlanShown {
  why: string;
  steps: readonly Step[];
  /** The step that is marked; -1 while none is. */
  at: number;
  /** Who wrote it. */
  model: string;
}

export interface NodeShown {
  state: "running" | "waiting" | "finished" | "failed";
  /** Milliseconds that the node worked, without what it was held back. */
  time: number | null;
}

/** All that the page shows after one step. Frames are never changed, so any of them can be gone back to. */
export interface Frame {
  /** Which question it belongs to, from 0. */
  turn: number;
  question: string;
  /** The stage that this step happened in. */
  stage: StageName;
  /** What happened, in a few words. */
  title: string;
  plan: PlanShown | null;
  nodes: ReadonlyMap<string, NodeShown>;
  /** What is lit in the graph. */
  lit: Lit;
  /** The last update of the surface. */
  update: Update | null;
  document: HamNodes;
  /** Stages that are done. */
  done: ReadonlySet<StageName>;
  /** What went wrong, for a person. */
  fault: string | null;
  /** What was measured in this step. */
  numbers: readonly string[];
}
