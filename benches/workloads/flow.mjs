// Mapping and compiling a workflow of 10,000 nodes. The functions of the pflow proposal rename
// outputs and do not update the readers. byname also checks the workflow, wires every read and
// plans the run, so only the output mappings of these sides are compared. "a line, in JavaScript"
// also wires reads; its result is compared with all of `generateMappings`.
import { compileFlow, generateMappings } from "byname";
// The WebAssembly core without its facade, which the package does not export.
import { CompiledFlow } from "../../pkg/byname_bg.js";
import { mapLine } from "../baselines/flow-line.mjs";
import {
  compileWorkflow,
  detectCollisions,
  generateCollisionMappings,
} from "../baselines/flow-source.mjs";
import { describedNodes, longWorkflow } from "../data/workflow.mjs";

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
      const generated = longWorkflow(size);
      const nodes = describedNodes(generated);
      const compile = (inputFor) => ({
        setup: () => inputFor(uncached(generated.workflow)),
        run(state) {
          state.compiled = compileFlow(state.workflow, generated.registry);
        },
        check: ({ compiled }) => assertCompiled(compiled.ok),
        answer: ({ workflow }) => outputs(generateMappings(workflow, generated.registry)),
        teardown: ({ compiled }) => compiled.flow[Symbol.dispose](),
      });
      return {
        byname: compile((workflow) => ({ workflow })),
        ...host.peers.flow?.(size, nodes, outputs),
        "byname, given JSON text": compile((workflow) => ({ workflow: JSON.stringify(workflow) })),
        "the same in JavaScript": {
          run() {
            const mappings = generateCollisionMappings(nodes, detectCollisions(nodes));
            return compileWorkflow(generated.workflow, mappings);
          },
          answer: (_, { mappings }) => outputs(mappings),
        },
        "a line, in JavaScript": {
          run: () => mapLine(generated.workflow, generated.registry),
          check: (_, { mappings }) => assertSameMappings(mappings, generated),
          answer: (_, { mappings }) => outputs(mappings),
        },
      };
    },
  },
  {
    ...shared,
    name: "flow-core",
    title: "the same, only the core: from bytes to a flow",
    growth: false,
    // No baseline runs in Chromium.
    hosts: ["node"],
    target: { node: 10 },
    sides(size, host) {
      const generated = longWorkflow(size);
      return {
        byname: {
          setup: () => ({ request: requestOf(uncached(generated.workflow), generated.registry) }),
          run(state) {
            state.flow = CompiledFlow.compile(...state.request);
          },
          check: ({ flow }) => assertCompiled(flow.is_ok()),
          teardown: ({ flow }) => flow.free(),
        },
        ...withoutAnswers(host.peers.flow?.(size, describedNodes(generated), outputs)),
      };
    },
  },
];

let counter = 0;

// Renames the first input, because the core caches the naming of recent workflows.
function uncached(workflow) {
  return { ...workflow, inputs: { [`input ${counter++}`]: {} } };
}

function requestOf(workflow, registry) {
  const bytes = (value) => encoder.encode(JSON.stringify(value));
  return [bytes(workflow), false, bytes({ registry, options: {} })];
}

function assertCompiled(is) {
  if (!is) throw new Error("the workflow does not compile");
}

function assertSameMappings(mappings, { workflow, registry }) {
  const ours = generateMappings(workflow, registry);
  const sorted = (of) => JSON.stringify(Object.entries(of).map(([id, node]) => [id, byKey(node)]));
  if (sorted(mappings) !== sorted(ours)) throw new Error("the mappings of the line differ");
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
