// Chromium as a benchmark host. A page cannot read its CPU time, so nothing else runs in it.
import { init } from "byname";
import { collect } from "../host/collect.mjs";
import { measure } from "../measure.mjs";
import { workloads } from "../workloads/all.mjs";
import { pagePeers } from "./peers.mjs";

const host = {
  name: "chromium",
  peers: pagePeers,
  collect,
  async clock(side, state) {
    const before = performance.now();
    let result = side.run(state);
    if (result instanceof Promise) result = await result;
    return { figure: performance.now() - before, result };
  },
};

await init();
window.bench = async ({ name, size, rounds }) => {
  const workload = workloads.find((one) => one.name === name);
  return { name, ...(await measure(workload, host, { size, rounds })) };
};
