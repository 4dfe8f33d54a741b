import { BynameError } from "./errors.js";
import type { Diagnostic } from "./wire.js";

/** The error for what the core told, the first fault first; whatever else was thrown stays as it is. */
export function toBynameError(code: BynameError["code"], reason: unknown): unknown {
  if (!Array.isArray(reason)) return reason;
  const diagnostics: Diagnostic[] = reason;
  const error = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  return new BynameError(code, messageWithLocation(error), diagnostics);
}

/** For whoever sees nothing but the message. */
function messageWithLocation(error: Diagnostic | undefined): string {
  const { message = "invalid input", location } = error ?? {};
  const at = location?.kind === "pointer" && location.pointer;
  return at ? `${message} (at "${at}")` : message;
}

/** A graph, a state or a recording that cannot be read. */
export class GaslError extends Error {
  override readonly name: string = "GaslError";
  /** What is wrong with it, the first fault first. */
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(messageWithLocation(diagnostics[0]));
    this.diagnostics = diagnostics;
  }
}
