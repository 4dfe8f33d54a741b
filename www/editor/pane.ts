import type { Diagnostic } from "byname";
import type { Problem } from "./problem.js";

export interface Mark {
  start: number;
  end: number;
  /** `now` is no fault: it is what runs. */
  severity: Diagnostic["severity"] | "now";
  /** What is wrong there, and what mends it. */
  problem?: Problem;
}

/** A piece of the text and the class that colours it. */
export type Colour = [start: number, end: number, name: string];

/** What may be written at a place. */
export interface Suggestion {
  label: string;
  /** A word or two about it. */
  detail?: string;
  /** What is written, where it is not the label. */
  words?: string;
}

/** What may be written from `from` to the place that was asked about. */
export interface Suggestions {
  from: number;
  options: Suggestion[];
}

export interface EditorOptions {
  label: string;
  placeholder: string;
  /** In order, without overlaps. A line has to be told by itself. */
  colours(text: string): Colour[];
  /** What may stand at a place of the text; nothing where nobody knows. */
  suggest?(text: string, at: number): Suggestions | null;
  typed(): void;
  apply(): void;
}

/** A box with a text that can be written in. */
export interface Pane {
  readonly text: string;
  readonly busy: boolean;
  show(text: string, follow: boolean): void;
  mark(marks: readonly Mark[]): void;
  reveal(start: number, end: number): void;
  /** Scrolls so that the first mark is in sight. */
  follow(): void;
  /** Writes a repair into the text. */
  replace(start: number, end: number, text: string): void;
  focus(): void;
  /** Where somebody stands in it, to go on there in another one. */
  stand(): Stand;
  remove(): void;
}

export interface Stand {
  focused: boolean;
  start: number;
  end: number;
  scrollTop: number;
}
