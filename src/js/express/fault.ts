import type { Diagnostic } from "../types.js";
import type { Span } from "./syntax.js";

/** Code of a diagnostic about Express. */
export type ExpressCode = `EXP0${string}`;

/** Returns a diagnostic at a part of the text. */
export function expressDiagnostic(
  code: ExpressCode,
  { start, end }: Span,
  message: string,
  help: string,
  severity: Diagnostic["severity"] = "error",
): Diagnostic {
  return { code, severity, message, help, location: { kind: "text", start, end } };
}

/** Syntax error, which ends the parsing of a statement. */
export class SyntaxFault extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
