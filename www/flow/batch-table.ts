import { element, span } from "../page/element.js";
import { formatValue, withInlineCode } from "../page/format.js";
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
  // A reused failure has an error and no outputs.
  const failed = error !== null && state !== "waiting";
  const prefix = state === "failed" ? "" : "null: ";
  const entries = Object.entries(outputs ?? {});
  const values =
    outputs === null
      ? [
          failed
            ? element("span", { class: "error" }, ...withInlineCode(`${prefix}${error}`))
            : span("muted", state),
        ]
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
