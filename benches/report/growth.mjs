// What table and picture of growth show.
import { analyzeGrowth } from "../growth.mjs";

/** The workloads that were measured at several sizes, with what that says. */
export function grownRows(workloads, growth) {
  return workloads
    .filter(({ name }) => growth[name]?.length > 1)
    .map((workload) => {
      const runs = growth[workload.name];
      return { workload, runs, ...analyzeGrowth(runs) };
    });
}

/** `10k`, `1M`. */
export function short(size) {
  if (size >= 1e6) return `${size / 1e6}M`;
  return size >= 1000 ? `${size / 1000}k` : String(size);
}
