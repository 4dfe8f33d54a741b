import {
  buildContext,
  compileFlow,
  type Diagnostic,
  detectCollisions,
  type Flow,
  type Json,
} from "byname";
import type { Link } from "./layout.js";
import { namesIn } from "./template-names.js";
import type { Collision, NodeMappings } from "./types.js";

type Row = { [name: string]: Json };

/** What a node reads. */
export interface Read {
  /** As it is written: the key, or `$name` in a template. */
  words: string;
  /** The name in one flat store. */
  plain: string;
  /** The name that it is read from after mapping; nothing before there is one. */
  from: string | null;
  /** A param supplies it, so it reads nothing. */
  given: boolean;
}

/** What a node writes. */
export interface Write {
  key: string;
  /** The name in one flat store: the key, where nobody maps it. */
  plain: string;
  name: string | null;
  /** The plain name, where it is written besides. */
  alias: string | null;
  /** How many nodes write the plain name. */
  writers: number;
  optional: boolean;
}

export interface Box {
  id: string;
  type: string;
  purpose: string;
  /** In a word or two: a batch, retries, a time limit. */
  marks: string[];
  /** It has a time limit. */
  limited: boolean;
  reads: Read[];
  writes: Write[];
}

/** A workflow as it is drawn, before and after. */
export interface Shape {
  boxes: Box[];
  links: Link[];
  starts: number[];
  inputs: string[];
  outputs: { name: string; reads: Read[] }[];
  collisions: Collision[];
  mappings: { [node: string]: NodeMappings };
  /** Whether there is an "after". */
  mapped: boolean;
  /** Reads that follow a new name, or a plain one that is written besides: renaming alone breaks them. */
  rewired: number;
}

/** A workflow that was compiled, as far as it went. */
export interface Compiled {
  flow: Flow | null;
  diagnostics: Diagnostic[];
  shape: Shape | null;
  /** Milliseconds that compiling took. */
  time: number;
}

/** Compiles the text. What cannot be compiled is drawn as it is written, if it is a workflow at all. */
export function compiled(text: string, registry: Row): Compiled {
  const start = performance.now();
  const answer = compileFlow(text, registry);
  const time = performance.now() - start;
  const { diagnostics } = answer;
  if (!answer.ok) return { flow: null, diagnostics, shape: written(text, registry), time };
  const { flow } = answer;
  const { nodes, links, graph } = flow.toJSON() as { nodes: Row[]; links: Row[]; graph: Row };
  const collisions = detectCollisions(text, registry);
  // What an author mapped is not told apart from the rest, so it is read where it is written.
  const mappings = parsed(text)["mappings"] ?? {};
  const shape = shapeOf({ ...graph, nodes, mappings }, links, registry, collisions, true);
  resolve(shape, text, registry);
  shape.rewired = rewired(shape);
  return { flow, diagnostics, shape, time };
}

/** What stands in a text that has faults. */
function written(text: string, registry: Row): Shape | null {
  const workflow = parsed(text);
  const nodes = list(workflow["nodes"]).map(record);
  if (nodes.length === 0) return null;
  const edges = list(workflow["edges"]).map(record);
  const chain = nodes.slice(1).map((node, index): Row => {
    return { source: nodes[index]?.["id"] ?? "", target: node["id"] ?? "" };
  });
  const links = edges.map(({ from, to, action }): Row => {
    return { source: from ?? "", target: to ?? "", action: action ?? "default" };
  });
  const shape = shapeOf(workflow, edges.length > 0 ? links : chain, registry, [], false);
  const writers = new Map<string, Set<string>>();
  for (const { id, writes } of shape.boxes) {
    for (const { plain } of writes) writers.set(plain, (writers.get(plain) ?? new Set()).add(id));
  }
  for (const [key, ids] of writers) {
    if (ids.size > 1) shape.collisions.push({ key, writers: [...ids] });
  }
  count(shape);
  return shape;
}

