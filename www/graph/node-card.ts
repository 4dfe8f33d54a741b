import type { Json } from "byname";
import { button, div, element, p, span } from "../page/element.js";
import { formatCount, formatValue, truncate } from "../page/format.js";

/** Renders the fields and neighbours of a node. */
export function nodeCard(
  node: { id: string; row: { [field: string]: Json } },
  near: readonly { kind: string; out: boolean; id: string }[],
  on: { pick(id: string): void; close(): void },
): HTMLElement[] {
  const fields = Object.entries(node.row).filter(([name]) => name !== "id");
  return [
    div(
      "detail-head",
      element("strong", node.id),
      button("×", { class: "close", "aria-label": "Close" }, on.close),
    ),
    element(
      "dl",
      ...fields.flatMap(([name, value]) => [
        element("dt", name),
        element("dd", formatValue(value, 240)),
      ]),
    ),
    p("muted", near.length === 0 ? "No edges." : formatCount(near.length, "edge")),
    element(
      "ul",
      ...near.slice(0, 30).map(({ kind, out, id }) =>
        element(
          "li",
          span("muted", `${out ? "→" : "←"} ${kind} `),
          button(truncate(id, 40), { class: "place" }, () => on.pick(id)),
        ),
      ),
    ),
  ];
}
