import type { Diagnostic } from "./wire.js";

/** Misuse: a disposed handle, an argument of the wrong type, a result asked for too late, a listener that updates without end. */
export class BynameError extends Error {
  override readonly name: string = "BynameError";
  readonly code:
    | "not-initialised"
    | "disposed"
    | "argument"
    | "too-deep"
    | "too-late"
    | "too-large";
  /** What the data says about it, where data is the reason. */
  readonly diagnostics: Diagnostic[];

  constructor(code: BynameError["code"], message: string, diagnostics: Diagnostic[] = []) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** The words of whatever was thrown: some put the answer of a server there, or nothing, or throw what is no error. */
export function errorMessage(reason: unknown): string {
  try {
    // Clients of services throw objects that are no errors and have a message all the same.
    const { message } = Object(reason) as { message?: unknown };
    if (typeof message === "string" && message !== "") return message;
    return String(reason instanceof Error ? reason.name : reason);
  } catch {
    return "a value without a message was thrown";
  }
}
