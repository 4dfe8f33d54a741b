// A graph and programs whose results databases and a graph in memory may see differently.

import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../shared/cases/scale/", import.meta.url);

/** Reason to skip the tests that need the cases beside the repository, or false. */
export const skip = existsSync(folder) ? false : "no cases beside the repository";

/** Node-link JSON of the graph, or undefined. */
export const traps = skip ? undefined : (await import(new URL("data.mjs", folder))).traps;

/** Programs by name, each a list of commands whose result is in `x`. */
export const programs = skip
  ? {}
  : JSON.parse(readFileSync(new URL("programs.json", folder), "utf8"));
