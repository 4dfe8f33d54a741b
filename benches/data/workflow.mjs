// Long line of workflow nodes that mostly write the same names; every third reads and writes one
// name, which so cannot be renamed.

const types = {
  call: { inputs: ["prompt"], outputs: ["response", "status"] },
  digest: { inputs: ["response"], outputs: ["summary"] },
  cache: { inputs: ["cache"], outputs: ["cache", "hits"] },
};
const names = Object.keys(types);

/** Returns `{ workflow, registry }` with a number of nodes. */
export function longWorkflow(size) {
  const nodes = Array.from({ length: size }, (_, at) => ({
    id: `${names[at % 3]}-${at}`,
    type: names[at % 3],
    params: { note: `step ${at}` },
  }));
  return { workflow: { nodes }, registry: types };
}

/** Returns the nodes for the functions of the proposal: with their reads and writes. */
export function describedNodes({ workflow, registry }) {
  return workflow.nodes.map(({ id, type }) => ({ id, ...registry[type] }));
}
