// Constructs of workflows: compiling, context, and running.
import { buildContext, compileFlow, detectCollisions, resolveTemplate } from "byname";
import { each, objectOf, times } from "./measure.mjs";

const registry = {
  work: {
    description: "",
    inputs: [{ key: "x", optional: true }],
    outputs: [{ key: "x" }, { key: "y" }],
  },
};
const node = (i, more) => ({ id: `n${i}`, type: "work", ...more });
const line = (size) => times(size - 1, (i) => ({ from: `n${i}`, to: `n${i + 1}` }));

/** Returns the measurement of compiling a workflow: `make` returns nodes, edges, and types of its own. */
function compile(make, act = compileFlow) {
  return (size) => {
    const { types, nodes, edges, ...more } = make(size);
    const workflow = JSON.stringify({
      nodes,
      ...(edges && { edges }),
      start_node: nodes[0]?.id,
      ...more,
    });
    const known = types ?? registry;
    return () => void act(workflow, known);
  };
}

const chain = (more) =>
  compile((size) => ({ nodes: times(size, (i) => node(i, more?.(i, size))), edges: line(size) }));
const ports = (size, key) => times(size, (i) => ({ key: key(i) }));

const branching = {
  start: { description: "", inputs: [], outputs: [] },
  branch: { description: "", inputs: [], outputs: [{ key: "x" }] },
  join: { description: "", inputs: [], outputs: [{ key: "all" }] },
};
const branches = (size) =>
  times(size, (i) => ({ id: `b${i}`, type: "branch", output_mappings: { x: `x${i}` } }));
const join = (size) => ({
  id: "j",
  type: "join",
  params: { all: times(size, (i) => `\${b${i}.x}`) },
});

/** A node that reads an output of each of the branches that it joins. */
const joined = (action) =>
  compile((size) => ({
    types: branching,
    nodes: [{ id: "s", type: "start" }, ...branches(size), join(size)],
    edges: [
      ...times(size, (i) => ({ from: "s", to: `b${i}`, action: action(i) })),
      ...times(size, (i) => ({ from: `b${i}`, to: "j" })),
    ],
  }));

/** A chain whose nodes have one node for their errors. */
const handled = (nodes) =>
  compile((size) => ({
    types: branching,
    nodes: nodes(size),
    edges: [
      ...times(size - 1, (i) => ({ from: `b${i}`, to: `b${i + 1}` })),
      ...times(size, (i) => ({ from: `b${i}`, to: "j", action: "error" })),
    ],
  }));

