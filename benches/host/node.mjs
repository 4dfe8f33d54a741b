// Node as a benchmark host: CPU time of the whole process.
import { collect } from "./collect.mjs";

/** Host for `measure`. */
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
