// Opponents that only Node can run. What is missing on this machine is said, and left out.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { FlowSource } from "./flow-source.mjs";
import { NetworkX } from "./networkx.mjs";
import { hasPython } from "./python.mjs";

const memoryChild = join(import.meta.dirname, "memory-child.mjs");

export function nodePeers() {
  const networkx = hasPython("networkx") ? new NetworkX() : missing("NetworkX (for python3)");
  const source = hasPython("json") ? new FlowSource() : missing("python3");
  return {
    /** Sides that ask a question of a graph; `answer` puts what they found in order. */
    graphs: (question, size, tables, answer) => ({
      ...(networkx && { NetworkX: networkx.side(question, size, tables, answer) }),
    }),
    /** Sides that map a workflow. */
    flow: (size, nodes, answer) => ({
      ...(source && { "the source's Python": source.side(size, nodes, answer) }),
    }),
    /** What a graph of that size holds in a process of its own. */
    memory(side, size) {
      const told = execFileSync(process.execPath, ["--expose-gc", memoryChild, side, String(size)]);
      return JSON.parse(told);
    },
    close() {
      networkx?.close();
      source?.close();
    },
  };
}

function missing(what) {
  console.error(`${what} is not there, and is left out`);
  return undefined;
}
