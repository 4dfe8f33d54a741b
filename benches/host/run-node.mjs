// A process of its own for some works in Node: `node --expose-gc run-node.mjs '{"names": […]}'`.
// Each finished work is one line of JSON on the standard output.
import { init } from "byname";
import { measure } from "../measure.mjs";
import { works } from "../work/all.mjs";
import { nodeHost } from "./node.mjs";
import { nodePeers } from "./peers.mjs";

const { names, sizes = {}, ...options } = JSON.parse(process.argv[2]);

await init();
const peers = nodePeers();
const host = nodeHost(peers);
const chosen = works.filter(({ name }) => names.includes(name));
const runs = chosen.flatMap((work) =>
  (sizes[work.name] ?? [work.size]).map((size) => ({ work, size })),
);
// Works that ask the same graph ask it in turn.
for (const { work, size } of runs.sort((a, b) => a.size - b.size)) {
  const result = await measure(work, host, { size, ...options });
  console.log(JSON.stringify({ name: work.name, ...result }));
}
peers.close();
