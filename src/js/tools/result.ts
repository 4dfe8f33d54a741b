import { BynameError, errorMessage } from "../errors.js";
import type { JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import type { FieldError, ToolErrorKind } from "./types.js";

/** Maximum number of diagnostics in a result. */
const MAX_DIAGNOSTICS = 20;

/** Returns a failed result. */
export function failureResult(
  kind: ToolErrorKind,
  message: string,
  more: { help?: string; fields?: FieldError[] } = {},
): JsonObject {
  return { ok: false, error: { kind, message, ...(more as JsonObject) } };
}

/** Returns the result for arguments that do not fit. */
export function argumentFailure(fields: FieldError[]): JsonObject {
  const names = fields.map(({ field }) => `\`${field || "/"}\``).join(", ");
  const help = "correct the listed fields and call the tool again";
  return failureResult("arguments", `invalid arguments: ${names}`, { help, fields });
}

/** Returns the diagnostics of a result, errors first; a note says how many are left out. */
export function diagnosticsPart(diagnostics: readonly Diagnostic[]): JsonObject {
  if (diagnostics.length === 0) return {};
  const rank = ({ severity }: Diagnostic): number => ["error", "warning", "info"].indexOf(severity);
  const sorted = [...diagnostics].sort((a, b) => rank(a) - rank(b));
  const shown = sorted.slice(0, MAX_DIAGNOSTICS);
  const rest = sorted.length - shown.length;
  return {
    diagnostics: shown as unknown as Json,
    ...(rest > 0 && { moreDiagnostics: `${rest} more; correct these first` }),
  };
}

/** Returns a result that has succeeded unless one of the diagnostics is an error. */
export function withDiagnostics(diagnostics: readonly Diagnostic[], parts: JsonObject): JsonObject {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const rest = { ...parts, ...diagnosticsPart(diagnostics) };
  if (errors === 0) return { ok: true, ...rest };
  const message = errors === 1 ? "1 error" : `${errors} errors`;
  return { ...failureResult("diagnostics", message, { help: "apply the help of each" }), ...rest };
}

/** Returns the result for a thrown value. */
export function thrownFailure(reason: unknown, signal: AbortSignal | undefined): JsonObject {
  if (signal?.aborted) return failureResult("cancelled", "the call was cancelled");
  const message = errorMessage(reason);
  const { diagnostics } = Object(reason) as { diagnostics?: unknown };
  if (Array.isArray(diagnostics) && diagnostics.length > 0)
    return {
      ...failureResult("diagnostics", message),
      ...diagnosticsPart(diagnostics as Diagnostic[]),
    };
  // Copies of the package have classes of their own.
  const { code } = Object(reason) as { code?: unknown };
  if ((reason instanceof BynameError || typeof code === "string") && code === "disposed")
    return failureResult("disposed", message, { help: "do not call this tool again" });
  return failureResult("failed", message);
}
