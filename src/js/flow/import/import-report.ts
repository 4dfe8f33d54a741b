import type { Diagnostic } from "../../types.js";

/** Diagnostics of an import. */
export class ImportReport {
  readonly diagnostics: Diagnostic[] = [];

  /** Reports a part that has no counterpart and was left out. */
  omit(pointer: string, part: string, help: string): void {
    this.warn(pointer, `${part} has no counterpart and is left out`, help);
  }

  /** Reports a part that was imported differently, or not completely. */
  warn(pointer: string, message: string, help: string): void {
    this.#add("FLOW071", "warning", message, help, pointer);
  }

  /** Reports an expression that stays a text. */
  keepText(pointer: string, expression: string): void {
    const message = `the expression \`${expression.slice(0, 80)}\` was not converted; it stays text`;
    const help = "compute the value in a node and refer to its output: `${node.key}`";
    this.#add("FLOW072", "warning", message, help, pointer);
  }

  /** Reports an input that cannot be imported. */
  reject(message: string, help: string): void {
    this.#add("FLOW070", "error", message, help, "");
  }

  #add(
    code: string,
    severity: Diagnostic["severity"],
    message: string,
    help: string,
    pointer: string,
  ): void {
    this.diagnostics.push({
      code,
      severity,
      message,
      help,
      location: { kind: "pointer", pointer },
    });
  }
}
