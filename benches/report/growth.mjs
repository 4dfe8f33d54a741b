// What table and picture of growth show.
import { judged } from "../growth.mjs";

/** The works that were measured at several sizes, with what that says. */
export function grownRows(works, growth) {
  return works
    .filter(({ name }) => growth[name]?.length > 1)
    .map((work) => {
      const runs = growth[work.name];
      return { work, runs, ...judged(runs) };
    });
}

/** `10k`, `1M`. */
export function short(size) {
  if (size >= 1e6) return `${size / 1e6}M`;
  return size >= 1000 ? `${size / 1000}k` : String(size);
}
