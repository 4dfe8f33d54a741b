// Baselines in Node, each started on first use. Missing ones are reported and skipped.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { kuzuEngine } from "../baselines/kuzu.mjs";
import { oxigraphEngine } from "../baselines/oxigraph.mjs";
import { FlowSource } from "./flow-source.mjs";
import { NetworkX } from "./networkx.mjs";
import { hasPython } from "./python.mjs";
import { folder } from "./tables.mjs";

const memoryChild = join(import.meta.dirname, "memory-child.mjs");
const require = createRequire(import.meta.url);

export function nodePeers() {
  const started = [];
  const start = (Side, module, name) =>
    once(() => {
      if (!hasPython(module)) return missing(name);
      const side = new Side();
      started.push(side);
      return side;
    });
  const networkx = start(NetworkX, "networkx", "NetworkX (for python3)");
  const source = start(FlowSource, "json", "python3");
  return {
    /** Engines for `sides/graph.mjs`. */
    kuzu: once(() => {
      mkdirSync(folder, { recursive: true });
      return kuzuEngine(require("kuzu-wasm/nodejs/sync"), folder);
    }),
    oxigraph: once(() => oxigraphEngine(require("oxigraph"))),
    /** Sides that query a graph; `answer` normalises the result. */
    graphs: (question, size, tables, answer) =>
      networkx() ? { NetworkX: networkx().side(question, size, tables, answer) } : {},
    /** Sides that map a workflow. */
    flow: (size, nodes, answer) =>
      source()
        ? {
            "the source's Python": source().side(size, nodes, answer),
            "the source's Python, nodes in a list": source().side(size, nodes, answer, true),
          }
        : {},
    /** Returns the memory of a graph in its own process. */
    memory(side, size) {
      const output = execFileSync(process.execPath, [
        "--expose-gc",
        memoryChild,
        side,
        String(size),
      ]);
      return JSON.parse(output);
    },
    close() {
      for (const side of started) side.close();
    },
  };
}

function once(make) {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function missing(what) {
  console.error(`${what} is not there, and is left out`);
  return undefined;
}
