import type { Diagnostic, Json } from "../types.js";

/** A message as it travels: one of the four bodies, and a version. */
export type Message = { [key: string]: Json };

/** The messages that do the same, and what could not be said in them. */
export interface Translation {
  messages: Message[];
  diagnostics: Diagnostic[];
}

export function trouble(
  code: string,
  message: string,
  help: string,
  pointer: string,
  severity: Diagnostic["severity"] = "warning",
): Diagnostic {
  return { code, severity, message, help, location: { kind: "pointer", pointer } };
}

/** What is too large is not taken at all. */
export function tooMuch(message: string, pointer: string): Diagnostic {
  return trouble("A2UI006", message, "send less at once, and less deep", pointer, "error");
}
