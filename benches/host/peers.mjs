// Opponents that only Node can run. What is missing on this machine is said, and left out.
import { NetworkX } from "./networkx.mjs";
import { hasPython } from "./python.mjs";

export async function nodePeers() {
  const networkx = hasPython("networkx") ? new NetworkX() : missing("NetworkX (python3)");
  return {
    /** Sides that ask a question of a graph; `answer` puts what they found in order. */
    graphs: (question, size, tables, answer) => ({
      ...(networkx && { NetworkX: networkx.side(question, size, tables, answer) }),
    }),
    close() {
      networkx?.close();
    },
  };
}

function missing(what) {
  console.error(`${what} is not there; its column stays as it was`);
  return undefined;
}
