// Random workflows of a shape, with the results of their nodes.

import { Random } from "../random/random.mjs";
import { authored, nameOutputs, portsOf } from "./reference.mjs";

const KEYS = ["response", "data", "status", "x", "y"];

/** Features of each shape. */
export const SHAPES = {
  lines: {},
  chains: { unwritten: true },
  branches: { branches: true },
  jumps: { branches: true, jumps: true },
  loops: { branches: true, loops: true },
  optional: { branches: true, loops: true, optional: true },
  forks: { forks: true },
  "forks with optional outputs": { forks: true, optional: true },
  "forks with ways back": { forks: true, optional: true, back: true },
  everything: { branches: true, loops: true, forks: true, optional: true },
  failures: { branches: true, loops: true, optional: true, errors: true, batches: true },
  "failures in parallel": { forks: true, optional: true, errors: true, batches: true },
  "chains of batches": { unwritten: true, batches: true },
};

/** Returns `{workflow, registry, given, script, parts, plainReads}`. */
export function randomWorkflow(seed, shape) {
  const random = new Random(seed);
  const builder = new WorkflowBuilder(random, shape);
  builder.sequence(1 + random.below(4), KEYS, 0);
  if (shape.jumps) builder.jump();
  if (shape.back) builder.back();
  const { nodes, registry, actions } = builder;
  const workflow = { nodes, edges: builder.edges, start_node: nodes[0].id };
  if (shape.unwritten) {
    delete workflow.edges;
    delete workflow.start_node;
  } else if (random.chance(0.5)) {
    workflow.nodes = shuffled(random, nodes);
  }
  const given = addInputs(random, workflow);
  if (random.chance(0.4)) addMappings(random, workflow, registry);
  const texts = new Texts(random, workflow, registry, actions);
  addParams(random, workflow, registry, texts);
  addOutputs(random, workflow, texts);
  const plainReads = plain(workflow, registry, texts);
  const script = scripted(seed, workflow, registry, actions);
  return { workflow, registry, given, script, parts: texts.parts, plainReads };
}

class WorkflowBuilder {
  nodes = [];
  edges = [];
  registry = {};
  /** Actions of each node, by id. */
  actions = new Map();
  /** Sources of the edges to the next node: `[from, action]`. */
  ends = [];

  constructor(random, shape) {
    this.random = random;
    this.shape = shape;
  }

  node(keys) {
    const { random } = this;
    const id = `n${this.nodes.length}`;
    const some = (share) => keys.filter(() => random.chance(share)).map((key) => ({ key }));
    const inputs = some(this.shape.forks ? 0.25 : 0.35);
    const outputs = some(this.shape.forks ? 0.25 : 0.45);
    if (random.chance(0.03)) outputs.push({ key: `n${random.below(6)}_data` });
    if (this.shape.optional) {
      for (const output of outputs) if (random.chance(0.3)) output.optional = true;
    }
    const node = { id, type: random.chance(0.5) ? `t${id}` : "inline" };
    if (this.shape.batches && random.chance(0.3)) {
      node.batch = { items: ["u", "v", "u"], as: "each" };
      if (random.chance(0.5)) node.batch.on_error = "continue";
    }
    if (node.type === "inline") {
      this.registry.inline = {};
      Object.assign(node, { inputs, outputs });
    } else {
      this.registry[node.type] = { description: "…", inputs, outputs };
    }
    this.nodes.push(node);
    this.actions.set(id, new Set());
    for (const [from, action] of this.ends) this.edge(from, id, action);
    this.ends = [[id, "default"]];
    return id;
  }

  edge(from, to, action) {
    this.edges.push(
      action === "default" && this.random.chance(0.5) ? { from, to } : { from, to, action },
    );
    this.actions.get(from).add(action);
  }

  sequence(length, keys, depth) {
    for (let count = 0; count < length; count += 1) this.item(keys, depth);
  }

