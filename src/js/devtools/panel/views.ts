import type { Diagnostic } from "../../types.js";
import { contentIdsOf, titleOf } from "../message-content.js";
import type { EntryKind, LogEntry, LoggedChange } from "../types.js";
import { drawDiagnostic, drawEntry, drawJson } from "./details.js";
import { countText, html, shortText, timeText } from "./html.js";
import type { Row } from "./row-list.js";
import { MAX_ROWS, surfacesOf, type View, type ViewContext } from "./view.js";

/** Returns a cell with the kind of a row. */
function kindCell(kind: string, className = ""): HTMLElement {
  return html("span", { class: `kind ${className}`.trim() }, kind);
}

function summaryOf(entry: LogEntry): string {
  switch (entry.kind) {
    case "message":
      if (entry.message === null) return "streaming…";
      return titleOf(entry.message) + contentIdsOf(entry.message);
    case "changes":
      return countText(entry.count, "change");
    case "input":
      return `${entry.key} ${entry.prop} = ${shortText(entry.value)}`;
    case "note":
      return entry.title;
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

function entryRows(context: ViewContext, kinds?: readonly EntryKind[]): Row[] {
  const { entries, source, matches } = context;
  const shown = kinds ? entries.filter(({ kind }) => kinds.includes(kind)) : entries;
  const found = shown.filter((one) => matches(() => `${one.kind} ${summaryOf(one)} ${one.source}`));
  return found.slice(-MAX_ROWS).map((entry) => ({
    id: String(entry.id),
    version: entry,
    draw: () => [
      html("span", { class: "time" }, timeText(entry.time)),
      kindCell(entry.kind, severityOf(entry)),
      html("span", { class: "grow" }, summaryOf(entry)),
      ...(source === undefined ? [html("span", { class: "muted" }, entry.source)] : []),
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
    followsNewest: true,
    rows: (context) => entryRows(context, kinds),
    detail: entryDetail,
  };
}

/** Diagnostic with its origin: an entry, or the current state of a surface. */
interface Finding {
  id: string;
  diagnostic: Diagnostic;
  source: string;
  entry?: LogEntry;
}

function collectFindings(context: ViewContext): Finding[] {
  const { recorder, entries, matches } = context;
  const now = surfacesOf(context).flatMap(([name, { surface }]) =>
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
  return [...now, ...past.reverse()]
    .filter(({ diagnostic: { code, message } }) => matches(() => `${code} ${message}`))
    .slice(0, MAX_ROWS);
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
          html("span", { class: "grow" }, message),
          html("span", { class: "muted" }, `${origin} · ${source}`),
        ],
      };
    }),
  detail(context, id) {
    const found = collectFindings(context).find((one) => one.id === id);
    if (!found) return [];
    const { diagnostic, entry } = found;
    const head = html("p", {}, ...drawDiagnostic(diagnostic));
    const { location } = diagnostic;
    const pointer = location?.kind === "pointer" ? location.pointer : "";
    const place =
      pointer === "" ? [] : [html("p", { class: "muted" }, "at ", html("code", {}, pointer))];
    if (entry?.kind === "message") return [drawJson(entry.message, [diagnostic])];
    return [head, ...place, ...(entry ? drawEntry(entry) : [])];
  },
};

/** Change with the id of its row. */
function changesOf({
  entries,
  matches,
}: ViewContext): { id: string; entry: LogEntry; change: LoggedChange }[] {
  const all = entries.flatMap((entry) =>
    entry.kind === "changes"
      ? entry.changes.map((change, at) => ({ id: `${entry.id}:${at}`, entry, change }))
      : [],
  );
  return all
    .filter(({ change }) => matches(() => `${change.kind} ${change.key} ${describeChange(change)}`))
    .slice(-MAX_ROWS);
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
  followsNewest: true,
  empty: "No changes yet. They appear as they happen, and are highlighted in the page.",
  rows: (context) =>
    changesOf(context).map(({ id, entry, change }) => ({
      id,
      version: entry,
      draw: () => [
        html("span", { class: "time" }, timeText(entry.time)),
        kindCell(change.kind),
        html("code", {}, change.key),
        html("span", { class: "grow" }, describeChange(change)),
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

/** Views of entries. */
export const logView = entryView("Log", "No entries yet. Messages appear when they arrive.");
export const actionsView = entryView("Actions", "No actions yet. Press a button of the surface.", [
  "action",
  "input",
  "note",
]);
export const runsView = entryView(
  "Runs",
  "No runs yet. Steps of sessions and events of workflows appear here.",
  RUN_KINDS,
);
export { changesView, diagnosticsView };