function shapeOf(
  workflow: Row,
  links: readonly Row[],
  registry: Row,
  collisions: Collision[],
  mapped: boolean,
): Shape {
  const nodes = list(workflow["nodes"]).map(record);
  const place = new Map(nodes.map((node, index) => [String(node["id"]), index]));
  const inputs = Object.keys(record(workflow["inputs"]));
  const shape: Shape = {
    boxes: nodes.map((node) => boxOf(node, registry, record(workflow["mappings"]), mapped)),
    links: links.flatMap(({ source, target, action }) => {
      const [from, to] = [place.get(String(source)), place.get(String(target))];
      const known = from !== undefined && to !== undefined;
      return known ? [{ from, to, action: String(action ?? "default") }] : [];
    }),
    starts: [],
    inputs,
    outputs: [],
    collisions,
    mappings: {},
    mapped,
    rewired: 0,
  };
  const begin = place.get(String(workflow["start_node"]));
  const led = new Set(shape.links.map(({ to }) => to));
  shape.starts =
    begin === undefined ? nodes.map((_, index) => index).filter((one) => !led.has(one)) : [begin];
  if (shape.starts.length === 0 && nodes.length > 0) shape.starts = [0];
  count(shape);
  templates(shape, nodes, record(workflow["outputs"]));
  for (const node of nodes) {
    const { output_mappings, input_mappings, output_aliases } = node as NodeMappings;
    if (!output_mappings && !input_mappings && !output_aliases) continue;
    shape.mappings[String(node["id"])] = {
      ...(output_mappings && { output_mappings }),
      ...(input_mappings && { input_mappings }),
      ...(output_aliases && { output_aliases }),
    };
  }
  return shape;
}

function boxOf(node: Row, registry: Row, explicit: Row, mapped: boolean): Box {
  const id = String(node["id"] ?? "?");
  const type = String(node["type"] ?? "?");
  const known = record(registry[type]);
  const params = record(node["params"]);
  const own = record(explicit[id]);
  const { output_mappings = {}, input_mappings = {}, output_aliases = {} } = node as NodeMappings;
  const ports = (what: string): Row[] =>
    list(node[what] ?? known[what]).map((one) =>
      typeof one === "string" ? { key: one } : record(one),
    );
  const retry = Number(record(node["retry"])["max_attempts"] ?? 1);
  const batch = record(node["batch"]);
  return {
    id,
    type,
    purpose: String(node["purpose"] ?? ""),
    marks: [
      ...("items" in batch ? [`for each ${String(batch["as"] ?? "item")}`] : []),
      ...(retry > 1 ? [`up to ${retry} tries`] : []),
      ...(typeof node["timeout_ms"] === "number" ? [`${node["timeout_ms"]} ms at most`] : []),
    ],
    limited: typeof node["timeout_ms"] === "number",
    reads: ports("inputs").map(({ key }): Read => {
      const words = String(key);
      const plain = String(record(own["input_mappings"])[words] ?? words);
      const from = mapped ? (input_mappings[words] ?? words) : null;
      return { words, plain, from, given: Object.hasOwn(params, words) };
    }),
    writes: ports("outputs").map(({ key, optional }): Write => {
      const words = String(key);
      const plain = String(record(own["output_mappings"])[words] ?? words);
      const name = mapped ? (output_mappings[words] ?? words) : null;
      const alias = output_aliases[words] ?? null;
      return { key: words, plain, name, alias, writers: 1, optional: optional === true };
    }),
  };
}

function count(shape: Shape): void {
  const writers = new Map(shape.collisions.map(({ key, writers: ids }) => [key, ids.length]));
  for (const { writes } of shape.boxes) {
    for (const write of writes) write.writers = writers.get(write.plain) ?? 1;
  }
}

