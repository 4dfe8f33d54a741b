// Written by `scripts/instance.mjs`.
import type * as modules from "./instance-entry.js";

/** Evaluates the modules again, with a state of their own. */
export function createModules(): typeof modules;
