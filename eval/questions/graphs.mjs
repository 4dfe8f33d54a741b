// Graphs of the questions, as node-link JSON: those of the playground, and published ones beside the repository.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const published = new URL("../../../shared/data/graphs/", import.meta.url);

/** Loads each graph of the playground. */
const bundled = {
  coast: async () => (await load("../../www/graph/coast-data.ts")).coastGraph(),
  flights: async () => (await load("../../www/story/flights-data.ts")).flightsGraph(),
};

/** File of each published graph, which is read in place. */
const files = {
  "les-miserables": "les-miserables.json",
  "southern-women": "southern-women.json",
  dulce: "dulce.json",
};

/** Names of the graphs that are part of the repository. */
export const bundledNames = Object.keys(bundled);

/** Returns a graph as node-link JSON, or undefined if its file is missing. */
export async function loadGraph(name) {
  if (bundled[name]) return await bundled[name]();
  const file = new URL(files[name] ?? "", published);
  return files[name] && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

async function load(path) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const { module } = await runnerImport(file, { configFile: false, logLevel: "error" });
  return module;
}
