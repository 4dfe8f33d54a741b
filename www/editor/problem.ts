import type { Diagnostic } from "byname";

/** An edit of the text that mends one fault. */
export interface Repair {
  start: number;
  end: number;
  words: string;
  label: string;
}

/** A diagnostic as the text pane has it. */
export interface Problem {
  diagnostic: Diagnostic;
  /** Where it stands in the text, if it does. */
  place: { start: number; end: number } | null;
  repairs: Repair[];
}
