// A long line of workflow nodes that nearly all write the same names; every third reads and writes
// one name, so that it has to keep it.

const types = {
  call: { inputs: ["prompt"], outputs: ["response", "status"] },
  digest: { inputs: ["response"], outputs: ["summary"] },
  cache: { inputs: ["cache"], outputs: ["cache", "hits"] },
};
const names = Object.keys(types);

/** `{ workflow, registry }` with that many nodes. */
export function longWorkflow(size) {
  const nodes = Array.from({ length: size }, (_, at) => ({
    id: `${names[at % 3]}-${at}`,
    type: names[at % 3],
    params: { note: `step ${at}` },
  }));
  return { workflow: { nodes }, registry: types };
}

/** The nodes as the functions of the proposal want them: with what they read and write. */
export function describedNodes({ workflow, registry }) {
  return workflow.nodes.map(({ id, type }) => ({ id, ...registry[type] }));
}
