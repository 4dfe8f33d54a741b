// Constructs of surfaces and their messages.
import { HamStore, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { objectOf, times } from "./measure.mjs";

const message = (components) => ({ updateComponents: { surfaceId: "s", components } });
const column = (children) => ({ id: "root", component: "Column", children });
const text = (id, value) => ({ id, component: "Text", text: value });
const list = (id, node, template) => ({
  id,
  component: "List",
  children: { binding: { node }, template },
});

/** Returns the measurement of messages, after the data and the messages of `before`. */
function receive(make, { data, before = () => [], act } = {}) {
  return (size) => {
    const surface = new Surface({
      catalog: basicCatalog,
      store: new HamStore({ extensions: { listEdits: true } }),
    });
    if (data) surface.store.apply(data(size));
    for (const one of before(size)) surface.receive(one);
    surface.subscribe(() => {});
    const messages = make(size).map((one) => JSON.stringify(one));
    return () => {
      for (const one of messages) surface.receive(one);
      act?.(surface, size);
    };
  };
}

const components = (make, more) => receive((size) => [message(make(size))], more);
const rowData = (size) => ({
  list: times(size, (i) => `*r${i}`),
  ...objectOf(size, (i) => [`r${i}`, { name: `n${i}`, own: ["*a", "*b"] }]),
  a: { name: "a" },
  b: { name: "b" },
});
const bound = text("t", { binding: { key: "name" } });
const nested = [
  list("root", "list", "row"),
  { id: "row", component: "Column", children: { binding: { key: "own" }, template: "t" } },
  bound,
];
const update = (nodes) => ({ updateDataModel: { surfaceId: "s", nodes } });
const late = (size) => times(size, (i) => update({ [`r${i}`]: { name: "x", own: ["*a"] } }));

export const SURFACES = [
  [
    "named children",
    components((size) => [
      column(times(size, (i) => `c${i}`)),
      ...times(size, (i) => text(`c${i}`, "x")),
    ]),
  ],
  ["one child many times", components((size) => [column(times(size, () => "c")), text("c", "x")])],
  [
    "children with equal keys",
    components((size) => [
      column(times(size, (i) => (i % 2 ? "c" : `c#${i >> 1}`))),
      text("c", "x"),
    ]),
  ],
  ["missing components", components((size) => [column(times(size, (i) => `c${i}`))])],
  [
    "diagnostics of missing components",
    components(
      (size) => [column(times(size, (i) => `c${i}`)), ...times(size, (i) => text(`d${i}`, "x"))],
      { act: (surface) => surface.diagnostics() },
    ),
  ],
  [
    "unknown components",
    components((size) => times(size, (i) => ({ id: `c${i}`, component: "Txet" }))),
  ],
  [
    "unknown properties",
    components((size) => [{ ...text("root", "x"), ...objectOf(size, (i) => [`p${i}`, i]) }]),
  ],
  ["components without an id", components((size) => times(size, () => ({ component: "Text" })))],
  ["duplicate components", components((size) => times(size, (i) => text("root", `${i}`)))],
  [
    "bindings of one component",
    components((size) => [
      {
        id: "root",
        component: "Custom",
        ...objectOf(size, (i) => [`p${i}`, { binding: { node: `n${i}` } }]),
      },
    ]),
  ],
  [
    "invalid bindings",
    components((size) => times(size, (i) => text(`c${i}`, { binding: { path: "/a/b" } }))),
  ],
  [
    "bindings to paths",
    components((size) => times(size, (i) => text(`c${i}`, { path: `/a/${i}` }))),
  ],
  [
    "a long static list of tabs",
    components((size) => [
      { id: "root", component: "Tabs", tabs: times(size, (i) => ({ title: `t${i}`, child: "c" })) },
      text("c", "x"),
    ]),
  ],
  [
    "options",
    components((size) => [
      {
        id: "root",
        component: "ChoicePicker",
        options: times(size, (i) => ({ label: `l${i}`, value: `v${i}` })),
      },
    ]),
  ],
  [
    "checks",
    components((size) => [
      {
        id: "root",
        component: "TextField",
        label: "l",
        checks: times(size, () => ({ condition: { call: "required" }, message: "m" })),
      },
    ]),
  ],
  [
    "a deep chain",
    components((size) =>
      times(size, (i) => ({ id: i ? `c${i}` : "root", component: "Card", child: `c${i + 1}` })),
    ),
  ],
  [
    "a chain that doubles",
    components((size) =>
      times(size, (i) => ({
        id: i ? `c${i}` : "root",
        component: "Column",
        children: [`c${i + 1}`, `c${i + 1}`],
      })),
    ),
  ],
  ["a template", components(() => [list("root", "list", "t"), bound], { data: rowData })],
  ["nested templates", components(() => nested, { data: rowData })],
  [
    "templates over one shared list",
    components(
      () => [
        list("root", "list", "row"),
        { id: "row", component: "Column", children: { binding: { node: "few" }, template: "t" } },
        bound,
      ],
      { data: (size) => ({ ...rowData(size), few: ["*a", "*b"] }) },
    ),
  ],
  [
    "a refused product",
    components(() => [list("root", "l", "m"), list("m", "l", "t"), text("t", { binding: {} })], {
      data: (size) => ({ l: times(1_000 + size, (i) => i) }),
    }),
  ],
  [
    "bindings without data",
    components(() => [list("root", "list", "t"), text("t", { binding: { key: "nmae" } })], {
      data: rowData,
      act: (surface) => surface.diagnostics(),
    }),
  ],
  [
    "components one by one",
    receive((size) => times(size, (i) => message([text(`c${i}`, "x")])), {
      before: (size) => [message([column(times(size, (i) => `c${i}`))])],
    }),
  ],
  [
    "components one by one, without a root",
    receive((size) => times(size, (i) => message([text(`c${i}`, "x")]))),
  ],
  [
    "rows one by one",
    receive(late, {
      data: (size) => ({ list: times(size, (i) => `*r${i}`), a: 1 }),
      before: () => [message([list("root", "list", "t"), bound])],
    }),
  ],
  [
    "rows with lists one by one",
    receive(late, {
      data: (size) => ({ list: times(size, (i) => `*r${i}`), a: 1 }),
      before: () => [message(nested)],
    }),
  ],
  [
    "properties one by one",
    receive(
      (size) => times(size, (i) => update({ [`r${i}`]: { name: "new", own: ["*a", "*b"] } })),
      { data: rowData, before: () => [message(nested)] },
    ),
  ],
  [
    "all rows at once",
    receive((size) => [update(objectOf(size, (i) => [`r${i}`, { name: "new" }]))], {
      data: rowData,
      before: () => [message([list("root", "list", "t"), bound])],
    }),
  ],
  [
    "a reversed list",
    receive((size) => [update({ list: times(size, (i) => `*r${size - 1 - i}`) })], {
      data: rowData,
      before: () => [message(nested)],
    }),
  ],
  [
    "a node that all rows show",
    receive(() => [update({ a: { name: "new" } })], {
      data: rowData,
      before: () => [message(nested)],
    }),
  ],
  [
    "indices",
    receive((size) => [update({ list: times(size, (i) => `*r${size - 1 - i}`) })], {
      data: rowData,
      before: () => [message([list("root", "list", "t"), text("t", { call: "@index" })])],
    }),
  ],
  ["tree", components(() => nested, { data: rowData, act: (surface) => surface.tree() })],
  [
    "export",
    components((size) => times(size, (i) => text(`c${i}`, "x")), {
      act: (surface) => surface.export(),
    }),
  ],
  [
    "an input",
    components(
      () => [
        list("root", "list", "t"),
        { id: "t", component: "TextField", label: "l", text: { binding: { key: "name" } } },
      ],
      {
        data: rowData,
        act: (surface, size) => surface.input(`root/t:r${size - 1}`, "text", "typed"),
      },
    ),
  ],
  [
    "unknown keys of a message",
    receive((size) => [
      { createSurface: { surfaceId: "s", ...objectOf(size, (i) => [`k${i}`, i]) } },
    ]),
  ],
  ["unknown message types", receive((size) => [objectOf(size, (i) => [`createSurfac${i}`, {}])])],
];
