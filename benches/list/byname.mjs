// The rows in byname: with the basic catalog, and with a row component of the page.
import { HamStore, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
import { rowsAfter } from "../data/table.mjs";

const surfaceId = "main";
const bound = (key) => ({ binding: { key } });
const press = (name) => ({ event: { name, context: { id: bound("id") } } });
const list = { binding: { key: "rows" }, template: "row" };

/** Components of the basic catalog: a text and two buttons in each row. */
const basic = [
  { id: "root", component: "List", children: list },
  { id: "row", component: "Row", children: ["id", "pick", "drop"] },
  { id: "id", component: "Text", text: bound("id") },
  {
    id: "pick",
    component: "Button",
    variant: bound("variant"),
    child: "label",
    action: press("pick"),
  },
  { id: "label", component: "Text", text: bound("label") },
  { id: "drop", component: "Button", variant: "borderless", child: "cross", action: press("drop") },
  { id: "cross", component: "Text", text: "x" },
];

/** A table and a row of the page, which draws the markup of js-framework-benchmark. */
const own = [
  { id: "root", component: "Table", children: list },
  {
    id: "row",
    component: "TableRow",
    number: bound("id"),
    label: bound("label"),
    variant: bound("variant"),
  },
];

const tableCatalog = {
  components: { Table: { children: ["children"] }, TableRow: { actions: ["pick", "drop"] } },
};

const template = document.createElement("template");
template.innerHTML =
  '<tr><td class="col-md-1"></td><td class="col-md-4"><a></a></td><td class="col-md-1"><a><span class="glyphicon glyphicon-remove" aria-hidden="true"></span></a></td><td class="col-md-6"></td></tr>';

const components = {
  Table: (node, context) => {
    const element = document.createElement("table");
    element.className = "table table-hover table-striped test-data";
    const body = element.appendChild(document.createElement("tbody"));
    // One listener for all rows.
    body.addEventListener("click", ({ target }) => {
      const row = context.mirror.get(target.closest("tr").dataset.key);
      const cell = target.closest("td").className;
      if (cell !== "col-md-1") context.trigger(row, "pick");
      else if (target.closest("a")) context.trigger(row, "drop");
    });
    return { element, set: () => {}, children: context.children(node, body, context.windowAbove) };
  },
  TableRow: () => {
    const element = template.content.firstChild.cloneNode(true);
    const number = element.firstChild;
    const label = number.nextSibling.firstChild;
    return {
      element,
      set: (prop, value) => {
        if (prop === "number") number.textContent = value;
        else if (prop === "label") label.textContent = value;
        else if (prop === "variant") element.classList.toggle("danger", value === "primary");
      },
    };
  },
};

/** Returns a side with the basic catalog; `windowAbove` is that of `mount`. */
export const bynameBasic = (windowAbove) => (host) =>
  side(host, { catalog: basicCatalog, list: basic, options: { windowAbove } });

/** Returns a side with a table and a row component of the page. */
export const bynameOwn = (windowAbove) => (host) =>
  side(host, { catalog: tableCatalog, list: own, options: { windowAbove, components } });

function side(host, { catalog, list, options }) {
  const store = new HamStore({ extensions: { listEdits: true } });
  const surface = new Surface({ store, catalog });
  surface.receive({ createSurface: { surfaceId, components: list } });
  surface.receive({ updateDataModel: { surfaceId, nodes: { root: { rows: "*rows" }, rows: [] } } });
  const unmount = mount(surface, host, options);
  let rows = [];
  return {
    prepare: (change) => {
      const nodes = nodesFor(rows, change);
      rows = rowsAfter(rows, change);
      const text = JSON.stringify({ updateDataModel: { surfaceId, nodes } });
      return () => {
        const { ok, diagnostics } = surface.receive(text);
        if (!ok) throw new Error(JSON.stringify(diagnostics));
      };
    },
    unmount: () => {
      unmount();
      surface[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}

/** Returns the nodes of a message. Rows that leave the list are deleted. */
function nodesFor(before, { kind, rows, ...change }) {
  const rowById = (id) => before.find((row) => row.id === id);
  switch (kind) {
    case "replace":
      return { rows: pointers(rows), ...deletions(before), ...rowNodes(rows) };
    case "append":
      return { ...rowNodes(rows), "+rows": { items: pointers(rows) } };
    case "update":
      return rowNodes(rows);
    case "select":
      return {
        ...rowNodes([rowById(change.before)]),
        ...rowNodes([{ ...rowById(change.id), variant: "primary" }]),
      };
    case "swap":
      return { rows: pointers(rowsAfter(before, { kind, ...change })) };
    case "remove": {
      const removed = [rowById(change.id)];
      return { "-rows": pointers(removed), ...deletions(removed) };
    }
    default:
      return { rows: [], ...deletions(before) };
  }
}

const pointers = (rows) => rows.map(({ id }) => `*r${id}`);
const rowNodes = (rows) => Object.fromEntries(rows.map((row) => [`r${row.id}`, row]));
const deletions = (rows) => Object.fromEntries(rows.map(({ id }) => [`!r${id}`, null]));
