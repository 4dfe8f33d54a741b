// Modules of a further instance; `scripts/instance.mjs` puts them into one function.
export * from "./api.js";
export { releaseMemory } from "./bridge.js";
