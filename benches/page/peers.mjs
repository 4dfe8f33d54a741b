// Baselines in a page: large modules, fetched on first use.
import { kuzuEngine } from "../baselines/kuzu.mjs";
import { oxigraphEngine } from "../baselines/oxigraph.mjs";

let kuzu;
let oxigraph;

/** Engines for `sides/graph.mjs`. */
export const pagePeers = {
  async kuzu() {
    kuzu ??= kuzuEngine((await import("kuzu-wasm/sync")).default, "");
    return kuzu;
  },
  async oxigraph() {
    if (oxigraph) return oxigraph;
    const module = await import("oxigraph/web.js");
    await module.default();
    oxigraph = oxigraphEngine(module);
    return oxigraph;
  },
};
