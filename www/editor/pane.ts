import type { Diagnostic } from "byname";
import type { Problem } from "./problem.js";

export interface TextMark {
  start: number;
  end: number;
  /** `now` marks a range that is running. */
  severity: Diagnostic["severity"] | "now";
  problem?: Problem;
}

/** Range of the text and the CSS class that colours it. */
export type HighlightSpan = [start: number, end: number, name: string];

export interface Completion {
  label: string;
  detail?: string;
  /** Text to insert, if it is not the label. */
  insert?: string;
}

/** Completions that replace the text from `from` to the requested offset. */
export interface CompletionList {
  from: number;
  options: Completion[];
}

export interface EditorOptions {
  label: string;
  placeholder: string;
  /** Returns spans in order, without overlaps. Must work on a single line. */
  highlight(text: string): HighlightSpan[];
  /** Returns the completions at an offset, or null. */
  complete?(text: string, at: number): CompletionList | null;
  textEdited(): void;
  apply(): void;
}

export interface EditorPane {
  readonly text: string;
  readonly composing: boolean;
  show(text: string, scrollToEnd: boolean): void;
  showMarks(marks: readonly TextMark[]): void;
  reveal(start: number, end: number): void;
  scrollToFirstMark(): void;
  /** Applies a fix to the text. */
  replace(start: number, end: number, text: string): void;
  focus(): void;
  /** Returns focus, selection and scroll position for another pane. */
  viewState(): ViewState;
  remove(): void;
}

export interface ViewState {
  focused: boolean;
  start: number;
  end: number;
  scrollTop: number;
}