/** What templates read. A name that the mapping gave says which key it is. */
function templates(shape: Shape, nodes: readonly Row[], outputs: Row): void {
  const plain = new Map<string, string>(shape.inputs.map((name) => [name, name]));
  for (const { writes } of shape.boxes)
    for (const write of writes) plain.set(write.plain, write.plain);
  const known = new Map(plain);
  for (const { id, writes } of shape.boxes) {
    for (const write of writes) {
      known.set(`${id}.${write.key}`, write.name ?? write.plain);
      if (write.name !== null && !plain.has(write.name)) plain.set(write.name, write.plain);
      if (write.name !== null) known.set(write.name, write.name);
    }
  }
  const names = new Set(known.keys());
  const readsOf = (value: Json | undefined, but: string | null): Read[] =>
    namesIn(value, names)
      .filter((name) => name !== but)
      .map((name): Read => {
        const from = known.get(name) ?? name;
        const reads = { words: `$${name}`, plain: plain.get(from) ?? from, given: false };
        return { ...reads, from: shape.mapped ? from : null };
      });
  nodes.forEach((node, index) => {
    const batch = record(node["batch"]);
    const as = "items" in batch ? String(batch["as"] ?? "item") : null;
    const found = readsOf([node["params"] ?? null, batch["items"] ?? null], as);
    shape.boxes[index]?.reads.push(...found);
  });
  shape.outputs = Object.entries(outputs).map(([name, output]) => {
    const source = record(output)["source"] ?? `\${${name}}`;
    return { name, reads: readsOf(source, null) };
  });
}

/**
 * A plain name in a template reads whatever writer reaches it, and the compiled workflow does not
 * tell which. As inputs of their nodes it does, so those are declared for once.
 */
function resolve(shape: Shape, text: string, registry: Row): void {
  const renamed = new Set(
    shape.boxes.flatMap(({ writes }) =>
      writes.flatMap(({ name, plain }) => (name === plain ? [] : [plain])),
    ),
  );
  const open = shape.boxes.map(({ reads }) =>
    reads.filter(({ words, from }) => words.startsWith("$") && from !== null && renamed.has(from)),
  );
  if (open.every((reads) => reads.length === 0)) return;
  const workflow = parsed(text);
  const nodes = list(workflow["nodes"])
    .map(record)
    .map((node, index) => {
      const more = open[index]?.map(({ plain }) => plain) ?? [];
      const inputs = list(node["inputs"] ?? record(registry[String(node["type"])])["inputs"]);
      return more.length === 0 ? node : { ...node, inputs: [...inputs, ...more] };
    });
  const context = buildContext(text, registry);
  const answer = compileFlow({ ...workflow, nodes }, registry, { context });
  if (!answer.ok) return;
  const wired = (answer.flow.toJSON() as { nodes: Row[] }).nodes;
  answer.flow[Symbol.dispose]();
  open.forEach((reads, index) => {
    const { input_mappings = {} } = (wired[index] ?? {}) as NodeMappings;
    for (const read of reads) read.from = input_mappings[read.plain] ?? read.plain;
  });
}

/** Reads that would see another value, or none, if outputs were renamed and nothing else done. */
function rewired({ boxes, outputs }: Shape): number {
  const kept = new Set<string>();
  const renamed = new Set<string>();
  for (const { name, plain } of boxes.flatMap(({ writes }) => writes)) {
    if (name === plain) kept.add(plain);
    else renamed.add(plain);
  }
  const broken = ({ given, plain, from, words }: Read): boolean => {
    if (given || from === null) return false;
    // What names its writer is right either way.
    if (words.startsWith("$") && words !== `$${plain}`) return false;
    if (from !== plain) return renamed.has(plain);
    // Beside a writer that kept the key it may be that one's value; that is not counted.
    return renamed.has(plain) && !kept.has(plain);
  };
  const shown = outputs.flatMap((one) => one.reads);
  return [...boxes.flatMap((box) => box.reads), ...shown].filter(broken).length;
}

/** A text as an object; one that is no JSON holds nothing. */
function parsed(text: string): Row {
  try {
    return record(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function record(value: Json | undefined): Row {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
