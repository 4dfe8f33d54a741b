// Growth data of table and picture.
import { analyzeGrowth } from "../growth.mjs";

/** Returns the workloads that were measured at several sizes, with their growth. */
export function grownRows(workloads, growth) {
  return workloads
    .filter(({ name }) => growth[name]?.length > 1)
    .map((workload) => {
      const runs = growth[workload.name];
      return { workload, runs, ...analyzeGrowth(runs) };
    });
}

/** Formats a size: `10k`, `1M`. */
export function short(size) {
  if (size >= 1e6) return `${size / 1e6}M`;
  return size >= 1000 ? `${size / 1000}k` : String(size);
}
