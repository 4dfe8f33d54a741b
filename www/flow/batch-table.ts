import { element, span } from "../page/element.js";
import { formatValue } from "../page/format.js";
import type { Call } from "./run.js";

/** Renders the items of a batch: index, item, and outputs or error. */
export function batchTable(calls: readonly Call[]): HTMLElement {
  const rows = [...calls].sort((a, b) => (a.item ?? 0) - (b.item ?? 0));
  const head = ["", "item", "outputs"].map((name) => element("th", { scope: "col" }, name));
  return element(
    "table",
    { class: "batch-items" },
    element("thead", element("tr", ...head)),
    element("tbody", ...rows.map(itemRow)),
  );
}

function itemRow({ item, excerpt, state, outputs, attempts }: Call): HTMLElement {
  const error = attempts.at(-1)?.error ?? null;
  const failed = state === "failed" || state === "handled";
  const entries = Object.entries(outputs ?? {});
  const values =
    outputs === null
      ? [failed ? span("error", `null: ${error ?? "failed"}`) : span("muted", state)]
      : entries.map(([key, value]) =>
          element("div", span("muted", `${key} `), formatValue(value, 120)),
        );
  return element(
    "tr",
    { "data-item": String(item), "data-state": state },
    element("td", { class: "muted" }, String((item ?? 0) + 1)),
    element("td", excerpt ?? ""),
    element("td", ...values),
  );
}
