import type { Diagnostic, Severity } from "../../wire.js";
import type { ValueLocation } from "./value-location.js";

/** Diagnostic with the path of the invalid value. */
export interface PathDiagnostic extends Diagnostic {
  path: readonly (string | number)[];
}

/** Returns a list with one diagnostic. */
export function diagnosticsAt(
  code: string,
  { path }: ValueLocation,
  message: string,
  help: string,
  severity: Severity = "error",
): PathDiagnostic[] {
  return [{ code, severity, message, help, path }];
}
