// Mapping and compiling a workflow of 10,000 nodes. The functions of the proposal rename outputs and
// leave the readers as they are; ours also check the workflow, wire every read and plan the run. So the
// output mappings are compared, and nothing else.
import { compileFlow, generateMappings } from "byname";
import { describedNodes, longWorkflow } from "../data/workflow.mjs";
import {
  compileWorkflow,
  detectCollisions,
  generateCollisionMappings,
} from "../opponents/flow-source.mjs";

export default [
  {
    name: "flow-compile",
    title: "map and compile 10,000 flow nodes",
    short: "map and compile flow nodes",
    size: 10_000,
    of: "nodes",
    against: "the source's Python",
    target: { node: 2 },
    sides(size, host) {
      const made = longWorkflow(size);
      const nodes = describedNodes(made);
      return {
        byname: {
          setup: () => ({ compiled: null }),
          run(state) {
            state.compiled = compileFlow(made.workflow, made.registry);
          },
          check({ compiled }) {
            if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics[0]));
          },
          answer: () => outputs(generateMappings(made.workflow, made.registry)),
          teardown: ({ compiled }) => compiled.flow[Symbol.dispose](),
        },
        ...host.peers.flow?.(size, nodes, outputs),
        "the same in JavaScript": {
          run() {
            const mappings = generateCollisionMappings(nodes, detectCollisions(nodes));
            return compileWorkflow(made.workflow, mappings);
          },
          answer: (_, { mappings }) => outputs(mappings),
        },
      };
    },
  },
];

function outputs(mappings) {
  const renamed = Object.entries(mappings).filter(([, { output_mappings: of }]) => of);
  return renamed.map(([id, { output_mappings: of }]) => [id, Object.entries(of).sort()]).sort();
}
