import type { Diagnostic } from "../types.js";
import { AT_LEAST, OMITTED_CODE, omittedDiagnostic } from "./diagnostics.js";
import type { Received } from "./types.js";

/** Maximum number of diagnostics per text, as per message. */
const MAX_DIAGNOSTICS = 100;

/**
 * Merged results of messages: the first diagnostics, errors before others, and the number of
 * omitted ones.
 */
export class MergedResult {
  #ok = true;
  readonly #diagnostics: Diagnostic[] = [];
  #omitted = 0;
  /** Whether the number of omitted diagnostics is a lower bound. */
  #isLowerBound = false;

  add({ ok, diagnostics }: Received): void {
    this.#ok &&= ok;
    for (const diagnostic of diagnostics) {
      // This diagnostic contains a number of omitted ones.
      if (diagnostic.code === OMITTED_CODE) this.#countOmitted(diagnostic.message);
      else this.#insert(diagnostic);
    }
  }

  /** Adds a diagnostic below the maximum; an error replaces another severity. */
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

  /** Returns the diagnostics that differ in code or message from all reported ones. */
  unreported(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    const reported = new Set(this.#diagnostics.map(identityOf));
    return diagnostics.filter((diagnostic) => !reported.has(identityOf(diagnostic)));
  }

  get result(): Received {
    const more =
      this.#omitted > 0
        ? [omittedDiagnostic(this.#omitted, this.#isLowerBound ? AT_LEAST : "")]
        : [];
    return { ok: this.#ok, diagnostics: [...this.#diagnostics, ...more] };
  }
}

/** Returns the code and the message of a diagnostic, which together identify its cause. */
export function identityOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}
