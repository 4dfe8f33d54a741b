import type { Diagnostic } from "../types.js";

/** Input with errors that a command cannot read. Its exit code is 1. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  readonly diagnostics: readonly Diagnostic[];

  /** `message` is the text for the terminal. */
  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}
