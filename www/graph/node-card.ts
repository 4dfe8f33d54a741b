import type { Json } from "byname";
import { button, element } from "../page/element.js";
import { count, cut } from "../page/format.js";

/** What is known of a node: its fields, and who is around it. */
export function card(
  node: { id: string; row: { [field: string]: Json } },
  near: readonly { kind: string; out: boolean; id: string }[],
  on: { pick(id: string): void; close(): void },
): HTMLElement[] {
  const fields = Object.entries(node.row).filter(([name]) => name !== "id");
  return [
    element(
      "div",
      { class: "detail-head" },
      element("strong", {}, node.id),
      button("×", { class: "close", "aria-label": "Close" }, on.close),
    ),
    element(
      "dl",
      {},
      ...fields.flatMap(([name, value]) => [
        element("dt", {}, name),
        element("dd", {}, cut(typeof value === "string" ? value : JSON.stringify(value), 240)),
      ]),
    ),
    element(
      "p",
      { class: "soft" },
      near.length === 0 ? "No edge touches it." : count(near.length, "edge"),
    ),
    element(
      "ul",
      {},
      ...near.slice(0, 30).map(({ kind, out, id }) =>
        element(
          "li",
          {},
          element("span", { class: "soft" }, `${out ? "→" : "←"} ${kind} `),
          button(cut(id, 40), { class: "place" }, () => on.pick(id)),
        ),
      ),
    ),
  ];
}
