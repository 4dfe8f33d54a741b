// A process of its own for the works in Node: `node --expose-gc run-node.mjs '{"works": […]}'`.
// Each finished work is one line of JSON on the standard output.
import { init } from "byname";
import { measure } from "../measure.mjs";
import { works } from "../work/all.mjs";
import { nodeHost } from "./node.mjs";
import { nodePeers } from "./peers.mjs";

const { names, sizes = {}, rounds } = JSON.parse(process.argv[2]);

await init();
const peers = nodePeers();
const host = nodeHost(peers);
for (const work of works.filter(({ name }) => names.includes(name))) {
  for (const size of sizes[work.name] ?? [work.size]) {
    const result = await measure(work, host, { size, rounds });
    console.log(JSON.stringify({ name: work.name, ...result }));
  }
}
peers.close();
