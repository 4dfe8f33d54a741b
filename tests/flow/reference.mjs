// Reference interpreter of workflows: runs one step after another over a flat store, renamed only by the
// author's own mappings. Readable, not fast.

/** Returns a node's ports: its own if declared, else those of its type. */
export function portsOf(node, registry) {
  const of = (what) => node[what] ?? registry[node.type]?.[what] ?? [];
  return { inputs: of("inputs").map((port) => port.key), outputs: of("outputs") };
}

/** Returns the name that the author's mappings give to a key. */
export function authored(workflow, node, what, key) {
  return workflow.mappings?.[node.id]?.[what]?.[key] ?? key;
}

/**
 * Returns the stored name of each output of a mapped workflow (rules 4 to 7):
 * `{names: {id: {key: name}}, conflict}`.
 */
export function nameOutputs(workflow, registry, prefix = "{node}_{key}") {
  const all = workflow.nodes.map((node) => {
    const { inputs, outputs } = portsOf(node, registry);
    const reads = inputs.map((key) => authored(workflow, node, "input_mappings", key));
    const writes = outputs.map(({ key }) => [
      key,
      authored(workflow, node, "output_mappings", key),
      workflow.mappings?.[node.id]?.output_mappings?.[key] !== undefined,
    ]);
    return { node, inputs, reads, writes };
  });
  const writers = new Map();
  const explicit = new Map();
  const inUse = new Set([
    ...Object.keys(workflow.inputs ?? {}),
    ...Object.keys(workflow.outputs ?? {}),
  ]);
  let conflict = false;
  for (const { node, inputs, reads, writes } of all) {
    for (const name of [node.id, ...inputs, ...reads]) inUse.add(name);
    for (const [key, name, isExplicit] of writes) {
      inUse.add(key).add(name);
      writers.set(name, (writers.get(name) ?? new Set()).add(node.id));
      if (!isExplicit) continue;
      conflict ||= explicit.has(name);
      explicit.set(name, node.id);
    }
  }
  const names = {};
  for (const { node, reads, writes } of all) {
    names[node.id] = {};
    for (const [key, name, isExplicit] of writes) {
      const own = reads.includes(name);
      conflict ||= own && explicit.has(name) && explicit.get(name) !== node.id;
      names[node.id][key] = name;
      if (isExplicit || own || writers.get(name).size < 2) continue;
      const candidate = prefix.replace(/\{(node|key)\}/g, (_, what) =>
        what === "node" ? node.id : key,
      );
      let unique = candidate;
      for (let number = 2; inUse.has(unique); number += 1) unique = `${candidate}_${number}`;
      inUse.add(unique);
      names[node.id][key] = unique;
    }
  }
  return { names, conflict };
}

/** Returns the edges; a chain in array order by default. */
export function edgesOf({ nodes, edges = [] }) {
  if (edges.length > 0) return edges.map((edge) => ({ action: "default", ...edge }));
  return nodes
    .slice(1)
    .map(({ id }, index) => ({ from: nodes[index].id, to: id, action: "default" }));
}

function startOf(workflow, edges) {
  if (workflow.start_node) return [workflow.start_node];
  const targets = new Set(edges.map(({ to }) => to));
  const free = workflow.nodes.map(({ id }) => id).filter((id) => !targets.has(id));
  return free.length > 0 ? free : [workflow.nodes[0].id];
}

