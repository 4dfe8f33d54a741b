import { unwrapNodes } from "../../exported-nodes.js";
import type { Json } from "../../types.js";
import { traceBindings } from "../trace.js";
import type { TracedSurface } from "../types.js";
import { drawJson } from "./details.js";
import { html, shortText } from "./html.js";
import type { Row } from "./row-list.js";
import { MAX_ROWS, partsOf, rowId, surfacesOf, type View, type ViewContext } from "./view.js";

/** Maximum number of readers of a node that are listed. */
const MAX_READERS = 40;

function nodesOf({ store }: TracedSurface): { [id: string]: Json } {
  try {
    return unwrapNodes(store.export()) as { [id: string]: Json };
  } catch {
    // The store is disposed.
    return {};
  }
}

/** Lists the instances and properties that read a node, with buttons that select them. */
function drawReaders(context: ViewContext, source: string, node: string): HTMLElement {
  const found = context.recorder.surfaces.get(source);
  const readers = [...(found ? traceBindings(found) : [])].flatMap(([key, { bound }]) =>
    bound
      .filter((one) => one.node === node || one.ref === node)
      .map(({ prop, binding }) => ({ key, prop, field: binding.key })),
  );
  const items = readers.slice(0, MAX_READERS).map(({ key, prop, field }) => {
    const show = (): void => context.show("Tree", rowId(source, key));
    const reads = field === undefined ? "" : ` reads ${node}.${field}`;
    return html(
      "li",
      {},
      html("button", { type: "button", onclick: show }, key),
      ` ${prop}${reads}`,
    );
  });
  const more = readers.length - items.length;
  if (more > 0) items.push(html("li", { class: "muted" }, `and ${more.toLocaleString("en")} more`));
  if (items.length > 0) return html("ul", { class: "readers" }, ...items);
  return html("p", { class: "muted" }, "No component reads it: check the id in the bindings.");
}

/** Nodes of the observed stores, with the components that read them. */
export const nodesView: View = {
  name: "Nodes",
  role: "listbox",
  empty: "No nodes yet. They appear with the first data.",
  emptyImported: "An imported log has no nodes. Receive its messages to see them.",
  rows(context) {
    const rows: Row[] = [];
    for (const [source, surface] of surfacesOf(context)) {
      for (const [node, value] of Object.entries(nodesOf(surface))) {
        if (rows.length >= MAX_ROWS) return rows;
        if (!context.matches(() => node)) continue;
        const text = shortText(context.recorder.log.redact(value));
        rows.push({
          id: rowId(source, node),
          version: text,
          draw: () => [html("code", {}, node), html("span", { class: "grow muted" }, text)],
        });
      }
    }
    return rows;
  },
  detail(context, id) {
    const [source, node] = partsOf(id);
    const found = surfacesOf(context).find(([name]) => name === source)?.[1];
    const value = found && nodesOf(found)[node];
    if (value === undefined) return [];
    return [
      html("h2", {}, "Node ", html("code", {}, node)),
      drawJson(context.recorder.log.redact(value)),
      html("h2", {}, "Read by"),
      drawReaders(context, source, node),
    ];
  },
};
