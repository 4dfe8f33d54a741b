import type { Diagnostic } from "../../types.js";
import { titleOf } from "../message-content.js";
import type { Recorder } from "../recorder.js";
import type { EntryKind, LogEntry, LoggedChange } from "../types.js";
import { drawDiagnostic, drawEntry, drawJson } from "./details.js";
import { countText, createElement, shortText, timeText } from "./html.js";
import type { Row } from "./row-list.js";

/** Maximum number of rows of a list. */
export const MAX_ROWS = 300;

/** What the panel displays. */
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
}

/** Tab of the panel. */
export interface View {
  readonly name: string;
  readonly role: "listbox" | "tree";
  /** Text without rows. */
  readonly empty: string;
  rows(context: ViewContext): Row[];
  detail(context: ViewContext, id: string): Node[];
  /** Returns the key of the instance to highlight in the page. */
  keyOf?(context: ViewContext, id: string): string | undefined;
}

/** Returns a cell with the kind of a row. */
function kindCell(kind: string, className = ""): HTMLElement {
  return createElement("span", { class: `kind ${className}`.trim() }, kind);
}

function summaryOf(entry: LogEntry): string {
  switch (entry.kind) {
    case "message":
      return entry.message === null ? "streaming…" : titleOf(entry.message);
    case "changes":
      return countText(entry.count, "change");
    case "input":
      return `${entry.key} ${entry.prop} = ${shortText(entry.value)}`;
    case "action":
      return `${entry.action.name} ${shortText(entry.action.context)}`;
    case "begin":
      return entry.title;
    case "plan":
      return `${entry.plan.plan_id ?? "plan"}: ${countText(entry.plan.commands?.length ?? 0, "command")}`;
    case "step":
      return `${entry.record.command}${entry.rowCount === undefined ? "" : ` → ${countText(entry.rowCount, "row")}`}`;
    case "event":
      return `${entry.event.node} ${entry.event.kind}`;
    case "end":
      return entry.status;
  }
}

/** Returns the class of an entry with errors or warnings. */
function severityOf(entry: LogEntry): string {
  const found = diagnosticsOf(entry);
  if (found.some(({ severity }) => severity === "error")) return "error";
  if (entry.kind === "message" && !entry.ok) return "error";
  return found.length > 0 ? "warning" : "";
}

function diagnosticsOf(entry: LogEntry): readonly Diagnostic[] {
  if (entry.kind === "message" || entry.kind === "end") return entry.diagnostics;
  return entry.kind === "step" ? (entry.record.errors ?? []) : [];
}

function entryRows({ entries, source }: ViewContext, kinds?: readonly EntryKind[]): Row[] {
  const shown = kinds ? entries.filter(({ kind }) => kinds.includes(kind)) : entries;
  return shown.slice(-MAX_ROWS).map((entry) => ({
    id: String(entry.id),
    version: entry,
    draw: () => [
      createElement("span", { class: "time" }, timeText(entry.time)),
      kindCell(entry.kind, severityOf(entry)),
      createElement("span", { class: "grow" }, summaryOf(entry)),
      ...(source === undefined ? [createElement("span", { class: "muted" }, entry.source)] : []),
    ],
  }));
}

function entryDetail({ entries }: ViewContext, id: string): Node[] {
  const entry = entries.find((one) => String(one.id) === id);
  return entry ? drawEntry(entry) : [];
}

function entryView(name: string, empty: string, kinds?: readonly EntryKind[]): View {
  return {
    name,
    role: "listbox",
    empty,
    rows: (context) => entryRows(context, kinds),
    detail: entryDetail,
  };
}

/** Diagnostic with its place: an entry, or the current state of a surface. */
interface Finding {
  id: string;
  diagnostic: Diagnostic;
  source: string;
  entry?: LogEntry;
}

