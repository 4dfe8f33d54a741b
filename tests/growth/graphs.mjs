// Constructs of the readers of graphs.
import { Graph } from "byname";
import { each, objectOf, times } from "./measure.mjs";

/** Returns the measurement of reading a source, which may be invalid. */
function read(make, method = "from") {
  return (size) => {
    const source = make(size);
    return () => {
      try {
        Graph[method](source);
      } catch (error) {
        if (!Array.isArray(error.diagnostics)) throw error;
      }
    };
  };
}

const json = (make) => read((size) => JSON.stringify(make(size)));
const graphml = (inner) => read((size) => `<graphml>${inner(size)}</graphml>`, "fromGraphML");
const gexf = (inner) =>
  read((size) => `<gexf version="1.3"><graph>${inner(size)}</graph></gexf>`, "fromGexf");
const nodes = (size) => times(size, (i) => ({ id: `n${i}`, name: `N${i}` }));
const links = (size) => times(size, (i) => ({ source: `n${i}`, target: `n${(i * 7) % size}` }));
const table = (header, part, edges = () => "source,target\n") =>
  read(
    (size) => ({ nodes: `${header(size)}\n${each(size, "\n", part)}`, edges: edges(size) }),
    "fromCsv",
  );

export const GRAPHS = [
  [
    "rows of CSV",
    table(
      () => "id,a,b",
      (i) => `n${i},${i},x`,
      (size) => `source,target\n${each(size, "\n", (i) => `n${i},n${(i * 7) % size}`)}`,
    ),
  ],
  [
    "quoted fields of CSV",
    table(
      () => "id,a",
      (i) => `n${i},"a ""b"" ${i}"`,
    ),
  ],
  [
    "an unclosed quote of CSV",
    table(
      () => "id,a",
      (i) => `n${i},"a`,
    ),
  ],
  [
    "columns of CSV",
    read(
      (size) => ({
        nodes: `id,${each(size, ",", (i) => `c${i}`)}\na,${each(size, ",", (i) => i)}`,
        edges: "source,target\n",
      }),
      "fromCsv",
    ),
  ],
  [
    "equal columns of CSV",
    read(
      (size) => ({
        nodes: `id,${each(size, ",", () => "c")}\na,${each(size, ",", (i) => i)}`,
        edges: "source,target\n",
      }),
      "fromCsv",
    ),
  ],
  [
    "rows of CSV with few fields",
    table(
      () => "id,a,b,c",
      (i) => `n${i}`,
    ),
  ],
  [
    "rows of CSV with many fields",
    table(
      () => "id",
      (i) => `n${i},x,y`,
    ),
  ],
  [
    "equal ids of CSV",
    table(
      () => "id,a",
      () => "n,1",
    ),
  ],
  [
    "edges of CSV to missing nodes",
    table(
      () => "id,a",
      (i) => `n${i},1`,
      (size) => `source,target\n${each(size, "\n", (i) => `m${i},nn${i}`)}`,
    ),
  ],
  [
    "edges of CSV to similar ids",
    table(
      () => "id,a",
      (i) => `Node ${i},1`,
      (size) => `source,target\n${each(size, "\n", (i) => `node ${i},Node${i}`)}`,
    ),
  ],
  ["node-link JSON", json((size) => ({ nodes: nodes(size), links: links(size) }))],
  [
    "attributes of a node",
    json((size) => ({ nodes: [{ id: "a", ...objectOf(size, (i) => [`k${i}`, i]) }], links: [] })),
  ],
  [
    "node-link JSON with missing nodes",
    json((size) => ({
      nodes: nodes(size),
      links: times(size, (i) => ({ source: `x${i}`, target: `n${i}` })),
    })),
  ],
  [
    "node-link JSON without ids",
    json((size) => ({ nodes: times(size, () => ({ name: "a" })), links: [] })),
  ],
  [
    "invalid items of JSON",
    json((size) => ({ nodes: times(size, (i) => i % 2), links: times(size, () => 1) })),
  ],
  ["unknown keys of JSON", json((size) => objectOf(size, (i) => [`k${i}`, []]))],
  ["a list of edges", json((size) => times(size, (i) => [`n${i}`, `n${i + 1}`]))],
  [
    "Cytoscape",
    json((size) => ({
      elements: {
        nodes: times(size, (i) => ({ data: { id: `n${i}` } })),
        edges: times(size, (i) => ({ data: { id: `e${i}`, source: `n${i}`, target: `n${i}` } })),
      },
    })),
  ],
  ["adjacency lists", json((size) => objectOf(size, (i) => [`n${i}`, [`n${(i + 1) % size}`]]))],
  [
    "nested attributes",
    json((size) => ({ nodes: [{ id: "a", deep: times(size, () => ({ x: [1] })) }], links: [] })),
  ],
  [
    "GraphML",
    graphml(
      (size) =>
        `<graph>${each(size, "", (i) => `<node id="n${i}"/><edge source="n${i}" target="n${(i * 3) % size}"/>`)}</graph>`,
    ),
  ],
  [
    "keys of GraphML",
    graphml(
      (size) =>
        `${each(size, "", (i) => `<key id="k${i}" for="node" attr.name="a${i}"/>`)}<graph><node id="a">${each(size, "", (i) => `<data key="k${i}">1</data>`)}</node></graph>`,
    ),
  ],
  [
    "unknown keys of GraphML",
    graphml(
      (size) =>
        `<graph><node id="a">${each(size, "", (i) => `<data key="k${i}">1</data>`)}</node></graph>`,
    ),
  ],
  [
    "equal ids of GraphML",
    graphml((size) => `<graph>${each(size, "", () => '<node id="n"/>')}</graph>`),
  ],
  [
    "missing ends of GraphML",
    graphml(
      (size) => `<graph>${each(size, "", (i) => `<edge source="a${i}" target="b${i}"/>`)}</graph>`,
    ),
  ],
  ["nested elements", graphml((size) => "<graph>".repeat(size))],
  [
    "attributes of an element",
    graphml((size) => `<graph ${each(size, " ", (i) => `a${i}="1"`)}/>`),
  ],
  ["entities", graphml((size) => `<graph><node id="a">${"&amp;&x;".repeat(size)}</node></graph>`)],
  ["comments", graphml((size) => "<!-- a -->".repeat(size))],
  ["unclosed tags", graphml((size) => "<node ".repeat(size))],
  [
    "GEXF",
    gexf(
      (size) =>
        `<nodes>${each(size, "", (i) => `<node id="n${i}" label="l"/>`)}</nodes><edges>${each(size, "", (i) => `<edge id="e${i}" source="n${i}" target="n${(i * 3) % size}"/>`)}</edges>`,
    ),
  ],
  [
    "attributes of GEXF",
    gexf(
      (size) =>
        `<attributes class="node">${each(size, "", (i) => `<attribute id="${i}" title="t${i}"/>`)}</attributes><nodes><node id="a"><attvalues>${each(size, "", (i) => `<attvalue for="${i}" value="1"/>`)}</attvalues></node></nodes>`,
    ),
  ],
  [
    "export",
    (size) => {
      const graph = Graph.from({ nodes: nodes(size), links: links(size) });
      return () => graph.toJSON();
    },
  ],
  [
    "summary",
    (size) => {
      const graph = Graph.from({ nodes: nodes(size), links: links(size) });
      return () => graph.summary();
    },
  ],
];