/** Returns the edges without back edges. */
export function forward(workflow) {
  const edges = edgesOf(workflow);
  const state = new Map();
  const kept = [];
  const visit = (id) => {
    state.set(id, "open");
    for (const edge of edges.filter(({ from }) => from === id)) {
      if (state.get(edge.to) === "open") continue;
      kept.push(edge);
      if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(id, "done");
  };
  for (const id of startOf(workflow, edges)) if (!state.has(id)) visit(id);
  return kept;
}

/** Returns topological ranks, ties in array order. */
function ranks(workflow) {
  const edges = forward(workflow);
  const incoming = new Map(workflow.nodes.map(({ id }) => [id, 0]));
  for (const { to } of edges) incoming.set(to, incoming.get(to) + 1);
  const rank = new Map();
  while (rank.size < incoming.size) {
    const next = workflow.nodes.find(({ id }) => !rank.has(id) && incoming.get(id) === 0);
    rank.set(next.id, rank.size);
    for (const { from, to } of edges) if (from === next.id) incoming.set(to, incoming.get(to) - 1);
  }
  return rank;
}

/**
 * Runs a workflow over the flat store, or with `mappings`. `script(id, pass)` returns `{outputs, action}`.
 * Returns `{reads, outputs}`; `reads` has the params, the inputs and the action of each `id#pass`.
 */
export function interpret(workflow, registry, { given, script, parts, mappings }) {
  const nodes = new Map(workflow.nodes.map((node) => [node.id, node]));
  const edges = edgesOf(workflow);
  const { names } = nameOutputs(workflow, registry);
  const rank = ranks(workflow);
  const store = new Map();
  // Last value of each output, by its name after mapping.
  const own = new Map();
  for (const [name, input] of Object.entries(workflow.inputs ?? {})) {
    if (Object.hasOwn(given, name)) store.set(name, given[name]);
    else if (input.default !== undefined) store.set(name, input.default);
  }
  const find = (name) => (own.has(name) ? own.get(name) : store.get(name));
  const resolve = (template) => (parts.has(template) ? fill(parts.get(template), find) : template);
  const reads = {};
  const passes = new Map();
  const pending = new Set(startOf(workflow, edges));
  while (pending.size > 0) {
    const id = [...pending].sort((a, b) => rank.get(a) - rank.get(b))[0];
    pending.delete(id);
    const node = nodes.get(id);
    const pass = (passes.get(id) ?? 0) + 1;
    passes.set(id, pass);
    const { inputs, outputs } = portsOf(node, registry);
    const params = {};
    for (const [key, template] of Object.entries(node.params ?? {})) {
      const value = resolve(template);
      if (value !== undefined) params[key] = value;
    }
    const values = {};
    for (const key of inputs) {
      const supplied = Object.hasOwn(node.params ?? {}, key);
      const name = mappings
        ? (mappings[id]?.input_mappings?.[key] ?? key)
        : authored(workflow, node, "input_mappings", key);
      const value = supplied ? params[key] : store.get(name);
      if (value !== undefined) values[key] = value;
    }
    const result = script(id, pass);
    reads[`${id}#${pass}`] = { params, inputs: values, action: result.action };
    for (const { key } of outputs) {
      if (!Object.hasOwn(result.outputs, key)) continue;
      const value = result.outputs[key];
      own.set(`${id}.${key}`, value);
      if (mappings) {
        const { output_mappings: mapped, output_aliases: aliases } = mappings[id] ?? {};
        store.set(mapped?.[key] ?? key, value);
        if (aliases?.[key] !== undefined) store.set(aliases[key], value);
        continue;
      }
      const name = authored(workflow, node, "output_mappings", key);
      store.set(name, value);
      if (names[id][key] !== name) own.set(names[id][key], value);
    }
    if (result.failure !== undefined) own.set(`${id}.error.message`, result.failure);
    for (const edge of edges) {
      if (edge.from === id && edge.action === result.action) pending.add(edge.to);
    }
  }
  const outputs = {};
  for (const [name, { source }] of Object.entries(workflow.outputs ?? {})) {
    const value = source === undefined ? find(name) : resolve(source);
    if (value !== undefined) outputs[name] = value;
  }
  return { reads, outputs };
}

/** Resolves a template in parts: texts, and lists of names, of which the first one with a value counts. */
function fill(parts, find) {
  const first = (names) => {
    const value = names.map(find).find((one) => one !== undefined && one !== null);
    return value === undefined ? find(names.at(-1)) : value;
  };
  if (parts.length === 1) return first(parts[0]);
  const text = (value) => {
    if (value === undefined || value === null) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return parts.map((part) => (typeof part === "string" ? part : text(first(part)))).join("");
}

/** Reports whether a longer path makes an edge redundant. */
export function hasShortcut(workflow) {
  const edges = forward(workflow);
  const next = (id) => edges.filter(({ from }) => from === id).map(({ to }) => to);
  const reaches = (from, to) => from === to || next(from).some((id) => reaches(id, to));
  return edges.some(({ from, to }) => next(from).some((id) => id !== to && reaches(id, to)));
}

/**
 * Returns the reads of flat names that depend on the order of two concurrent nodes, if every node runs
 * exactly once: `["id name", …]`.
 */
export function ambiguous(workflow, registry, plainReads) {
  const edges = forward(workflow);
  const before = new Map();
  const rank = ranks(workflow);
  const order = [...rank.keys()];
  for (const id of order) {
    const all = new Set();
    for (const { from } of edges.filter(({ to }) => to === id)) {
      all.add(from);
      for (const other of before.get(from)) all.add(other);
    }
    before.set(id, all);
  }
  const ordered = (a, b) => a === b || before.get(a).has(b) || before.get(b).has(a);
  const writers = new Map();
  for (const node of workflow.nodes) {
    for (const { key, optional } of portsOf(node, registry).outputs) {
      const name = authored(workflow, node, "output_mappings", key);
      writers.set(name, [...(writers.get(name) ?? []), { id: node.id, optional }]);
    }
  }
  const found = [];
  for (const [reader, name] of plainReads) {
    const all = writers.get(name) ?? [];
    // An output of the workflow is read after all nodes.
    const isBefore = ({ id }) => reader === null || before.get(reader).has(id);
    const reaching = all.filter(
      (one) =>
        isBefore(one) &&
        !all.some(
          (other) => !other.optional && isBefore(other) && before.get(other.id).has(one.id),
        ),
    );
    const parallel = reader !== null && all.some(({ id }) => !ordered(id, reader));
    const meet = reaching.some((one) => reaching.some((other) => !ordered(one.id, other.id)));
    if (parallel || meet) found.push(`${reader} ${name}`);
  }
  return found;
}