  item(keys, depth) {
    const { random, shape } = this;
    const last = this.node(keys);
    if (depth > 1) return;
    const kinds = ["branches", "loops", "forks", "errors"].filter((kind) => shape[kind]);
    if (kinds.length === 0 || random.chance(0.4)) return;
    const kind = random.pick(kinds);
    if (kind === "loops") return this.loop(keys, depth);
    const names = kind === "forks" ? ["default", "default", "default"] : ["yes", "no", "default"];
    const arms = kind === "errors" ? ["default", "error"] : names.slice(0, 2 + random.below(2));
    const ends = [];
    for (const [place, arm] of arms.entries()) {
      this.ends = [[last, arm]];
      // Most workflows would be rejected if all parallel branches used the same keys.
      const own = [`k${depth}${place}`, random.pick(keys)];
      const used = kind === "forks" && random.chance(0.85) ? own : keys;
      this.sequence(random.chance(0.2) ? 0 : 1 + random.below(2), used, depth + 1);
      ends.push(...this.ends);
    }
    // An action without an edge ends a branch.
    if (kind === "branches" && random.chance(0.15)) this.actions.get(last).add("stop");
    const seen = new Set();
    this.ends = ends.filter((end) => !seen.has(`${end}`) && seen.add(`${end}`));
    this.node(keys);
  }

  loop(keys, depth) {
    const head = this.node(keys);
    this.sequence(this.random.below(3), keys, depth + 1);
    const [[last, action]] = this.ends;
    // A loop may end at the same node as its inner loop.
    const again = `again${depth}`;
    if (this.ends.length === 1 && action === "default") this.edge(last, head, again);
    this.node(keys);
  }

  /** Adds unstructured edges, also into loops and out of them. */
  jump() {
    const { random, nodes } = this;
    for (let count = random.below(3); count > 0; count -= 1) {
      this.edge(random.pick(nodes).id, random.pick(nodes).id, `again jump${count}`);
    }
  }

  /** Adds back edges to dominators, also out of branches. */
  back() {
    const { random, nodes } = this;
    for (let count = 1 + random.below(2); count > 0; count -= 1) {
      const from = random.pick(nodes).id;
      const heads = nodes.filter(({ id }) => !this.reached(id).has(from));
      this.edge(from, random.pick(heads).id, `again ${count}`);
    }
  }

  /** Returns the nodes that can be reached from the first one without another one. */
  reached(other) {
    const seen = new Set();
    const open = [this.nodes[0].id];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === other || seen.has(id)) continue;
      seen.add(id);
      open.push(...this.edges.filter(({ from }) => from === id).map(({ to }) => to));
    }
    return seen;
  }
}

function shuffled(random, list) {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]);
}

function addInputs(random, workflow) {
  const given = {};
  workflow.inputs = {};
  for (const key of [...KEYS, "topic"]) {
    if (!random.chance(0.25)) continue;
    workflow.inputs[key] = random.chance(0.3) ? { default: `default ${key}` } : {};
    if (random.chance(0.8)) given[key] = random.chance(0.5) ? `given ${key}` : { of: [key] };
  }
  return given;
}

function addMappings(random, workflow, registry) {
  const mappings = {};
  const fresh = ["m0", "m1", "m2", random.pick(KEYS)];
  for (const node of workflow.nodes) {
    const { outputs } = portsOf(node, registry);
    if (outputs.length === 0 || !random.chance(0.2)) continue;
    const [target] = fresh.splice(random.below(fresh.length), 1);
    if (target === undefined) break;
    mappings[node.id] = { output_mappings: { [random.pick(outputs).key]: target } };
  }
  workflow.mappings = mappings;
  const written = flatNames(workflow, registry);
  for (const node of workflow.nodes) {
    const { inputs } = portsOf(node, registry);
    if (inputs.length === 0 || written.length === 0 || !random.chance(0.2)) continue;
    mappings[node.id] ??= {};
    mappings[node.id].input_mappings = { [random.pick(inputs)]: random.pick(written) };
  }
}

/** Returns every name of the flat store. */
function flatNames(workflow, registry) {
  const names = new Set(Object.keys(workflow.inputs ?? {}));
  for (const node of workflow.nodes) {
    for (const { key } of portsOf(node, registry).outputs) {
      names.add(authored(workflow, node, "output_mappings", key));
    }
  }
  return [...names];
}

/** Maker of templates of existing names, with their parts. */
class Texts {
  parts = new Map();

