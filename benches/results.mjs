// Results of the last runs: each run replaces its own entries.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

const file = join(import.meta.dirname, "results.json");

/**
 * Returns all results: `{ [host]: { works: { [name]: { date, machine, size, sides } } }, growth,
 * grown }`.
 */
export function readResults() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Adds the results of one run on one host. */
export function addResults(host, results, runtime) {
  const all = readResults();
  const machine = { runtime, cpu: cpus()[0].model.trim(), cores: cpus().length };
  machine.memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  all[host] ??= { works: {} };
  const date = today();
  for (const { name, ...rest } of results) all[host].works[name] = { date, machine, ...rest };
  write(all);
}

/** Adds runs at several sizes. */
export function addGrowth(results) {
  const all = readResults();
  const growth = { ...all.growth };
  for (const name of new Set(results.map((result) => result.name))) {
    growth[name] = results
      .filter((result) => result.name === name)
      .map(({ size, sides: { byname, ...others } }) => {
        // At most one of the other sides is measured for growth.
        const [beside] = Object.values(others);
        return { size, figure: byname.median, beside: beside?.median };
      });
  }
  const grown = {
    runtime: `Node ${process.versions.node}`,
    cpu: cpus()[0].model.trim(),
    date: today(),
  };
  write({ ...all, growth, grown });
}

const today = () => new Date().toISOString().slice(0, 10);

/** Adds the page load times. */
export function addStart(start) {
  write({ ...readResults(), start });
}

/** Adds the times of the list benchmark. */
export function addList(list) {
  write({ ...readResults(), list });
}

/** Adds the times of a text that streams. */
export function addText(text) {
  write({ ...readResults(), text });
}

/** Adds the times of commands over a database. */
export function addDatabases(databases) {
  write({ ...readResults(), databases });
}

function write(all) {
  const rounded = (_, value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(file, `${JSON.stringify(all, rounded, 2)}\n`);
}
