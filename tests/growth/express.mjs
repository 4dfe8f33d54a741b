// Constructs of Express and of A2UI messages, which are translated in JavaScript.
import { Surface } from "byname";
import { a2uiTarget, ToA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { compileExpress, messagesToExpress } from "byname/express";
import { messageStream } from "byname/messages";
import { each, objectOf, times } from "./measure.mjs";

const compile = (make) => (size) => {
  const text = make(size);
  return () => void compileExpress(text, { catalog: basicCatalog });
};

export const EXPRESS = [
  [
    "statements",
    compile(
      (size) =>
        `root = Column([${each(size, ", ", (i) => `c${i}`)}])\n${each(size, "\n", (i) => `c${i} = Text("t${i}")`)}`,
    ),
  ],
  ["nested calls", compile((size) => `root = ${"Card(".repeat(size)}`)],
  [
    "nested components",
    compile(
      (size) =>
        `root = ${"Card(".repeat(Math.min(size, 60))}Text("a")${")".repeat(Math.min(size, 60))}\n${each(size, "\n", (i) => `# ${i}`)}`,
    ),
  ],
  ["list items", compile((size) => `root = Column([${each(size, ", ", (i) => `Text("t${i}")`)}])`)],
  [
    "undefined components",
    compile((size) => `root = Column([${each(size, ", ", (i) => `c${i}`)}])`),
  ],
  ["unknown components", compile((size) => each(size, "\n", (i) => `c${i} = Txet("a")`))],
  [
    "unknown properties",
    compile((size) => `root = Text("a", ${each(size, ", ", (i) => `p${i}: 1`)})`),
  ],
  ["equal statements", compile((size) => each(size, "\n", () => 'root = Text("a")'))],
  ["unclosed strings", compile((size) => 'root = Text("'.repeat(size))],
  ["a long string", compile((size) => `root = Text("${"a ".repeat(size)}")`)],
  ["escapes", compile((size) => `root = Text("${"\\n\\u0041".repeat(size)}")`)],
  ["unclosed bindings", compile((size) => `root = Text("${"${".repeat(size)}")`)],
  ["bindings", compile((size) => `root = Text("${"${/a/b} ".repeat(size)}")`)],
  ["words", compile((size) => each(size, " ", (i) => `word${i}`))],
  ["lines of prose", compile((size) => each(size, "\n", () => "Here is the surface."))],
  ["data", compile((size) => `root = Text($/a)\n${each(size, "\n", (i) => `$/k${i} = ${i}`)}`)],
  [
    "nested data",
    compile((size) => `root = Text("a")\n$/a = {${each(size, ", ", (i) => `"k${i}": [1]`)}}`),
  ],
];

const print = (make) => (size) => {
  const messages = make(size);
  return () => void messagesToExpress(messages, { catalog: basicCatalog });
};
const version = "v1.0";
const update = (list) => ({ version, updateComponents: { surfaceId: "s", components: list } });
const set = (path, value) => ({ version, updateDataModel: { surfaceId: "s", path, value } });
const begin = { version, createSurface: { surfaceId: "s", catalogId: "basic" } };
const child = (id) => ({ id, component: "Text", text: "a" });

/** Messages that are printed as Express. */
export const PRINTED = [
  [
    "components one by one",
    print((size) => [begin, ...times(size, (i) => update([child(`c${i}`)]))]),
  ],
  ["one component again", print((size) => [begin, ...times(size, () => update([child("root")]))])],
  ["values one by one", print((size) => [begin, ...times(size, (i) => set(`/a/k${i}`, i))])],
  [
    "items one by one",
    print((size) => [begin, set("/", { a: [] }), ...times(size, (i) => set(`/a/${i}`, i))]),
  ],
  [
    "values of one message",
    print((size) => [
      begin,
      set(
        "/",
        objectOf(size, (i) => [`k${i}`, { a: i }]),
      ),
    ]),
  ],
  [
    "surfaces",
    print((size) => times(size, (i) => ({ version, createSurface: { surfaceId: `s${i}` } }))),
  ],
  [
    "names that are not identifiers",
    print((size) => [begin, update(times(size, (i) => child(String.fromCodePoint(0x4e00 + i))))]),
  ],
  [
    "names of a list",
    print((size) => [
      begin,
      update([{ id: "root", component: "Column", children: times(size, (i) => `c${i}`) }]),
    ]),
  ],
];

/** Returns the measurement of messages of A2UI. */
function receive(make, { before = [], chunked } = {}) {
  return (size) => {
    const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
    for (const one of before) target.receive(typeof one === "function" ? one(size) : one);
    const messages = make(size).map((one) => JSON.stringify(one));
    if (!chunked)
      return () => {
        for (const one of messages) target.receive(one);
      };
    const chunks = messages.join("\n").match(/.{1,40}/gs);
    const stream = messageStream(target);
    return () => {
      for (const one of chunks) stream.push(one);
      stream.end();
    };
  };
}

const components = (list) => ({ updateComponents: { surfaceId: "s", components: list } });
const data = (path, value) => ({ updateDataModel: { surfaceId: "s", path, value } });
const text = (id, value) => ({ id, component: "Text", text: value });
const template = [
  { id: "root", component: "List", children: { path: "/rows", componentId: "t" } },
  text("t", { path: "name" }),
];
const list = (id, path, componentId) => ({
  id,
  component: "List",
  children: { path, componentId },
});
const created = { createSurface: { surfaceId: "s", catalogId: "c" } };
const rows = (size) => times(size, (i) => ({ id: `r${i}`, name: `n${i}` }));

/** Returns a data message of v0.8 with entries. */
function entries(entry) {
  return (size) => [
    { beginRendering: { surfaceId: "s", root: "root" } },
    { dataModelUpdate: { surfaceId: "s", path: "/", contents: times(size, entry) } },
  ];
}

/** Measures a translation of new values that components are bound to. */
function toA2ui(size) {
  const to = new ToA2ui();
  const update = (value) => {
    const nodes = { a: objectOf(size, (i) => [`x${i}`, value]) };
    to.translate({ updateDataModel: { surfaceId: "s", nodes } });
  };
  const bound = times(size, (i) => ({
    id: `c${i}`,
    component: "Text",
    text: { binding: { node: "a", key: `x${i}` } },
  }));
  to.translate({ updateComponents: { surfaceId: "s", components: bound } });
  update(1);
  return () => update(2);
}

export const A2UI = [
  [
    "components",
    receive((size) => [created, components(times(size, (i) => text(i ? `c${i}` : "root", "x")))]),
  ],
  [
    "lists one by one",
    receive((size) => [
      created,
      ...times(size, (i) => components([list(`c${i}`, `/a${i}`, `t${i % 10}`)])),
      ...times(size, (i) => components([text(`t${i + 10}`, { path: "x" })])),
    ]),
  ],
  [
    "lists and their templates one by one",
    receive((size) => [
      created,
      ...times(size, (i) => [
        components([list(`c${i}`, `/a${i}`, `t${i}`)]),
        components([text(`t${i}`, { path: "x" })]),
      ]).flat(),
    ]),
  ],
  [
    "lists in one another",
    receive((size) => [
      created,
      components(times(size, (i) => list(i ? `c${i}` : "root", i ? "a" : "/a", `c${i + 1}`))),
    ]),
  ],
  [
    "bindings",
    receive((size) => [
      created,
      components(times(size, (i) => text(i ? `c${i}` : "root", { path: `/a/k${i}` }))),
    ]),
  ],
  [
    "one binding in many components",
    receive((size) => [
      created,
      components(times(size, (i) => text(i ? `c${i}` : "root", { path: "/a/b" }))),
    ]),
  ],
  [
    "formatted strings",
    receive((size) => [
      created,
      components(
        times(size, (i) =>
          text(i ? `c${i}` : "root", { call: "formatString", args: { value: "${/a} and ${/b}" } }),
        ),
      ),
    ]),
  ],
  [
    "bindings of a formatted string",
    receive((size) => [
      created,
      components([text("root", { call: "formatString", args: { value: "${/a} ".repeat(size) } })]),
    ]),
  ],
  [
    "unclosed bindings of a formatted string",
    receive((size) => [
      created,
      components([text("root", { call: "formatString", args: { value: "${".repeat(size) } })]),
    ]),
  ],
  [
    "long paths",
    receive((size) => [created, components([text("root", { path: "/a".repeat(size) })])]),
  ],
  [
    "long paths of data",
    receive((size) => [created, data("/a".repeat(Math.min(size, 300)), "x".repeat(size))]),
  ],
  [
    "keys of data",
    receive((size) => [
      created,
      data(
        "/",
        objectOf(size, (i) => [`k${i}`, i]),
      ),
    ]),
  ],
  ["rows", receive((size) => [created, components(template), data("/rows", rows(size))])],
  [
    "rows again",
    receive((size) => [data("/rows", rows(size).toReversed())], {
      before: [created, components(template), (size) => data("/rows", rows(size))],
    }),
  ],
  [
    "rows without ids",
    receive(
      (size) => [
        data(
          "/rows",
          times(size, (i) => [i]),
        ),
      ],
      {
        before: [
          created,
          components(template),
          (size) =>
            data(
              "/rows",
              times(size, (i) => [i + 1]),
            ),
        ],
      },
    ),
  ],
  [
    "equal rows",
    receive(
      (size) => [
        data(
          "/rows",
          times(size, () => ({ a: 1 })),
        ),
      ],
      {
        before: [
          created,
          components(template),
          (size) =>
            data(
              "/rows",
              times(size, () => ({ a: 2 })),
            ),
        ],
      },
    ),
  ],
  ["unknown message types", receive((size) => [objectOf(size, (i) => [`k${i}`, i])])],
  [
    "v0.8",
    receive((size) => [
      {
        surfaceUpdate: {
          surfaceId: "s",
          components: times(size, (i) => ({
            id: `c${i}`,
            component: { Text: { text: { literalString: "a" } } },
          })),
        },
      },
      { beginRendering: { surfaceId: "s", root: "c0" } },
    ]),
  ],
  ["entries of v0.8", receive(entries((i) => ({ key: `k${i}`, valueString: "a" })))],
  ["entries with paths of v0.8", receive(entries((i) => ({ key: `a/k${i}`, valueString: "a" })))],
  ["items with paths of v0.8", receive(entries((i) => ({ key: `l/${i}`, valueNumber: i })))],
  [
    "nested entries of v0.8",
    receive(entries((i) => ({ key: `k${i}`, valueMap: [{ key: "a", valueString: "b" }] }))),
  ],
  ["values of bound nodes to A2UI", toA2ui],
  [
    "chunks",
    receive((size) => [created, components(template), data("/rows", rows(size))], {
      chunked: true,
    }),
  ],
  [
    "functions",
    receive((size) => [
      created,
      components([
        {
          id: "root",
          component: "TextField",
          label: "l",
          checks: times(size, () => ({
            condition: { call: "required", args: { value: { path: "/a" } } },
            message: "m",
          })),
        },
      ]),
    ]),
  ],
];
