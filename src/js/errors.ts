import type { Diagnostic } from "./wire.js";

/**
 * Misuse: a disposed handle, an invalid argument, a result that has expired, or listeners that
 * update each other in a loop. Or the WebAssembly has run out of memory, or its stack has
 * overflowed.
 */
export class BynameError extends Error {
  override readonly name: string = "BynameError";
  readonly code:
    | "not-initialised"
    | "disposed"
    | "argument"
    | "too-deep"
    | "too-late"
    | "too-large"
    | "out-of-memory"
    | "stack"
    | "storage";
  /** Diagnostics, if data is the reason. */
  readonly diagnostics: Diagnostic[];

  constructor(code: BynameError["code"], message: string, diagnostics: Diagnostic[] = []) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** Returns the message of a thrown value, which may be anything. */
export function errorMessage(reason: unknown): string {
  try {
    // Clients of services throw plain objects with a message.
    const { message } = Object(reason) as { message?: unknown };
    if (typeof message === "string" && message !== "") return message;
    return String(reason instanceof Error ? reason.name : reason);
  } catch {
    return "a value without a message was thrown";
  }
}
