// Process for some workloads: `node --expose-gc run-node.mjs '{"names": […]}'`. Prints one JSON
// line for each finished workload.
import { init } from "byname";
import { measure } from "../measure.mjs";
import { workloads } from "../workloads/all.mjs";
import { nodeHost } from "./node.mjs";
import { nodePeers } from "./peers.mjs";

const { names, sizes = {}, ...options } = JSON.parse(process.argv[2]);

await init();
const peers = nodePeers();
const host = nodeHost(peers);
const chosen = workloads.filter(({ name }) => names.includes(name));
const runs = chosen.flatMap((workload) =>
  (sizes[workload.name] ?? [workload.size]).map((size) => ({ workload, size })),
);
// Workloads on the same graph run in turn.
for (const { workload, size } of runs.sort((a, b) => a.size - b.size)) {
  const result = await measure(workload, host, { size, ...options });
  console.log(JSON.stringify({ name: workload.name, ...result }));
}
peers.close();
