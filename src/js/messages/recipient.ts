import type { MessageTarget, Received } from "./stream.js";

/** The surface that messages go to, with what has come of them since somebody asked. */
export class Recipient {
  readonly surface: MessageTarget;
  #result: Received = { ok: true, diagnostics: [] };

  constructor(surface: MessageTarget) {
    this.surface = surface;
  }

  /** Keeps what came of a part that begins at a place of the whole text. */
  note({ ok, diagnostics }: Received, place: number): void {
    this.#result.ok &&= ok;
    for (const diagnostic of diagnostics) {
      const { location } = diagnostic;
      if (location?.kind !== "text") {
        this.#result.diagnostics.push(diagnostic);
        continue;
      }
      const start = Math.max(0, location.start + place);
      const end = Math.max(start, location.end + place);
      this.#result.diagnostics.push({ ...diagnostic, location: { kind: "text", start, end } });
    }
  }

  /** What has come of the messages; what comes of others is told next time. */
  told(): Received {
    const result = this.#result;
    this.#result = { ok: true, diagnostics: [] };
    return result;
  }
}
