import type { Diagnostic } from "../types.js";
import { AT_LEAST, OMITTED_CODE, omittedDiagnostic } from "./diagnostics.js";
import type { Received } from "./types.js";

/** So many diagnostics are told of one text, as they are of one message. */
const MAX_DIAGNOSTICS = 100;

/** What has come of many messages: the first diagnostics, errors before others, and how many more there were. */
export class MergedResult {
  #ok = true;
  readonly #diagnostics: Diagnostic[] = [];
  #omitted = 0;
  /** Whether there may have been more than that: nobody counts for ever. */
  #isLowerBound = false;

  add({ ok, diagnostics }: Received): void {
    this.#ok &&= ok;
    for (const diagnostic of diagnostics) {
      // One may itself say how many were left out.
      if (diagnostic.code === OMITTED_CODE) this.#countOmitted(diagnostic.message);
      else this.#insert(diagnostic);
    }
  }

  /** Keeps one while there is room; an error takes the place of what is none. */
  #insert(diagnostic: Diagnostic): void {
    if (this.#diagnostics.length === MAX_DIAGNOSTICS) {
      this.#omitted += 1;
      if (diagnostic.severity !== "error") return;
      const other = this.#diagnostics.findIndex(({ severity }) => severity !== "error");
      if (other < 0) return;
      this.#diagnostics.splice(other, 1);
    }
    this.#diagnostics.push(diagnostic);
  }

  #countOmitted(message: string): void {
    this.#omitted += Number(/\d+/.exec(message)?.[0] ?? 1);
    this.#isLowerBound ||= message.startsWith(AT_LEAST);
  }

  /** What is told of them. */
  get result(): Received {
    const more =
      this.#omitted > 0
        ? [omittedDiagnostic(this.#omitted, this.#isLowerBound ? AT_LEAST : "")]
        : [];
    return { ok: this.#ok, diagnostics: [...this.#diagnostics, ...more] };
  }
}
