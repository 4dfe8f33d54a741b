import type { Json } from "byname";
import { button, div, element, p, span } from "../page/element.js";
import { emptyPaneHint, formatCount, formatValue, truncate } from "../page/format.js";
import { isRecord } from "../page/json.js";
import { maxRows, type Result } from "./result.js";

/** Maximum number of columns. */
const maxColumns = 8;

/** Renders the rows of a result, with a button for each result so far. */
export function showRows(
  host: HTMLElement,
  result: Result | null,
  results: ReadonlyMap<string, Result>,
  on: { result(one: Result): void; node(id: string): void; known(id: string): boolean },
): void {
  const focused = host.querySelector(".rows-head")?.contains(document.activeElement) === true;
  const tops = [...results.values()].map((one) =>
    button(
      one.total === null ? one.name : `${one.name} ${one.total.toLocaleString()}`,
      { class: "crumb", "aria-pressed": String(one === result) },
      () => on.result(one),
    ),
  );
  const strip = div("rows-results", ...tops);
  const head = div("rows-head", element("h3", "Rows"), strip);
  if (!result) {
    const words = "The rows of a step appear here and are highlighted in the graph.";
    host.replaceChildren(head, emptyPaneHint(words));
    return;
  }
  host.replaceChildren(head, ...tableBody(result, on));
  const pressed = head.querySelector<HTMLElement>("[aria-pressed=true]");
  if (focused) pressed?.focus();
  if (pressed) strip.scrollLeft = pressed.offsetLeft - strip.clientWidth / 2;
}

function tableBody(
  { name, total, rows }: Result,
  on: { node(id: string): void; known(id: string): boolean },
): HTMLElement[] {
  if (total === 0) return [emptyPaneHint(`${name} is empty.`)];
  const records = rows.filter(isRecord);
  if (records.length < rows.length || records.length === 0)
    return [element("pre", { class: "card" }, truncate(rows.map(formatValue).join("\n"), 4000))];
  const columns = [...new Set(records.flatMap((row) => Object.keys(row)))];
  const seen = columns.slice(0, maxColumns);
  const table = element(
    "table",
    { "aria-label": `Rows of ${name}` },
    element("thead", element("tr", ...seen.map((one) => element("th", { scope: "col" }, one)))),
    element(
      "tbody",
      ...records.map((row) => element("tr", ...seen.map((column) => tableCell(row[column], on)))),
    ),
  );
  const left = [
    ...(total !== null && total > rows.length
      ? [`The first ${maxRows} of ${total.toLocaleString()} rows.`]
      : []),
    ...(columns.length > maxColumns
      ? [`${formatCount(columns.length - maxColumns, "column")} more.`]
      : []),
  ];
  return [
    element(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": `Table of ${name}` },
      table,
    ),
    ...(left.length > 0 ? [p("muted rows-left", left.join(" "))] : []),
  ];
}

function tableCell(
  value: Json | undefined,
  on: { node(id: string): void; known(id: string): boolean },
): HTMLElement {
  if (value === undefined || value === null) return element("td");
  const made = element("td", typeof value === "number" ? { class: "number" } : {});
  const list = Array.isArray(value) && value.every((one) => typeof one === "string");
  const parts = list ? (value as string[]) : [value];
  parts.slice(0, 12).forEach((part, index) => {
    if (index > 0) made.append(span("muted", " → "));
    if (typeof part === "string" && on.known(part))
      made.append(button(truncate(part, 60), { class: "place" }, () => on.node(part)));
    else made.append(truncate(formatValue(part), 120));
  });
  if (parts.length > 12) made.append(` … ${parts.length - 12} more`);
  if ((made.textContent ?? "").length > 40) made.title = made.textContent ?? "";
  return made;
}
