// Node and Chromium have this function when they are started with --expose-gc.

/** Collects garbage now: all of it, or what is young. */
export function collect(what) {
  globalThis.gc?.({ type: what === "young" ? "minor" : "major" });
}
