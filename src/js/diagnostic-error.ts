import { BynameError } from "./errors.js";
import type { Diagnostic } from "./wire.js";

/**
 * Returns an error for diagnostics of the core, errors first; returns any other value unchanged.
 */
export function toBynameError(code: BynameError["code"], reason: unknown): unknown {
  if (!Array.isArray(reason)) return reason;
  const diagnostics: Diagnostic[] = reason;
  const error = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  return new BynameError(code, messageWithPointer(error), diagnostics);
}

/** Appends the JSON pointer of the error, for readers that see only the message. */
function messageWithPointer(error: Diagnostic | undefined): string {
  const { message = "invalid input", location } = error ?? {};
  const at = location?.kind === "pointer" && location.pointer;
  return at ? `${message} (at "${at}")` : message;
}

/** A graph, a state or a recording that is invalid. */
export class GaslError extends Error {
  override readonly name: string = "GaslError";
  /** The first error is first. */
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(messageWithPointer(diagnostics[0]));
    this.diagnostics = diagnostics;
  }
}
