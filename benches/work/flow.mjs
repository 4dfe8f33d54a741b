// Mapping and compiling a workflow of 10,000 nodes. The functions of the proposal rename outputs and
// leave the readers as they are; ours also check the workflow, wire every read and plan the run. So of
// these sides the output mappings are compared. "a line, in JavaScript" wires the reads too, and what
// it answers is all that `generateMappings` does.
import { compileFlow, generateMappings } from "byname";
// The core without what stands around it, which the package does not export.
import { CompiledFlow } from "../../pkg/byname_bg.js";
import { describedNodes, longWorkflow } from "../data/workflow.mjs";
import { mapLine } from "../opponents/flow-line.mjs";
import {
  compileWorkflow,
  detectCollisions,
  generateCollisionMappings,
} from "../opponents/flow-source.mjs";

const encoder = new TextEncoder();

const shared = { size: 10_000, of: "nodes", against: "the source's Python" };

export default [
  {
    ...shared,
    name: "flow-compile",
    title: "map and compile 10,000 flow nodes",
    short: "map and compile flow nodes",
    target: { node: 2 },
    sides(size, host) {
      const made = longWorkflow(size);
      const nodes = describedNodes(made);
      const compile = (given) => ({
        setup: () => given(unseen(made.workflow)),
        run(state) {
          state.compiled = compileFlow(state.workflow, made.registry);
        },
        check: ({ compiled }) => needFlow(compiled.ok),
        answer: ({ workflow }) => outputs(generateMappings(workflow, made.registry)),
        teardown: ({ compiled }) => compiled.flow[Symbol.dispose](),
      });
      return {
        byname: compile((workflow) => ({ workflow })),
        ...host.peers.flow?.(size, nodes, outputs),
        "byname, given JSON text": compile((workflow) => ({ workflow: JSON.stringify(workflow) })),
        "the same in JavaScript": {
          run() {
            const mappings = generateCollisionMappings(nodes, detectCollisions(nodes));
            return compileWorkflow(made.workflow, mappings);
          },
          answer: (_, { mappings }) => outputs(mappings),
        },
        "a line, in JavaScript": {
          run: () => mapLine(made.workflow, made.registry),
          check: (_, { mappings }) => needSame(mappings, made),
          answer: (_, { mappings }) => outputs(mappings),
        },
      };
    },
  },
  {
    ...shared,
    name: "flow-core",
    title: "the same, the core alone: from bytes to a flow",
    growth: false,
    // Nobody to compare with is there elsewhere.
    hosts: ["node"],
    target: { node: 10 },
    sides(size, host) {
      const made = longWorkflow(size);
      return {
        byname: {
          setup: () => ({ request: requestOf(unseen(made.workflow), made.registry) }),
          run(state) {
            state.flow = CompiledFlow.compile(...state.request);
          },
          check: ({ flow }) => needFlow(flow.is_ok()),
          teardown: ({ flow }) => flow.free(),
        },
        ...withoutAnswers(host.peers.flow?.(size, describedNodes(made), outputs)),
      };
    },
  },
];

let seen = 0;

// The core keeps how it named the outputs of the last workflows, so each run has one that is new: its
// first input is called otherwise.
function unseen(workflow) {
  return { ...workflow, inputs: { [`input ${seen++}`]: {} } };
}

function requestOf(workflow, registry) {
  const bytes = (value) => encoder.encode(JSON.stringify(value));
  return [bytes(workflow), false, bytes({ registry, options: {} })];
}

function needFlow(is) {
  if (!is) throw new Error("the workflow does not compile");
}

function needSame(mappings, { workflow, registry }) {
  const ours = generateMappings(workflow, registry);
  const sorted = (of) => JSON.stringify(Object.entries(of).map(([id, node]) => [id, byKey(node)]));
  if (sorted(mappings) !== sorted(ours)) throw new Error("the line is mapped otherwise");
}

function byKey(node) {
  return Object.entries(node).sort();
}

function withoutAnswers(sides = {}) {
  const each = Object.entries(sides).map(([name, side]) => [name, { ...side, answer: undefined }]);
  return Object.fromEntries(each);
}

function outputs(mappings) {
  const renamed = Object.entries(mappings).filter(([, { output_mappings: of }]) => of);
  return renamed.map(([id, { output_mappings: of }]) => [id, Object.entries(of).sort()]).sort();
}
