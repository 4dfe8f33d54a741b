import type { Json } from "byname";
import { button, div, element, p, span } from "../page/element.js";
import { formatCount, formatValue, moreHint, truncate } from "../page/format.js";

/** Maximum number of edges listed. */
const maxEdges = 30;

/** Edge of a node: the node at its other end, and whether it leads there. */
export interface NearEdge {
  kind: string;
  out: boolean;
  id: string;
}

/** Renders the fields and neighbours of a node. */
export function nodeCard(
  node: { id: string; row: { [field: string]: Json } },
  near: readonly NearEdge[],
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
      ...near.slice(0, maxEdges).map(({ kind, out, id }) =>
        element(
          "li",
          span("muted", `${out ? "→" : "←"} ${kind} `),
          button(truncate(id, 40), { class: "place" }, () => on.pick(id)),
        ),
      ),
    ),
    ...moreHint(near.length, maxEdges),
  ];
}
