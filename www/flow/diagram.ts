import {
  buildContext,
  compileFlow,
  type Diagnostic,
  detectCollisions,
  type Flow,
  type Json,
  type Registry,
  type Workflow,
} from "byname";
import { asList, asRecord, type JsonRecord } from "../page/json.js";
import type { WorkflowEdge } from "./layout.js";
import { templateNames } from "./template-names.js";
import type { Collision, NodeMappings } from "./types.js";

/** Input of a node, or a name that its templates read. */
export interface ReadPort {
  /** Key, or `$name` in a template. */
  label: string;
  /** Name without mapping. */
  plainName: string;
  /** Name after mapping, or null if the workflow is not mapped. */
  mappedName: string | null;
  /** Whether a param supplies the value, so that nothing is read. */
  isParam: boolean;
}

/** Output of a node. */
export interface WritePort {
  key: string;
  /** Name without generated mappings: the author's mapping, or the key. */
  plainName: string;
  mappedName: string | null;
  /** Unmapped name that the node writes in addition, or null. */
  alias: string | null;
  /** Number of nodes that write the plain name. */
  writers: number;
  optional: boolean;
}

export interface DiagramNode {
  id: string;
  type: string;
  purpose: string;
  /** Short labels: batch, retries, time limit. */
  badges: string[];
  hasTimeLimit: boolean;
  /** Whether its type has a workflow, which the node runs. */
  hasWorkflow: boolean;
  reads: ReadPort[];
  writes: WritePort[];
  /** Names that later nodes can read after a failure of this node. */
  failureNames: string[];
}

/** Parts of the error that the nodes after an error edge can read. */
const errorParts = ["message", "kind", "attempts"];

/** Workflow as it is drawn, before and after mapping. */
export interface WorkflowDiagram {
  nodes: DiagramNode[];
  edges: WorkflowEdge[];
  starts: number[];
  inputs: string[];
  outputs: { name: string; reads: ReadPort[] }[];
  collisions: Collision[];
  mappings: { [node: string]: NodeMappings };
  /** Whether mapped names are known. */
  mapped: boolean;
  /** Number of reads that renaming the outputs alone would break. */
  rewiredReads: number;
}

/** Result of compiling a workflow; `flow` is null if it has errors. */
export interface CompiledWorkflow {
  flow: Flow | null;
  diagnostics: Diagnostic[];
  diagram: WorkflowDiagram | null;
  /** Compile time in milliseconds. */
  time: number;
}

/** Compiles the text. The diagram of an invalid workflow shows it unmapped, or is null. */
export function compileWorkflow(text: string, registry: JsonRecord): CompiledWorkflow {
  const start = performance.now();
  const answer = compileFlow(text, registry as Registry);
  const time = performance.now() - start;
  const { diagnostics } = answer;
  if (!answer.ok)
    return { flow: null, diagnostics, diagram: diagramOfInvalid(text, registry), time };
  const { flow } = answer;
  const { nodes, links, graph } = flow.toJSON() as {
    nodes: JsonRecord[];
    links: JsonRecord[];
    graph: JsonRecord;
  };
  const collisions = detectCollisions(text, registry as Registry);
  // The compiled workflow does not separate the author's mappings, so they are read from the text.
  const mappings = parseObject(text)["mappings"] ?? {};
  const diagram = buildDiagram({ ...graph, nodes, mappings }, links, registry, {
    collisions,
    mapped: true,
  });
  resolveTemplateReads(diagram, text, registry);
  diagram.rewiredReads = countRewired(diagram);
  return { flow, diagnostics, diagram, time };
}

/** Returns the diagram of a workflow with errors, or null if it has no nodes. */
function diagramOfInvalid(text: string, registry: JsonRecord): WorkflowDiagram | null {
  const workflow = parseObject(text);
  const nodes = asList(workflow["nodes"]).map(asRecord);
  if (nodes.length === 0) return null;
  const edges = asList(workflow["edges"]).map(asRecord);
  const chain = nodes.slice(1).map((node, index): JsonRecord => {
    return { source: nodes[index]?.["id"] ?? "", target: node["id"] ?? "" };
  });
  const links = edges.map(({ from, to, action }): JsonRecord => {
    return { source: from ?? "", target: to ?? "", action: action ?? "default" };
  });
  const diagram = buildDiagram(workflow, edges.length > 0 ? links : chain, registry, {
    collisions: [],
    mapped: false,
  });
  const writers = new Map<string, Set<string>>();
  for (const { id, writes } of diagram.nodes) {
    for (const { plainName } of writes)
      writers.set(plainName, (writers.get(plainName) ?? new Set()).add(id));
  }
  for (const [key, ids] of writers) {
    if (ids.size > 1) diagram.collisions.push({ key, writers: [...ids] });
  }
  setWriterCounts(diagram);
  return diagram;
}

