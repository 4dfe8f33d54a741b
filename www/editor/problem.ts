import type { Diagnostic } from "byname";

/** An edit of the text that mends one fault. */
export interface QuickFix {
  start: number;
  end: number;
  text: string;
  label: string;
}

/** A diagnostic as the text pane has it. */
export interface Problem {
  diagnostic: Diagnostic;
  /** Where it stands in the text, if it does. */
  range: { start: number; end: number } | null;
  fixes: QuickFix[];
}
