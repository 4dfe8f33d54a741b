import { warningDiagnostic } from "./json-text.js";
import type { Diagnostic } from "./types.js";

/** Maximum number of characters between a key and its colon. */
const MAX_SPACE_AFTER_KEY = 100;

/** Maximum number of reported keys; a result lists the first hundred. */
const MAX_REPORTED_KEYS = 1000;

/**
 * Returns a warning for each key that an object of a valid JSON text has twice, because
 * `JSON.parse` drops the first value. Offsets count from the start of the text.
 */
export function duplicateKeyDiagnostics(text: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  /** Keys of the open objects; `undefined` for lists. */
  const open: (Set<string> | undefined)[] = [];
  const token = /["{}[\]]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const start = match.index;
    if (match[0] === "{" || match[0] === "[") open.push(match[0] === "{" ? new Set() : undefined);
    else if (match[0] !== '"') open.pop();
    else {
      const end = closingQuote(text, start);
      token.lastIndex = end + 1;
      const keys = open.at(-1);
      if (keys === undefined || !/^\s*:/.test(text.slice(end + 1, end + MAX_SPACE_AFTER_KEY)))
        continue;
      const written = text.slice(start, end + 1);
      const key = written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
      if (keys.has(key)) diagnostics.push(duplicateKey(key, start, end + 1));
      if (diagnostics.length === MAX_REPORTED_KEYS) break;
      keys.add(key);
    }
  }
  return diagnostics;
}

/** Returns the offset of the quote that closes a string. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charAt(at - 1 - slashes) === "\\") slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function duplicateKey(key: string, start: number, end: number): Diagnostic {
  const message = `duplicate key \`${key}\`: the last value is used`;
  const location = { kind: "text", start, end } as const;
  return { ...warningDiagnostic("JSON012", message, "write each key once"), location };
}
