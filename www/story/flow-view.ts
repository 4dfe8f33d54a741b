import { generateMappings, type Json, type Registry, type Workflow } from "byname";
import { div, element, span } from "../page/element.js";
import { formatCoarseMilliseconds } from "../page/format.js";
import type { NodeProgress } from "./frame.js";

type Row = { [name: string]: Json };

/** List of the workflow's nodes with their state and renamed outputs. */
export class FlowView {
  readonly #nodes = new Map<string, { item: HTMLElement; state: HTMLElement }>();

  constructor(host: HTMLElement, workflow: Row, registry: Row) {
    const mappings = generateMappings(workflow as Workflow, registry as Registry);
    const nodes = workflow["nodes"] as { id: string; type: string }[];
    let renamed = 0;
    const items = nodes.map(({ id, type }) => {
      const outputs = Object.entries(mappings[id]?.output_mappings ?? {});
      renamed += outputs.length;
      const state = span("flow-state muted");
      const head = div(
        "flow-head-line",
        element("strong", id),
        span("kind", type),
        ...renamedOutput(outputs),
        state,
      );
      const item = element("li", { "data-node": id }, head);
      this.#nodes.set(id, { item, state });
      return item;
    });
    host.replaceChildren(element("ol", { class: "flow-nodes" }, ...items));
    host.dataset["renamed"] = String(renamed);
  }

  show(shown: ReadonlyMap<string, NodeProgress>): void {
    for (const [id, { item, state }] of this.#nodes) {
      const now = shown.get(id);
      item.dataset["state"] = now?.state ?? "later";
      const words = { running: "running", waiting: "retry", finished: "done", failed: "failed" };
      const time = now?.time == null ? "" : formatCoarseMilliseconds(now.time);
      state.textContent = time !== "" ? time : now ? words[now.state] : "";
    }
  }
}

/** Renders the first renamed output, with all of them in the tooltip. */
function renamedOutput(outputs: [string, Json][]): HTMLElement[] {
  const [first] = outputs;
  if (!first) return [];
  const more = outputs.length > 1 ? " …" : "";
  const list = outputs.map(([was, now]) => `${was} → ${String(now)}`).join("\n");
  return [
    element(
      "span",
      { class: "renamed", title: `Renamed, because several nodes write this key:\n${list}` },
      element("s", first[0]),
      ` ${String(first[1])}${more}`,
    ),
  ];
}
