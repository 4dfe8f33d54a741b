// Opponents as a page runs them: large modules of their own, fetched when they are first asked.
import { kuzuEngine } from "../opponents/kuzu.mjs";
import { oxigraphEngine } from "../opponents/oxigraph.mjs";

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
