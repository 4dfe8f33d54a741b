import type { Diagnostic, Json } from "../types.js";

/** A message: a version and one of the four bodies. */
export type Message = { [key: string]: Json };

/** Equivalent messages, and diagnostics for what has no equivalent. */
export interface Translation {
  messages: Message[];
  diagnostics: Diagnostic[];
}

/** Diagnostic with the code and the text that A2UI specifies for the error. */
export interface ReportedDiagnostic extends Diagnostic {
  report?: {
    code: string;
    message: string;
    /** Id of the surface or of the call; by default the surface of the message. */
    about?: { [key: string]: Json };
  };
}

export function diagnostic(
  code: string,
  message: string,
  help: string,
  pointer: string,
  severity: Diagnostic["severity"] = "warning",
): Diagnostic {
  return { code, severity, message, help, location: { kind: "pointer", pointer } };
}

/** Returns the error for a message or data model that exceeds a limit. */
export function sizeDiagnostic(message: string, pointer: string): Diagnostic {
  return diagnostic(
    "A2UI006",
    message,
    "send smaller messages with less nesting",
    pointer,
    "error",
  );
}
