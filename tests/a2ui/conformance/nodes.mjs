// Vectors of node resolution: instances by their path in the tree, and the changes of each step.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { parse } from "yaml";
import { folder } from "./catalogs.mjs";

export function runNodes({ fixture, expect, steps }) {
  const file = new URL(`conformance/${fixture}`, folder);
  const { data, components } = parse(readFileSync(file, "utf8"));
  const session = new Session(data, components);
  const reason = session.compare(expect, new Map());
  if (reason !== undefined) return reason;
  for (const [index, step] of steps.entries()) {
    const before = session.nodes();
    const problem = session.run(step) ?? session.compare(step.expect, before);
    if (problem !== undefined) return `step ${index + 1}: ${problem}`;
  }
  return undefined;
}

/** Surface of a vector, with what happened in the current step. */
class Session {
  #events = [];
  #functions = [];
  #batches = [];
  #surface = new Surface({
    catalog: basicCatalog,
    onAction: (action) => this.#target.sendAction(action),
  });
  #target = a2uiTarget(this.#surface, {
    functions: { openUrl: (args) => this.#functions.push({ name: "openUrl", args }) },
    onMessage: ({ action }) => action && this.#events.push(action),
  });

  constructor(data, components) {
    this.#send({ createSurface: { surfaceId: "s", catalogId: "basic" } });
    this.#send({ updateDataModel: { surfaceId: "s", value: data } });
    this.#surface.subscribe((changes) => this.#batches.push(changes));
    if (components.length > 0) this.#send({ updateComponents: { surfaceId: "s", components } });
  }

  #send(message) {
    this.#target.receive({ version: "v0.9", ...message });
  }

  /** Runs a step. Returns why it cannot be run. */
  run({ op, path, value, components, node, property }) {
    [this.#events, this.#functions, this.#batches] = [[], [], []];
    if (op === "set_data") this.#send({ updateDataModel: { surfaceId: "s", path, value } });
    else if (op === "update_components")
      this.#send({ updateComponents: { surfaceId: "s", components } });
    else if (op === "invoke") this.#surface.trigger(this.nodes().get(node).key, property);
    else return `no message does \`${op}\``;
    return undefined;
  }

  /** Returns the instances by path: `root/children/0/child`. */
  nodes() {
    const found = new Map();
    const visit = (instance, path) => {
      found.set(path, instance);
      for (const [index, child] of instance.children.entries()) {
        const slot =
          child.slot ?? (instance.component === "Column" ? `children/${index}` : "child");
        visit(child, `${path}/${slot}`);
      }
    };
    const root = this.#surface.tree();
    if (root) visit(root, "root");
    return found;
  }

  compare({ nodes, emissions, same_nodes: same = [], events = [], functions = [] }, before) {
    const found = this.nodes();
    const paths = [...found.keys()].sort();
    if (!isDeepStrictEqual(paths, Object.keys(nodes).sort())) return `has the nodes ${paths}`;
    for (const [path, expected] of Object.entries(nodes)) {
      const reason = compareNode(found.get(path), expected);
      if (reason !== undefined) return `${path}: ${reason}`;
    }
    for (const path of same) {
      if (before.get(path)?.key !== found.get(path)?.key) return `${path} is another node`;
    }
    if (!isDeepStrictEqual(this.#emissions(found), emissions ?? this.#emissions(found)))
      return `notifies ${JSON.stringify(this.#emissions(found))}`;
    const sent = this.#events.map(({ name, sourceComponentId, context }) => ({
      name,
      source_component_id: sourceComponentId,
      context,
    }));
    if (!isDeepStrictEqual(sent, events)) return `sends ${JSON.stringify(sent)}`;
    return isDeepStrictEqual(this.#functions, functions)
      ? undefined
      : `calls ${JSON.stringify(this.#functions)}`;
  }

  /** Number of batches with a change of each node: of its properties, or of its children. */
  #emissions(found) {
    const pathOf = new Map([...found].map(([path, { key }]) => [key, path]));
    const parentOf = (key) => key.slice(0, Math.max(0, key.lastIndexOf("/")));
    const counts = {};
    for (const changes of this.#batches) {
      const keys = changes.map(({ kind, key, parent }) =>
        kind === "set" ? key : kind === "mount" ? (parent ?? "") : parentOf(key),
      );
      for (const path of new Set(keys.flatMap((key) => pathOf.get(key) ?? [])))
        counts[path] = (counts[path] ?? 0) + 1;
    }
    return counts;
  }
}

function compareNode(instance, { component_id: id, state, props = {} }) {
  if (id !== undefined && instance.id !== id) return `is ${instance.id}`;
  const found = instance.component === "" ? "pending" : "resolved";
  if (state !== undefined && found !== state) return `is ${found}`;
  for (const [prop, { value }] of Object.entries(props)) {
    if (value !== undefined && !isDeepStrictEqual(instance.props[prop], value))
      return `\`${prop}\` is ${JSON.stringify(instance.props[prop])}`;
  }
  return undefined;
}
