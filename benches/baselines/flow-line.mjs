// Mapping like byname in plain JavaScript for one kind of workflow: a line of nodes without edges,
// templates or author mappings. It checks the workflow, names the outputs and finds the last writer
// of each read with one look-up.

/**
 * Returns `{ mappings, faults }` of a workflow; the mappings are like those of `generateMappings`.
 */
export function mapLine({ nodes }, registry) {
  const faults = [];
  const ids = new Set();
  const writers = new Map();
  const taken = new Set();
  for (const { id, type } of nodes) {
    if (typeof id !== "string" || id === "" || ids.has(id)) faults.push(`not an id: ${id}`);
    ids.add(id);
    const declared = registry[type];
    if (declared === undefined) {
      faults.push(`no such type: ${type}`);
      continue;
    }
    for (const key of declared.inputs) taken.add(key);
    for (const key of declared.outputs) {
      taken.add(key);
      writers.set(key, (writers.get(key) ?? 0) + 1);
    }
  }
  const mappings = {};
  const last = new Map();
  for (const { id, type, params } of nodes) {
    const { inputs = [], outputs = [] } = registry[type] ?? {};
    let mapped;
    for (const key of inputs) {
      const stored = last.get(key);
      if (stored === undefined || stored === key || params[key] !== undefined) continue;
      mapped ??= {};
      mapped.input_mappings ??= {};
      mapped.input_mappings[key] = stored;
    }
    for (const key of outputs) {
      const own = writers.get(key) > 1 && !inputs.includes(key);
      const stored = own ? free(`${id}_${key}`, taken) : key;
      last.set(key, stored);
      if (!own) continue;
      mapped ??= {};
      mapped.output_mappings ??= {};
      mapped.output_mappings[key] = stored;
    }
    if (mapped) mappings[id] = mapped;
  }
  return { mappings, faults };
}

function free(wanted, taken) {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
