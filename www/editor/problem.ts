import type { Diagnostic } from "byname";

/** Replacement of a range of the text that fixes a diagnostic. */
export interface QuickFix {
  start: number;
  end: number;
  text: string;
  label: string;
}

/** Diagnostic with its range in the text and its fixes. */
export interface Problem {
  diagnostic: Diagnostic;
  range: { start: number; end: number } | null;
  fixes: QuickFix[];
}