  constructor(random, workflow, registry, actions) {
    this.random = random;
    this.plain = new Set(flatNames(workflow, registry));
    const { names } = nameOutputs(workflow, registry);
    const all = Object.values(names).flatMap((mapped) => Object.values(mapped));
    const failing = [...actions].filter(([, own]) => own.has("error"));
    const failures = failing.map(([id]) => `${id}.error.message`);
    const qualified = workflow.nodes.flatMap((node) =>
      portsOf(node, registry).outputs.map(({ key }) => `${node.id}.${key}`),
    );
    this.names = [...new Set([...this.plain, ...all, ...failures, ...qualified])];
  }

  make() {
    const { random, names } = this;
    const name = () => Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => random.pick(names));
    const parts = random.chance(0.5) ? [name()] : ["a ", name(), " and ", name()];
    const write = (options) =>
      options.length > 1 || random.chance(0.5) ? `\${${options.join(" ?? ")}}` : `$${options[0]}`;
    const text = parts.map((part) => (typeof part === "string" ? part : write(part))).join("");
    this.parts.set(text, parts);
    return text;
  }
}

function addParams(random, workflow, registry, texts) {
  for (const node of workflow.nodes) {
    const { inputs } = portsOf(node, registry);
    if (texts.names.length === 0 || !random.chance(0.35)) continue;
    node.params = {};
    if (random.chance(0.6)) node.params.prompt = texts.make();
    if (inputs.length > 0 && random.chance(0.4)) {
      node.params[random.pick(inputs)] = random.chance(0.3) ? 7 : texts.make();
    }
  }
}

function addOutputs(random, workflow, texts) {
  workflow.outputs = {};
  // Names of outputs are not available for generated names.
  for (const name of texts.plain) {
    if (random.chance(0.3)) workflow.outputs[name] = {};
  }
  for (const name of ["answer", "other"]) {
    if (texts.names.length === 0 || random.chance(0.7)) continue;
    workflow.outputs[name] = { source: texts.make() };
  }
}

/** Returns the reads of flat names: `[id, name]`, with null for the outputs of the workflow. */
function plain(workflow, registry, texts) {
  const reads = [];
  const named = (reader, template) => {
    for (const part of texts.parts.get(template) ?? []) {
      if (typeof part === "string") continue;
      for (const name of part) if (texts.plain.has(name)) reads.push([reader, name]);
    }
  };
  for (const node of workflow.nodes) {
    const params = node.params ?? {};
    for (const template of Object.values(params)) named(node.id, template);
    for (const key of portsOf(node, registry).inputs) {
      if (Object.hasOwn(params, key)) continue;
      reads.push([node.id, authored(workflow, node, "input_mappings", key)]);
    }
  }
  for (const [name, { source }] of Object.entries(workflow.outputs)) {
    if (source !== undefined) named(null, source);
    else if (texts.plain.has(name)) reads.push([null, name]);
  }
  return reads;
}

/** Returns the results of the nodes: a function of the node and the pass. */
function scripted(seed, workflow, registry, actions) {
  const nodes = new Map(workflow.nodes.map((node) => [node.id, node]));
  return (id, pass) => {
    const chance = new Random(seed + pass * 7919 + Number(id.slice(1)) * 104_729);
    const outputs = {};
    for (const { key, optional } of portsOf(nodes.get(id), registry).outputs) {
      if (optional && chance.chance(0.5)) continue;
      outputs[key] = chance.chance(0.2) ? { [key]: [id, pass] } : `${id} ${key} ${pass}`;
    }
    const { batch } = nodes.get(id);
    if (batch) {
      // The value of a failed item is null.
      const failed = batch.on_error && chance.chance(0.5) ? chance.below(batch.items.length) : -1;
      for (const key of Object.keys(outputs)) {
        outputs[key] = batch.items.map((item, at) =>
          at === failed ? null : `${id} ${key} ${pass} ${item}${at}`,
        );
      }
    }
    // Ends loops.
    const all = [...(actions.get(id) ?? [])].filter(
      (action) => pass < 4 || !action.startsWith("again"),
    );
    const action = all.length > 0 ? chance.pick(all) : "default";
    // With this policy a batch has no failure of its own.
    if (action === "error" && batch?.on_error) return { outputs, action: "default" };
    if (action === "error") return { outputs: {}, action, failure: `${id} broke ${pass}` };
    return { outputs, action };
  };
}
