// Node as a host of benchmarks: CPU time of the whole process.
import { collect } from "./collect.mjs";

/** What `measure` asks of a host. */
export function nodeHost(peers) {
  return {
    name: "node",
    peers,
    collect,
    async clock(side, state) {
      const before = process.cpuUsage();
      let result = side.run(state);
      if (result instanceof Promise) result = await result;
      const { user, system } = process.cpuUsage(before);
      return { figure: (user + system) / 1000, result };
    },
  };
}
