import { Tally } from "./merged-result.js";
import type { MessageTarget, Received } from "./stream.js";

/** The surface that messages go to, with what has come of them since somebody asked. */
export class Recipient {
  readonly surface: MessageTarget;
  #tally = new Tally();

  constructor(surface: MessageTarget) {
    this.surface = surface;
  }

  /** Keeps what came of a part that begins at a place of the whole text. */
  note({ ok, diagnostics }: Received, place: number): void {
    const placed = diagnostics.map((diagnostic) => {
      const { location } = diagnostic;
      if (location?.kind !== "text") return diagnostic;
      const start = Math.max(0, location.start + place);
      const end = Math.max(start, location.end + place);
      return { ...diagnostic, location: { kind: "text" as const, start, end } };
    });
    this.#tally.note({ ok, diagnostics: placed });
  }

  /** What has come of the messages; what comes of others is told next time. */
  told(): Received {
    const { received } = this.#tally;
    this.#tally = new Tally();
    return received;
  }
}
