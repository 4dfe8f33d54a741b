import type { Recorder } from "../recorder.js";
import type { LogEntry, TracedSurface } from "../types.js";
import type { Row } from "./row-list.js";

/** Maximum number of rows of a list. */
export const MAX_ROWS = 300;

/** Content of the panel. */
export interface ViewContext {
  readonly recorder: Recorder;
  /** Entries of the selected source, or of an imported log. */
  readonly entries: readonly LogEntry[];
  /** Selected source, or undefined for all. */
  readonly source: string | undefined;
  /** Whether the entries are those of a file. */
  readonly isImported: boolean;
  /** Collapsed tree rows by id. */
  readonly collapsed: ReadonlySet<string>;
  /** Returns whether a row is displayed; its text is built only if the user has entered one. */
  matches(text: () => string): boolean;
  /** Opens another tab and selects a row of it. */
  show(view: string, id: string): void;
}

/** Tab of the panel. */
export interface View {
  readonly name: string;
  readonly role: "listbox" | "tree";
  /** Text without rows. */
  readonly empty: string;
  /** Text without rows for an imported log. */
  readonly emptyImported?: string;
  rows(context: ViewContext): Row[];
  detail(context: ViewContext, id: string): Node[];
  /** Whether the details of the newest row are displayed while none is selected. */
  readonly followsNewest?: boolean;
  /** Returns the key of the instance to highlight in the page. */
  keyOf?(context: ViewContext, id: string): string | undefined;
}

/** Returns the text of a view without rows. */
export function emptyText(view: View, { isImported }: ViewContext): string {
  return (isImported && view.emptyImported) || view.empty;
}

/** Separates the source and the key in the id of a row. */
const SEPARATOR = "\n";

/** Returns the id of the row of an instance or node. */
export function rowId(source: string, key: string): string {
  return source + SEPARATOR + key;
}

/** Returns the source and the key of the id of a row of an instance or node. */
export function partsOf(id: string): [source: string, key: string] {
  const at = id.indexOf(SEPARATOR);
  return [id.slice(0, at), id.slice(at + SEPARATOR.length)];
}

/** Returns the displayed surfaces by source; none for an imported log. */
export function surfacesOf({
  recorder,
  source,
  isImported,
}: Pick<ViewContext, "recorder" | "source" | "isImported">): [string, TracedSurface][] {
  if (isImported) return [];
  return [...recorder.surfaces].filter(([name]) => source === undefined || name === source);
}
