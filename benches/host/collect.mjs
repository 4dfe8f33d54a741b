// Node and Chromium define `gc` with --expose-gc.

/** Collects all garbage, or only the young generation. */
export function collect(what) {
  globalThis.gc?.({ type: what === "young" ? "minor" : "major" });
}