function collectFindings({ recorder, entries, source, isImported }: ViewContext): Finding[] {
  const now = isImported
    ? []
    : [...recorder.surfaces]
        .filter(([name]) => source === undefined || name === source)
        .flatMap(([name, { surface }]) =>
          recorder.log
            .redact(surface.diagnostics())
            .map((diagnostic, at) => ({ id: `${name}:${at}`, diagnostic, source: name })),
        );
  const past = entries.flatMap((entry) =>
    diagnosticsOf(entry).map((diagnostic, at) => ({
      id: `${entry.id}:${at}`,
      diagnostic,
      source: entry.source,
      entry,
    })),
  );
  return [...now, ...past.reverse()].slice(0, MAX_ROWS);
}

const diagnosticsView: View = {
  name: "Diagnostics",
  role: "listbox",
  empty: "No diagnostics.",
  rows: (context) =>
    collectFindings(context).map(({ id, diagnostic, source, entry }) => {
      const { code, severity, message } = diagnostic;
      const origin = entry ? `entry ${entry.id}` : "now";
      return {
        id,
        version: `${code} ${message} ${origin} ${source}`,
        draw: () => [
          kindCell(code || severity, severity),
          createElement("span", { class: "grow" }, message),
          createElement("span", { class: "muted" }, `${origin} · ${source}`),
        ],
      };
    }),
  detail(context, id) {
    const found = collectFindings(context).find((one) => one.id === id);
    if (!found) return [];
    const { diagnostic, entry } = found;
    const head = createElement("p", {}, ...drawDiagnostic(diagnostic));
    const { location } = diagnostic;
    const pointer = location?.kind === "pointer" ? location.pointer : "";
    const place =
      pointer === ""
        ? []
        : [createElement("p", { class: "muted" }, "at ", createElement("code", {}, pointer))];
    if (entry?.kind === "message") return [drawJson(entry.message, [diagnostic])];
    return [head, ...place, ...(entry ? drawEntry(entry) : [])];
  },
};

/** Change with the id of its row. */
function changesOf({
  entries,
}: ViewContext): { id: string; entry: LogEntry; change: LoggedChange }[] {
  const all = entries.flatMap((entry) =>
    entry.kind === "changes"
      ? entry.changes.map((change, at) => ({ id: `${entry.id}:${at}`, entry, change }))
      : [],
  );
  return all.slice(-MAX_ROWS);
}

function describeChange(change: LoggedChange): string {
  if (change.kind === "set") return `${change.prop} = ${shortText(change.value)}`;
  if (change.kind === "mount")
    return `${change.component || "not defined"} in ${change.parent ?? "the surface"}`;
  return change.kind === "move" ? `before ${change.before ?? "the end"}` : "";
}

const changesView: View = {
  name: "Changes",
  role: "listbox",
  empty: "No changes yet. They appear as they happen, and are highlighted in the page.",
  rows: (context) =>
    changesOf(context).map(({ id, entry, change }) => ({
      id,
      version: entry,
      draw: () => [
        createElement("span", { class: "time" }, timeText(entry.time)),
        kindCell(change.kind),
        createElement("code", {}, change.key),
        createElement("span", { class: "grow" }, describeChange(change)),
      ],
    })),
  detail(context, id) {
    const found = changesOf(context).find((one) => one.id === id);
    return found ? [drawJson(found.change)] : [];
  },
  keyOf: (context, id) => changesOf(context).find((one) => one.id === id)?.change.key,
};

/** Kinds of entries of sessions and workflows. */
const RUN_KINDS = ["begin", "plan", "step", "event", "end"] as const;

/** Views of entries; the panel adds the tree. */
export const logView = entryView("Log", "No entries yet. Messages appear when they arrive.");
export const actionsView = entryView("Actions", "No actions yet. Press a button of the surface.", [
  "action",
  "input",
]);
export const runsView = entryView(
  "Runs",
  "No runs yet. Steps of sessions and events of workflows appear here.",
  RUN_KINDS,
);
export { changesView, diagnosticsView };
