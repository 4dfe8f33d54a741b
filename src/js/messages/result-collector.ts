import { MergedResult } from "./merged-result.js";
import type { MessageTarget, Received } from "./types.js";

/** The surface that messages go to, with what has come of them since somebody asked. */
export class ResultCollector {
  readonly surface: MessageTarget;
  #result = new MergedResult();

  constructor(surface: MessageTarget) {
    this.surface = surface;
  }

  /** Keeps what came of a part that begins at a place of the whole text. */
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

  /** What has come of the messages; what comes of others is told next time. */
  takeResult(): Received {
    const { result } = this.#result;
    this.#result = new MergedResult();
    return result;
  }
}
