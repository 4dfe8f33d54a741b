import type { Diagnostic } from "byname";
import type { Problem } from "./problem.js";

export interface TextMark {
  start: number;
  end: number;
  /** `now` is no fault: it is what runs. */
  severity: Diagnostic["severity"] | "now";
  /** What is wrong there, and what mends it. */
  problem?: Problem;
}

/** A piece of the text and the class that colours it. */
export type HighlightSpan = [start: number, end: number, name: string];

/** What may be written at a place. */
export interface Completion {
  label: string;
  /** A word or two about it. */
  detail?: string;
  /** What is written, where it is not the label. */
  insert?: string;
}

/** What may be written from `from` to the place that was asked about. */
export interface CompletionList {
  from: number;
  options: Completion[];
}

export interface EditorOptions {
  label: string;
  placeholder: string;
  /** In order, without overlaps. A line has to be told by itself. */
  highlight(text: string): HighlightSpan[];
  /** What may stand at a place of the text; nothing where nobody knows. */
  complete?(text: string, at: number): CompletionList | null;
  edited(): void;
  apply(): void;
}

/** A box with a text that can be written in. */
export interface EditorPane {
  readonly text: string;
  readonly composing: boolean;
  show(text: string, scrollToEnd: boolean): void;
  mark(marks: readonly TextMark[]): void;
  reveal(start: number, end: number): void;
  /** Scrolls so that the first mark is in sight. */
  scrollToFirstMark(): void;
  /** Writes a repair into the text. */
  replace(start: number, end: number, text: string): void;
  focus(): void;
  /** Where somebody stands in it, to go on there in another one. */
  viewState(): ViewState;
  remove(): void;
}

export interface ViewState {
  focused: boolean;
  start: number;
  end: number;
  scrollTop: number;
}
