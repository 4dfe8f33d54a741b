import type { Location } from "../../wire.js";
import type { PathDiagnostic } from "./path-diagnostic.js";
import { quote } from "./suggestions.js";

/** Next expected token of JSON text. */
type ExpectedToken = "a value" | "a key in double quotes" | "`:`" | "`,`" | "the end";

/**
 * Maximum number of characters quoted before an error: a model knows its own text but cannot count
 * offsets.
 */
const MAX_QUOTED_BEFORE = 24;
/** Maximum number of suggested closing brackets. */
const MAX_SUGGESTED_CLOSERS = 40;

const BLANK = /[ \t\n\r]*/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.$])/y;
/** Possible prefix of a literal. */
const LITERAL_PREFIX = /[\w.+-]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const TRUNCATED_ESCAPE = /^\\(?:u[\da-fA-F]{0,3})?$/;

/** Fixes for literals of other languages. */
const LITERAL_FIXES: { readonly [word: string]: string } = {
  true: "write `true`",
  false: "write `false`",
  none: "write `null`",
  null: "write `null`",
  nil: "write `null`",
  undefined: "write `null`",
  nan: "write `null` or a string, because JSON has no such number",
  infinity: "write `null` or a string, because JSON has no such number",
};

/**
 * Returns the first syntax error of an invalid JSON message with its location. `name` is the
 * subject of the diagnostic.
 */
export function jsonError(
  text: string,
  { start, end }: { start: number; end: number },
  name: string,
): PathDiagnostic & { location: Location } {
  /** Stack of the closing brackets of open objects and lists. */
  const openClosers: string[] = [];
  let expected: ExpectedToken = "a value";
  /** Whether the innermost object or list is still empty. */
  let isEmpty = false;
  let at = start;
  const errorAt = (
    what: string,
    help: string,
    length = 0,
  ): PathDiagnostic & { location: Location } => {
    const before = text
      .slice(start, at)
      .trimEnd()
      .slice(-MAX_QUOTED_BEFORE)
      .replace(/^[\udc00-\udfff]/, "");
    const message = `${name} is not valid JSON: ${what}${before === "" ? "" : ` after ${quote(before)}`}`;
    const location = { kind: "text", start: at, end: at + length } as const;
    return { code: "CAT009", severity: "error", message, help, path: [], location };
  };
  for (;;) {
    at += matchAt(BLANK, text, at).length;
    const literal = expected === "a value" ? matchAt(LITERAL, text, at) : "";
    const isTruncated =
      expected === "a value" &&
      literal === "" &&
      at + matchAt(LITERAL_PREFIX, text, at).length === end;
    if (at >= end || isTruncated) {
      at = end;
      const missing = openClosers.slice(-MAX_SUGGESTED_CLOSERS).reverse().join("");
      return errorAt("unexpected end", `complete the message and close it with \`${missing}\``);
    }
    const char = text.charAt(at);
    const inner = openClosers.at(-1);
    const wasEmpty = isEmpty;
    isEmpty = false;
    const isText =
      char === '"' && (expected === "a value" || expected === "a key in double quotes");
    if (isText) {
      at = endOfString(text, at + 1, end);
      const endChar = text.charAt(at);
      if (at >= end) {
        const help = 'close the string with `"`, then close the open brackets';
        return errorAt("unexpected end inside a string", help);
      }
      if (endChar === "\\") {
        const help = 'escape a backslash as `\\\\`; only `" \\ / b f n r t u` may follow one';
        const escaped = `\\${String.fromCodePoint(text.codePointAt(at + 1) ?? 0)}`;
        return errorAt(`invalid escape ${quote(escaped)} in a string`, help, escaped.length);
      }
      if (endChar !== '"') {
        const escaped = JSON.stringify(endChar).slice(1, -1);
        const help = `write it as \`${escaped}\`, or close the string with \`"\` before it`;
        return errorAt("control character in a string", help, 1);
      }
      at += 1;
      expected = expected === "a value" ? tokenAfterValue(inner) : "`:`";
    } else if (literal !== "") {
      at += literal.length;
      expected = tokenAfterValue(inner);
    } else if (expected === "a value" && (char === "{" || char === "[")) {
      openClosers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "a key in double quotes" : "a value";
      at += 1;
      isEmpty = true;
    } else if (char === inner && (expected === "`,`" || wasEmpty)) {
      openClosers.pop();
      at += 1;
      expected = tokenAfterValue(openClosers.at(-1));
    } else if (char === "," && expected === "`,`") {
      at += 1;
      expected = inner === "}" ? "a key in double quotes" : "a value";
    } else if (char === ":" && expected === "`:`") {
      at += 1;
      expected = "a value";
    } else {
      const found = matchAt(WORD, text, at) || String.fromCodePoint(text.codePointAt(at) ?? 0);
      const what = `expected ${expected}, found ${quote(found)}`;
      return errorAt(what, fixFor(found, expected, text.slice(start, at).trimEnd()), found.length);
    }
  }
}

/** Returns the expected token after a value. */
function tokenAfterValue(inner: string | undefined): ExpectedToken {
  return inner === undefined ? "the end" : "`,`";
}

/** Returns the match of a sticky pattern at an offset, or an empty string. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Returns the offset of the closing quote or of the first invalid character. */
function endOfString(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charAt(at) !== '"' && text.charAt(at) >= " ") {
    const length = text.charAt(at) === "\\" ? matchAt(ESCAPE, text, at).length : 1;
    // A truncated escape is not an invalid one.
    if (length === 0)
      return TRUNCATED_ESCAPE.test(text.slice(at, Math.min(at + 6, end))) ? end : at;
    at += length;
  }
  return Math.min(at, end);
}

/** Returns the help for an unexpected token. */
function fixFor(found: string, expected: ExpectedToken, before: string): string {
  if (/^['‘’“”„`]/u.test(found)) return 'write strings and keys in double quotes: `"`';
  if (/^[/#]/.test(found)) return "remove the comment, because JSON has none";
  if (/^[}\]]/.test(found)) {
    if (before.endsWith(",")) return "remove the comma before it";
    if (expected === "a value") return "write the missing value, or `null`";
    if (expected === "`,`") {
      return found === "}" ? "close the list with `]` first" : "close the object with `}` first";
    }
  }
  if (found === "," && before.endsWith(":")) return "write the missing value, or `null`";
  if (found === "," && expected !== "`:`") return "remove this comma";
  switch (expected) {
    case "a value":
      if (/[\d.+-]/.test(found.charAt(0)))
        return "write a number as in `-0.5`, without leading zeros";
      return LITERAL_FIXES[found.toLowerCase()] ?? "write a string in double quotes";
    case "a key in double quotes":
      return "put the key in double quotes";
    case "`:`":
      return "put `:` between the key and its value";
    case "`,`":
      return before.endsWith('"')
        ? 'write a quote inside a string as `\\"`, or write a comma between two items'
        : "put a comma between two items, or close the object or list before it";
    default:
      return "write each message separately";
  }
}
