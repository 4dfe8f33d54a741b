// The rows in @a2ui/lit with its basic catalog. Changes are messages of A2UI v0.9: paths of single
// values, and the complete list when rows are inserted or removed, because a path is an index.
import { A2uiSurface, basicCatalog } from "@a2ui/lit/v0_9";
import { MessageProcessor } from "@a2ui/web_core/v0_9";
import { rowsAfter } from "../data/table.mjs";

const surfaceId = "main";
const version = "v0.9";
/** Tag of the element; read from the class, so that the bundler keeps its definition. */
const tag = A2uiSurface && "a2ui-surface";

const label = (id, text) => ({ id, component: "Text", text });
const press = (name) => ({ event: { name, context: { id: { path: "id" } } } });
const components = [
  { id: "root", component: "List", children: { path: "/rows", componentId: "row" } },
  { id: "row", component: "Row", children: ["id", "pick", "drop"] },
  label("id", { path: "id" }),
  { id: "pick", component: "Button", variant: "borderless", child: "label", action: press("pick") },
  label("label", { path: "label" }),
  { id: "drop", component: "Button", variant: "borderless", child: "cross", action: press("drop") },
  label("cross", "x"),
];

export function a2uiLit(host) {
  const processor = new MessageProcessor([basicCatalog]);
  let model;
  processor.onSurfaceCreated((created) => {
    model = created;
  });
  const send = (messages) =>
    processor.processMessages(messages.map((message) => ({ version, ...message })));
  send([
    { createSurface: { surfaceId, catalogId: basicCatalog.id } },
    { updateDataModel: { surfaceId, path: "/rows", value: [] } },
    { updateComponents: { surfaceId, components } },
  ]);
  const element = document.createElement(tag);
  element.surface = model;
  host.append(element);
  let rows = [];
  return {
    prepare: (change) => {
      const before = rows;
      rows = rowsAfter(rows, change);
      const text = JSON.stringify(messagesFor(before, rows, change));
      return () => send(JSON.parse(text));
    },
    unmount: () => element.remove(),
  };
}

function messagesFor(before, rows, { kind, id, ...change }) {
  const set = (path, value) => ({ updateDataModel: { surfaceId, path, value } });
  const place = (one) => before.findIndex((row) => row.id === one);
  switch (kind) {
    case "update":
      return change.rows.map((row) => set(`/rows/${place(row.id)}/label`, row.label));
    case "swap": {
      const at = [place(change.first), place(change.last)];
      return at.map((index) => set(`/rows/${index}`, rows[index]));
    }
    case "select":
      // The basic catalog has no selected row, so the label is marked.
      return [set(`/rows/${place(id)}/label`, `${before[place(id)].label} *`)];
    default:
      return [set("/rows", rows)];
  }
}
