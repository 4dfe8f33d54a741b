import type { Diagnostic } from "../types.js";
import { positionOf } from "./json-position.js";

/** Source of diagnostics: its name, and its text if it is at hand. */
export interface Source {
  name: string;
  text?: string;
}

/** Maximum length of a shown line. */
const MAX_LINE_LENGTH = 160;

/**
 * Returns diagnostics as compilers print them: location, code, message, line of the text and help.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], source: Source): string {
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, source)).join("\n");
}

function formatDiagnostic(diagnostic: Diagnostic, { name, text }: Source): string {
  const { severity, code, message, help, location } = diagnostic;
  const offset = text === undefined ? undefined : offsetOf(text, location);
  const pointer = location?.kind === "pointer" && location.pointer ? ` at ${location.pointer}` : "";
  const lines = [];
  if (text === undefined || offset === undefined) {
    lines.push(`${name}: ${severity}[${code}]: ${message}${pointer}`);
  } else {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    lines.push(`${name}:${line}:${column}: ${severity}[${code}]: ${message}`);
    lines.push(...lineWithMark(text, offset, column));
  }
  if (help) lines.push(`  help: ${help}`);
  return lines.join("\n");
}

function offsetOf(text: string, location: Diagnostic["location"]): number | undefined {
  if (location?.kind === "text") return Math.min(location.start, text.length);
  return location?.kind === "pointer" ? positionOf(text, location.pointer) : undefined;
}

/** Returns the line of an offset, and a mark below it. */
function lineWithMark(text: string, offset: number, column: number): string[] {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? undefined : end);
  const from = Math.max(0, column - 1 - MAX_LINE_LENGTH / 2);
  const shown = line.slice(from, from + MAX_LINE_LENGTH).replaceAll(/[\t\r]/g, " ");
  return [`  | ${shown}`, `  | ${" ".repeat(column - 1 - from)}^`];
}