export const FLOWS = [
  ["a chain", chain()],
  ["nodes without edges", compile((size) => ({ nodes: times(size, (i) => node(i)) }))],
  [
    "nodes that all start the workflow",
    compile((size) => ({
      nodes: times(size, (i) => node(i)),
      start_node: times(size, (i) => `n${i}`),
    })),
    // The search for races ends at a number of steps that small sizes do not reach.
    1 / 4,
  ],
  [
    "parallel edges",
    compile((size) => ({
      nodes: [node(0), node(1)],
      edges: times(size, (i) => ({ from: "n0", to: "n1", action: `a${i}` })),
    })),
  ],
  [
    "equal edges",
    compile((size) => ({
      nodes: [node(0), node(1)],
      edges: times(size, () => ({ from: "n0", to: "n1" })),
    })),
  ],
  [
    "a star",
    compile((size) => ({
      nodes: times(size, (i) => node(i)),
      edges: times(size - 1, (i) => ({ from: "n0", to: `n${i + 1}`, action: `a${i}` })),
    })),
  ],
  ["a node that reads each of the branches it joins", joined((i) => `a${i}`)],
  [
    "a node that reads each of the concurrent branches it joins",
    joined(() => "default"),
    // The search for races ends at a number of steps that small sizes do not reach.
    1 / 4,
  ],
  ["an error handler that reads each node", handled((size) => [...branches(size), join(size)])],
  [
    "an error handler that reads what each node writes",
    handled((size) => [
      ...times(size, (i) => ({ id: `b${i}`, type: "branch" })),
      { id: "j", type: "join", params: { all: "$x" } },
    ]),
  ],
  [
    "a tree",
    compile((size) => ({
      nodes: times(size, (i) => node(i)),
      edges: times(size - 1, (i) => ({ from: `n${i >> 1}`, to: `n${i + 1}`, action: `a${i % 2}` })),
    })),
  ],
  [
    "loops",
    compile((size) => ({
      nodes: times(size, (i) => node(i)),
      edges: [
        ...line(size),
        ...times(Math.floor(size / 2), (i) => ({
          from: `n${size - 1 - i}`,
          to: `n${i}`,
          action: "again",
        })),
      ],
    })),
  ],
  [
    "unknown ends of edges",
    compile((size) => ({
      nodes: times(size, (i) => node(i)),
      edges: times(size, (i) => ({ from: `n${i}`, to: `m${i}` })),
    })),
  ],
  [
    "a long id and unknown ends of edges",
    compile((size) => ({
      nodes: [node(0), { id: "1".repeat(16 * size), type: "work" }],
      edges: times(size, (i) => ({ from: "n0", to: `${i}` })),
    })),
  ],
  ["equal ids", compile((size) => ({ nodes: times(size, () => node(0)) }))],
  ["unknown types", chain((i) => ({ type: `wrok${i}` }))],
  [
    "types of a registry",
    compile((size) => ({
      types: objectOf(size, (i) => [`t${i}`, registry.work]),
      nodes: times(size, (i) => node(i, { type: `t${i}` })),
      edges: line(size),
    })),
  ],
  [
    "ports",
    compile((size) => ({
      types: {
        work: {
          description: "",
          inputs: ports(size, (i) => `k${i}`),
          outputs: ports(size, (i) => `k${i}`),
        },
      },
      nodes: [node(0), node(1)],
      edges: line(2),
    })),
  ],
  [
    "equal ports",
    compile((size) => ({
      types: {
        work: { description: "", inputs: ports(size, () => "k"), outputs: ports(size, () => "k") },
      },
      nodes: [node(0)],
    })),
  ],
  [
    "keys of their own",
    compile((size) => ({
      types: objectOf(size, (i) => [
        `t${i}`,
        { description: "", inputs: i ? [{ key: `k${i - 1}` }] : [], outputs: [{ key: `k${i}` }] },
      ]),
      nodes: times(size, (i) => node(i, { type: `t${i}` })),
      edges: line(size),
    })),
  ],
  ["templates", chain((i) => ({ params: { p: `$x and \${n${i - 1}.x}` } }))],
  [
    "many references in one text",
    compile((size) => ({
      nodes: [node(0), node(1, { params: { p: "$x ".repeat(size) } })],
      edges: line(2),
    })),
  ],
  ["unknown references", chain((i) => ({ params: { p: `\${nothing${i}}` } }))],
  [
    "unknown references in one text",
    compile((size) => ({
      nodes: [node(0), node(1, { params: { p: each(size, " ", (i) => `\${nothing${i}}`) } })],
      edges: line(2),
    })),
  ],
  [
    "unclosed references",
    compile((size) => ({ nodes: [node(0, { params: { p: "${".repeat(size) } })] })),
  ],
  [
    "params",
    compile((size) => ({ nodes: [node(0, { params: objectOf(size, (i) => [`k${i}`, "$x"]) })] })),
  ],
  [
    "nested params",
    compile((size) => ({
      nodes: [node(0, { params: { p: times(size, () => ({ q: ["$x"] })) } })],
    })),
  ],
  [
    "unknown keys",
    compile((size) => ({
      nodes: [
        node(
          0,
          objectOf(size, (i) => [`k${i}`, i]),
        ),
      ],
    })),
  ],
  [
    "inputs of the workflow",
    compile((size) => ({ nodes: [node(0)], inputs: objectOf(size, (i) => [`k${i}`, {}]) })),
  ],
  [
    "outputs of the workflow",
    compile((size) => ({ nodes: [node(0)], outputs: objectOf(size, (i) => [`k${i}`, {}]) })),
  ],
  [
    "mappings",
    chain((i) => ({ output_mappings: { x: `x${i}` }, input_mappings: { x: `x${i - 1}` } })),
  ],
  [
    "unknown mappings",
    compile((size) => ({
      nodes: [node(0, { output_mappings: objectOf(size, (i) => [`q${i}`, `r${i}`]) })],
    })),
  ],
  [
    "context",
    compile((size) => ({ nodes: times(size, (i) => node(i)), edges: line(size) }), buildContext),
  ],
  [
    "collisions",
    compile(
      (size) => ({ nodes: times(size, (i) => node(i)), edges: line(size) }),
      detectCollisions,
    ),
  ],
  [
    "a template that is resolved",
    (size) => () => void resolveTemplate("${a} ".repeat(size), { values: { a: 1 } }),
  ],
  [
    "a run",
    (size) => {
      const { flow } = compileFlow(
        JSON.stringify({ nodes: times(size, (i) => node(i)), edges: line(size), start_node: "n0" }),
        registry,
      );
      return () =>
        flow.run({
          inputs: { x: 1 },
          maxSteps: 100_000,
          nodes: { work: () => ({ outputs: { x: 1, y: 2 } }) },
        });
    },
    4,
  ],
];
