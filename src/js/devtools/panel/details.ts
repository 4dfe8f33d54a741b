import { asObject, isJsonObject } from "../../json-value.js";
import type { Diagnostic, Json } from "../../types.js";
import { printLines } from "../json-place.js";
import type { EntryOf, LogEntry } from "../types.js";
import { html, shortText, timeText } from "./html.js";

/** Maximum number of columns of a table of rows. */
const MAX_COLUMNS = 12;

/** Draws a JSON value in lines, with each diagnostic after the line of its value. */
export function drawJson(value: Json, diagnostics: readonly Diagnostic[] = []): HTMLElement {
  const remaining = new Set(diagnostics);
  const lines = printLines(value).flatMap(({ text, pointer }) => {
    const found = [...remaining].filter((one) => pointerOf(one) === pointer);
    for (const one of found) remaining.delete(one);
    return [
      html("li", found.length > 0 ? { class: "place" } : {}, text),
      ...found.map((one) => html("li", { class: "note" }, ...drawDiagnostic(one))),
    ];
  });
  const list = html("ul", { class: "json", tabindex: "0", "aria-label": "JSON" }, ...lines);
  const rest = [...remaining].map((one) => html("p", {}, ...drawDiagnostic(one)));
  return html("div", {}, ...rest, list);
}

/** Scrolls details to the first value with a diagnostic. */
export function scrollToPlace(detail: HTMLElement): void {
  const place = detail.querySelector(".place");
  if (!place) return;
  const [top, above] = [place, detail].map((one) => one.getBoundingClientRect().top);
  detail.scrollTop += (top ?? 0) - (above ?? 0) - detail.clientHeight / 3;
}

function pointerOf({ location }: Diagnostic): string | undefined {
  return location?.kind === "pointer" ? location.pointer : undefined;
}

/** Draws a diagnostic: code, severity, message and help. */
export function drawDiagnostic({ code, severity, message, help }: Diagnostic): (Node | string)[] {
  return [
    html("strong", { class: severity }, `${severity} ${code}`.trim()),
    ` ${message}`,
    ...(help === undefined ? [] : [html("br"), html("span", { class: "muted" }, help)]),
  ];
}

/** Draws the details of an entry. */
export function drawEntry(entry: LogEntry): Node[] {
  const head = html(
    "p",
    { class: "muted" },
    [timeText(entry.time), entry.source, ...factsOf(entry)]
      .filter((part) => part !== "")
      .join(" · "),
  );
  if (entry.kind === "message") return [head, drawJson(entry.message, entry.diagnostics)];
  if (entry.kind === "step") return [head, ...drawStep(entry)];
  if (entry.kind === "end")
    return [head, ...entry.diagnostics.map((one) => html("p", {}, ...drawDiagnostic(one)))];
  const { id: _, time: __, source: ___, kind: ____, ...content } = entry;
  return [head, drawJson(content as Json)];
}

function factsOf(entry: LogEntry): string[] {
  if (entry.kind === "message") {
    const { duration, length, from } = entry;
    const size = length > 0 ? [`${length.toLocaleString("en")} characters`] : [];
    return [`from the ${from}`, `${duration.toFixed(1)} ms`, ...size];
  }
  return "run" in entry ? [`run ${entry.run}`] : [];
}

function drawStep({ record, rows, rowCount }: EntryOf<"step">): Node[] {
  const { command, why, status, metrics, errors = [] } = record;
  const shown = rows?.length ?? 0;
  const count = rowCount ?? 0;
  const more =
    count > shown ? html("p", { class: "muted" }, `${shown} of ${count} rows`) : undefined;
  return [
    html("p", {}, html("code", {}, command)),
    html("p", {}, `${status}${why ? ` · ${why}` : ""}`),
    html("p", { class: "muted" }, shortText(metrics)),
    ...errors.map((one) => html("p", {}, ...drawDiagnostic(one))),
    ...(rows && rows.length > 0 ? [drawTable(rows)] : []),
    ...(more ? [more] : []),
  ];
}

/** Draws rows as a table with a column for each key. */
export function drawTable(rows: readonly Json[]): HTMLElement {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(asObject(row) ?? { value: null })))];
  const columns = keys.slice(0, MAX_COLUMNS);
  const cells = (row: Json): HTMLElement[] =>
    columns.map((key) => {
      const value = isJsonObject(row) ? row[key] : key === "value" ? row : undefined;
      return html("td", {}, typeof value === "string" ? value : shortText(value));
    });
  const head = columns.map((key) => html("th", { scope: "col" }, key));
  return html(
    "table",
    {},
    html("thead", {}, html("tr", {}, ...head)),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...cells(row)))),
  );
}
