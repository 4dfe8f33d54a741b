// Chromium as a host of benchmarks. A page cannot ask for its CPU time; nothing else runs in it.
import { init } from "byname";
import { collect } from "../host/collect.mjs";
import { measure } from "../measure.mjs";
import { works } from "../work/all.mjs";
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
  const work = works.find((one) => one.name === name);
  return { name, ...(await measure(work, host, { size, rounds })) };
};
