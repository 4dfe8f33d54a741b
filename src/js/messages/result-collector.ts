import { MergedResult } from "./merged-result.js";
import type { MessageTarget, Received } from "./types.js";

/** Surface with the merged results of its messages. */
export class ResultCollector {
  readonly surface: MessageTarget;
  #result = new MergedResult();

  constructor(surface: MessageTarget) {
    this.surface = surface;
  }

  /** Adds a result whose part begins at an offset in the complete text. */
  add({ ok, diagnostics }: Received, offset: number): void {
    const placed = diagnostics.map((diagnostic) => {
      const { location } = diagnostic;
      if (location?.kind !== "text") return diagnostic;
      const start = Math.max(0, location.start + offset);
      const end = Math.max(start, location.end + offset);
      return { ...diagnostic, location: { kind: "text" as const, start, end } };
    });
    this.#result.add({ ok, diagnostics: placed });
  }

  /** Returns the merged result and starts a new one. */
  takeResult(): Received {
    const { result } = this.#result;
    this.#result = new MergedResult();
    return result;
  }
}
