// Functions of the automatic proxy mapping proposal in JavaScript. `get_node` is a look-up in a
// Map, its faster interpretation.

export function detectCollisions(nodes) {
  const outputsByKey = new Map();
  for (const node of nodes) {
    for (const key of node.outputs) {
      const ids = outputsByKey.get(key);
      if (ids) ids.push(node.id);
      else outputsByKey.set(key, [node.id]);
    }
  }
  for (const [key, ids] of outputsByKey) if (ids.length < 2) outputsByKey.delete(key);
  return outputsByKey;
}

export function generateCollisionMappings(nodes, collisions) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const mappings = {};
  for (const [key, ids] of collisions) {
    for (const id of ids) {
      if (byId.get(id).inputs.includes(key)) continue;
      mappings[id] ??= { output_mappings: {} };
      mappings[id].output_mappings[key] = `${id}_${key}`;
    }
  }
  return mappings;
}

/** Adds the mappings to the workflow; the proposal defines no more of compiling. */
export function compileWorkflow(workflow, mappings) {
  return { ...workflow, mappings };
}
