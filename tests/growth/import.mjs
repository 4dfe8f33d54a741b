// Constructs of imported workflows.
import { importWorkflow } from "byname/flow";
import { objectOf, times } from "./measure.mjs";

/** Returns the measurement of importing the document that `make` returns. */
const imported = (make) => (size) => {
  const document = make(size);
  return () => void importWorkflow(document);
};

const graph = (edge) =>
  imported((size) => ({
    nodes: [{ id: "__start__" }, ...times(size, (i) => ({ id: `n${i}` }))],
    edges: [{ source: "__start__", target: "n0" }, ...times(size - 1, edge)],
  }));
const n8n = (node, connections = () => ({})) =>
  imported((size) => ({
    nodes: times(size, (i) => ({ type: "n8n-nodes-base.set", name: `n${i}`, ...node(i) })),
    connections: connections(size),
  }));
const to = (i) => ({ main: [[{ node: `n${i}`, type: "main", index: 0 }]] });
const text = (param) =>
  imported((size) => ({ nodes: [{ id: "a", type: "t", params: { p: param(size) } }], edges: [] }));

export const IMPORTS = [
  ["a state graph that is a chain", graph((i) => ({ source: `n${i}`, target: `n${i + 1}` }))],
  [
    "a state graph with conditional edges",
    graph((i) => ({ source: "n0", target: `n${i + 1}`, conditional: true })),
  ],
  [
    "a chain of n8n",
    n8n(
      (i) => ({ parameters: { a: `={{ $('n${i - 1}').item.json.x }}` } }),
      (size) => objectOf(size - 1, (i) => [`n${i}`, to(i + 1)]),
    ),
  ],
  // Each name is the same id after its characters are replaced.
  [
    "names with the same id",
    n8n((i) => ({
      name: `-${String.fromCodePoint(0x1f300 + (i % 700), 0x2190 + Math.floor(i / 700))}`,
    })),
  ],
  [
    "expressions of n8n that do not end",
    n8n((i) => ({ parameters: { a: `={{${"{{".repeat(i % 9)}` } })),
  ],
  ["templates of pflow that do not end", text((size) => "${".repeat(size))],
  ["templates of pflow with braces", text((size) => `\${${"{a}".repeat(size)}`)],
  ["templates of pflow inside another", text((size) => `\${${"${a}".repeat(size)}`)],
  [
    "a chain of ComfyUI",
    imported((size) =>
      objectOf(size, (i) => [i + 1, { class_type: "A", inputs: { a: [String(i + 2), 0] } }]),
    ),
  ],
];
