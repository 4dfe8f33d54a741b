import type { Diagnostic } from "../types.js";
import { positionOf } from "./check/json-position.js";

/** Source of diagnostics: its name, and its text if it is at hand. */
export interface Source {
  name: string;
  text?: string;
}

/** Maximum length of a shown line. */
const MAX_LINE_LENGTH = 160;
/** Maximum number of printed diagnostics. */
const MAX_PRINTED = 50;
/** Control characters, except line breaks, and those that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a text that a terminal prints as it is: control characters are replaced by their symbols,
 * each by one character.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => {
    const code = char.charCodeAt(0);
    if (char === "\n") return char;
    if (code < 0x20) return char === "\t" ? " " : String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/**
 * Returns diagnostics as compilers print them: location, code, message, line of the text and help.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], source: Source): string {
  const printed = diagnostics.slice(0, MAX_PRINTED).map((one) => formatDiagnostic(one, source));
  const rest = diagnostics.length - printed.length;
  const note = `${printable(source.name)}: ${rest} more diagnostics; use --json for all`;
  return [...printed, ...(rest > 0 ? [note] : [])].join("\n");
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
  return lines.map(printable).join("\n");
}

function offsetOf(text: string, location: Diagnostic["location"]): number | undefined {
  if (location?.kind === "text") return Math.min(location.start, text.length);
  return location?.kind === "pointer" ? positionOf(text, location.pointer) : undefined;
}

/** Returns the line of an offset, and a mark below it. */
function lineWithMark(text: string, offset: number, column: number): string[] {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const line = text.slice(start, lineEnd < 0 ? undefined : lineEnd);
  const from = Math.max(0, column - 1 - MAX_LINE_LENGTH / 2);
  const shown = line.slice(from, from + MAX_LINE_LENGTH).replace(/\r$/, "");
  const begin = from > 0 ? `…${shown.slice(1)}` : shown;
  const end = from + MAX_LINE_LENGTH < line.length ? "…" : "";
  return [`  | ${begin}${end}`, `  | ${" ".repeat(column - 1 - from)}^`];
}
