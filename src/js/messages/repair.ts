import type { Diagnostic } from "../types.js";
import { partialError, REPAIRED_CODE, trailingCommaDiagnostic } from "./diagnostics.js";
import type { MessageTarget, Received } from "./types.js";

/** Double quotes of typography: `“`, `”`, `„` and `‟`. */
const TYPOGRAPHIC_QUOTE = /[\u201c-\u201f]/;

/** JSON text of the same length with its syntax errors repaired, and their diagnostics. */
interface Repaired {
  json: string;
  diagnostics: Diagnostic[];
}

/**
 * Receives a JSON text. If its only errors are trailing commas and typographic quotes around
 * strings, it is repaired. There is a warning for each comma and for the first quote.
 */
export function receiveRepaired(
  target: MessageTarget,
  text: string,
  firstIndex?: number,
): Received {
  const result = target.receive(text, firstIndex);
  if (!partialError(result)?.code.startsWith("JSON")) return result;
  const repaired = repairSlips(text);
  if (repaired === undefined) return result;
  const { ok, diagnostics } = target.receive(repaired.json, firstIndex);
  return { ok, diagnostics: [...repaired.diagnostics, ...diagnostics] };
}

/** Returns the repaired text, or undefined if it has no such error, or any other one. */
export function repairSlips(text: string): Repaired | undefined {
  const chars = text.split("");
  const commas: number[] = [];
  let firstQuote: number | undefined;
  /** Last two tokens outside of strings. */
  let [beforeLast, last] = ["", ""];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (/\s/.test(char)) continue;
    const isTypographic = TYPOGRAPHIC_QUOTE.test(char);
    if ((char === "}" || char === "]") && last === "," && !/^[[{,:]?$/.test(beforeLast)) {
      commas.push(at);
      chars[text.lastIndexOf(",", at)] = " ";
    } else if (isTypographic || char === '"') {
      const end = stringEnd(text, at, isTypographic);
      if (isTypographic) {
        firstQuote ??= at;
        chars[at] = '"';
        chars[end] = '"';
      }
      at = end;
    }
    [beforeLast, last] = [last, char];
  }
  const json = chars.join("");
  if (json === text || !isJson(json)) return undefined;
  const diagnostics = commas.map((at) => trailingCommaDiagnostic(text.charAt(at), at));
  if (firstQuote !== undefined) diagnostics.push(quoteDiagnostic(text, firstQuote));
  return { json, diagnostics };
}

/** Returns the offset of the quote that ends a string, or the last offset of the text. */
function stringEnd(text: string, start: number, isTypographic: boolean): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (isTypographic ? TYPOGRAPHIC_QUOTE.test(char) : char === '"') return at;
  }
  return text.length - 1;
}

function quoteDiagnostic(text: string, start: number): Diagnostic {
  const message = `unexpected \`${text.charAt(start)}\`, expected \`"\`; typographic quotes are read as double quotes`;
  const help = 'write strings and keys in double quotes: `"`, not typographic ones';
  const location = { kind: "text", start, end: start + 1 } as const;
  return { code: REPAIRED_CODE, severity: "warning", message, help, location };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