function buildDiagram(
  workflow: JsonRecord,
  links: readonly JsonRecord[],
  registry: JsonRecord,
  { collisions, mapped }: Pick<WorkflowDiagram, "collisions" | "mapped">,
): WorkflowDiagram {
  const nodes = asList(workflow["nodes"]).map(asRecord);
  const place = new Map(nodes.map((node, index) => [String(node["id"]), index]));
  const inputs = Object.keys(asRecord(workflow["inputs"]));
  const diagram: WorkflowDiagram = {
    nodes: nodes.map((node) => buildNode(node, registry, asRecord(workflow["mappings"]), mapped)),
    edges: links.flatMap(({ source, target, action }) => {
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
    rewiredReads: 0,
  };
  for (const { from, action } of diagram.edges) {
    const { id = "", failureNames = [] } = diagram.nodes[from] ?? {};
    if (action === "error") failureNames.push(...errorParts.map((part) => `${id}.error.${part}`));
  }
  const begin = place.get(String(workflow["start_node"]));
  const led = new Set(diagram.edges.map(({ to }) => to));
  diagram.starts =
    begin === undefined ? nodes.map((_, index) => index).filter((one) => !led.has(one)) : [begin];
  if (diagram.starts.length === 0 && nodes.length > 0) diagram.starts = [0];
  setWriterCounts(diagram);
  addTemplateReads(diagram, nodes, asRecord(workflow["outputs"]));
  for (const node of nodes) {
    const { output_mappings, input_mappings, output_aliases } = node as NodeMappings;
    if (!output_mappings && !input_mappings && !output_aliases) continue;
    diagram.mappings[String(node["id"])] = {
      ...(output_mappings && { output_mappings }),
      ...(input_mappings && { input_mappings }),
      ...(output_aliases && { output_aliases }),
    };
  }
  return diagram;
}

function buildNode(
  node: JsonRecord,
  registry: JsonRecord,
  explicit: JsonRecord,
  mapped: boolean,
): DiagramNode {
  const id = String(node["id"] ?? "?");
  const type = String(node["type"] ?? "?");
  const known = asRecord(registry[type]);
  const params = asRecord(node["params"]);
  const own = asRecord(explicit[id]);
  const { output_mappings = {}, input_mappings = {}, output_aliases = {} } = node as NodeMappings;
  const ports = (what: string): JsonRecord[] =>
    asList(node[what] ?? known[what]).map((one) =>
      typeof one === "string" ? { key: one } : asRecord(one),
    );
  const retry = Number(asRecord(node["retry"])["max_attempts"] ?? 1);
  const batch = asRecord(node["batch"]);
  return {
    id,
    type,
    purpose: String(node["purpose"] ?? ""),
    badges: [
      ...("items" in batch ? [`for each ${String(batch["as"] ?? "item")}`] : []),
      ...(retry > 1 ? [`up to ${retry} tries`] : []),
      ...(typeof node["timeout_ms"] === "number" ? [`${node["timeout_ms"]} ms at most`] : []),
    ],
    hasTimeLimit: typeof node["timeout_ms"] === "number",
    hasWorkflow: "workflow" in known,
    failureNames: batch["on_error"] === "continue" ? [`${id}.errors`] : [],
    reads: ports("inputs").map(({ key }): ReadPort => {
      const label = String(key);
      const plain = String(asRecord(own["input_mappings"])[label] ?? label);
      const mappedName = mapped ? (input_mappings[label] ?? label) : null;
      return { label, plainName: plain, mappedName, isParam: Object.hasOwn(params, label) };
    }),
    writes: ports("outputs").map(({ key, optional }): WritePort => {
      const words = String(key);
      const plain = String(asRecord(own["output_mappings"])[words] ?? words);
      const mappedName = mapped ? (output_mappings[words] ?? words) : null;
      const alias = output_aliases[words] ?? null;
      return {
        key: words,
        plainName: plain,
        mappedName,
        alias,
        writers: 1,
        optional: optional === true,
      };
    }),
  };
}

function setWriterCounts(diagram: WorkflowDiagram): void {
  const writers = new Map(diagram.collisions.map(({ key, writers: ids }) => [key, ids.length]));
  for (const { writes } of diagram.nodes) {
    for (const write of writes) write.writers = writers.get(write.plainName) ?? 1;
  }
}

/** Adds the names that templates read. A mapped name is resolved to its key. */
function addTemplateReads(
  diagram: WorkflowDiagram,
  nodes: readonly JsonRecord[],
  outputs: JsonRecord,
): void {
  const plain = new Map<string, string>(diagram.inputs.map((name) => [name, name]));
  for (const { writes } of diagram.nodes)
    for (const write of writes) plain.set(write.plainName, write.plainName);
  const known = new Map(plain);
  for (const { id, writes } of diagram.nodes) {
    for (const write of writes) {
      known.set(`${id}.${write.key}`, write.mappedName ?? write.plainName);
      if (write.mappedName !== null && !plain.has(write.mappedName))
        plain.set(write.mappedName, write.plainName);
      if (write.mappedName !== null) known.set(write.mappedName, write.mappedName);
    }
  }
  for (const { failureNames } of diagram.nodes)
    for (const name of failureNames) known.set(name, name);
  const names = new Set(known.keys());
  const readsOf = (value: Json | undefined, but: string | null): ReadPort[] =>
    templateNames(value, names)
      .filter((name) => name !== but)
      .map((name): ReadPort => {
        const from = known.get(name) ?? name;
        const reads = { label: `$${name}`, plainName: plain.get(from) ?? from, isParam: false };
        return { ...reads, mappedName: diagram.mapped ? from : null };
      });
  nodes.forEach((node, index) => {
    const batch = asRecord(node["batch"]);
    const as = "items" in batch ? String(batch["as"] ?? "item") : null;
    const found = readsOf([node["params"] ?? null, batch["items"] ?? null], as);
    diagram.nodes[index]?.reads.push(...found);
  });
  diagram.outputs = Object.entries(outputs).map(([name, output]) => {
    const source = asRecord(output)["source"] ?? `\${${name}}`;
    return { name, reads: readsOf(source, null) };
  });
}

/**
 * Resolves plain names in templates to the writer that reaches them. The compiled workflow reports
 * that for inputs only, so the names are declared as inputs and compiled again.
 */
function resolveTemplateReads(diagram: WorkflowDiagram, text: string, registry: JsonRecord): void {
  const renamed = new Set(
    diagram.nodes.flatMap(({ writes }) =>
      writes.flatMap(({ mappedName: name, plainName: plain }) => (name === plain ? [] : [plain])),
    ),
  );
  const unresolvedReads = diagram.nodes.map(({ reads }) =>
    reads.filter(
      ({ label: words, mappedName: from }) =>
        words.startsWith("$") && from !== null && renamed.has(from),
    ),
  );
  if (unresolvedReads.every((reads) => reads.length === 0)) return;
  const workflow = parseObject(text);
  const nodes = asList(workflow["nodes"])
    .map(asRecord)
    .map((node, index) => {
      const addedInputs = unresolvedReads[index]?.map(({ plainName: plain }) => plain) ?? [];
      const inputs = asList(node["inputs"] ?? asRecord(registry[String(node["type"])])["inputs"]);
      return addedInputs.length === 0 ? node : { ...node, inputs: [...inputs, ...addedInputs] };
    });
  const planned = { ...workflow, nodes } as Workflow;
  const context = buildContext(text, registry as Registry);
  const answer = compileFlow(planned, registry as Registry, { context });
  if (!answer.ok) return;
  const wired = (answer.flow.toJSON() as { nodes: JsonRecord[] }).nodes;
  answer.flow[Symbol.dispose]();
  unresolvedReads.forEach((reads, index) => {
    const { input_mappings = {} } = (wired[index] ?? {}) as NodeMappings;
    for (const read of reads) read.mappedName = input_mappings[read.plainName] ?? read.plainName;
  });
}

/**
 * Counts reads that would get another value, or none, if outputs were renamed and nothing else
 * changed.
 */
function countRewired({ nodes, outputs }: WorkflowDiagram): number {
  const kept = new Set<string>();
  const renamed = new Set<string>();
  for (const { mappedName: name, plainName: plain } of nodes.flatMap(({ writes }) => writes)) {
    if (name === plain) kept.add(plain);
    else renamed.add(plain);
  }
  const broken = ({
    isParam,
    plainName: plain,
    mappedName: from,
    label: words,
  }: ReadPort): boolean => {
    if (isParam || from === null) return false;
    // A qualified name stays valid.
    if (words.startsWith("$") && words !== `$${plain}`) return false;
    if (from !== plain) return renamed.has(plain);
    // A read is not counted if another writer keeps the key, because it may read that one.
    return renamed.has(plain) && !kept.has(plain);
  };
  const shown = outputs.flatMap((one) => one.reads);
  return [...nodes.flatMap((box) => box.reads), ...shown].filter(broken).length;
}

/** Parses a JSON object; returns an empty object for anything else. */
function parseObject(text: string): JsonRecord {
  try {
    return asRecord(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}
