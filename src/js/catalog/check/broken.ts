import type { Location } from "../../wire.js";
import { quote } from "./names.js";
import type { Fault } from "./values.js";

/** What has to come next in JSON text. */
type Wanted = "a value" | "a key in double quotes" | "`:`" | "`,`" | "the end";

/** How much of the text before the fault is shown: a model knows its own words, and counts no characters. */
const SHOWN = 24;
/** At most this many closing brackets are shown. */
const CLOSED = 40;

const BLANK = /[ \t\n\r]*/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.$])/y;
/** What may be the beginning of one. */
const PART = /[\w.+-]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const CUT = /^\\(?:u[\da-fA-F]{0,3})?$/;

/** What the words of other languages are in JSON. */
const MEANT: { readonly [word: string]: string } = {
  true: "write `true`",
  false: "write `false`",
  none: "write `null`",
  null: "write `null`",
  nil: "write `null`",
  undefined: "write `null`",
  nan: "write `null` or a string, because JSON has no such number",
  infinity: "write `null` or a string, because JSON has no such number",
};

/** Where a message that is no JSON breaks, and the repair. `name` is what the message is called. */
export function brokenAt(
  text: string,
  { start, end }: { start: number; end: number },
  name: string,
): Fault & { place: Location } {
  /** The brackets that have to close what is open. */
  const open: string[] = [];
  let wanted: Wanted = "a value";
  /** Whether nothing stands as yet in what was opened last. */
  let isEmpty = false;
  let at = start;
  const fault = (what: string, help: string, length = 0): Fault & { place: Location } => {
    const before = text
      .slice(start, at)
      .trimEnd()
      .slice(-SHOWN)
      .replace(/^[\udc00-\udfff]/, "");
    const message = `${name} is no JSON: ${what}${before === "" ? "" : ` after ${quote(before)}`}`;
    const place = { kind: "text", start: at, end: at + length } as const;
    return { code: "CAT009", severity: "error", message, help, path: [], place };
  };
  for (;;) {
    at += taken(BLANK, text, at).length;
    const literal = wanted === "a value" ? taken(LITERAL, text, at) : "";
    const isCut =
      wanted === "a value" && literal === "" && at + taken(PART, text, at).length === end;
    if (at >= end || isCut) {
      at = end;
      const closers = open.slice(-CLOSED).reverse().join("");
      return fault("it ends early", `it was cut: finish it, and close it with \`${closers}\``);
    }
    const mark = text.charAt(at);
    const inner = open.at(-1);
    const wasEmpty = isEmpty;
    isEmpty = false;
    const isText = mark === '"' && (wanted === "a value" || wanted === "a key in double quotes");
    if (isText) {
      at = stopOf(text, at + 1, end);
      const stop = text.charAt(at);
      if (at >= end) {
        const help = 'close the string with `"`, and what is open around it';
        return fault("it ends inside a string", help);
      }
      if (stop === "\\") {
        const help = 'escape a backslash as `\\\\`; only `" \\ / b f n r t u` may follow one';
        const escaped = `\\${String.fromCodePoint(text.codePointAt(at + 1) ?? 0)}`;
        return fault(`${quote(escaped)} inside a string`, help, escaped.length);
      }
      if (stop !== '"') {
        const escaped = JSON.stringify(stop).slice(1, -1);
        const help = `write it as \`${escaped}\`, or close the string with \`"\` before it`;
        return fault("a control character inside a string", help, 1);
      }
      at += 1;
      wanted = wanted === "a value" ? next(inner) : "`:`";
    } else if (literal !== "") {
      at += literal.length;
      wanted = next(inner);
    } else if (wanted === "a value" && (mark === "{" || mark === "[")) {
      open.push(mark === "{" ? "}" : "]");
      wanted = mark === "{" ? "a key in double quotes" : "a value";
      at += 1;
      isEmpty = true;
    } else if (mark === inner && (wanted === "`,`" || wasEmpty)) {
      open.pop();
      at += 1;
      wanted = next(open.at(-1));
    } else if (mark === "," && wanted === "`,`") {
      at += 1;
      wanted = inner === "}" ? "a key in double quotes" : "a value";
    } else if (mark === ":" && wanted === "`:`") {
      at += 1;
      wanted = "a value";
    } else {
      const found = taken(WORD, text, at) || String.fromCodePoint(text.codePointAt(at) ?? 0);
      const what = `${quote(found)} where ${wanted} is due,`;
      return fault(what, repair(found, wanted, text.slice(start, at).trimEnd()), found.length);
    }
  }
}

/** What follows a value, inside of what a bracket closes. */
function next(inner: string | undefined): Wanted {
  return inner === undefined ? "the end" : "`,`";
}

/** What a pattern takes of a text at a place. */
function taken(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Where a string is closed, or cannot go on. */
function stopOf(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charAt(at) !== '"' && text.charAt(at) >= " ") {
    const length = text.charAt(at) === "\\" ? taken(ESCAPE, text, at).length : 1;
    // One that is cut is none that is wrong.
    if (length === 0) return CUT.test(text.slice(at, Math.min(at + 6, end))) ? end : at;
    at += length;
  }
  return Math.min(at, end);
}

/** What to write in place of what was found. */
function repair(found: string, wanted: Wanted, before: string): string {
  if (/^['‘’“”„`]/u.test(found)) return 'write strings and keys in double quotes: `"`';
  if (/^[/#]/.test(found)) return "JSON has no comments: remove it";
  if (/^[}\]]/.test(found)) {
    if (before.endsWith(",")) return "remove the comma before it";
    if (wanted === "a value") return "write the missing value, or `null`";
    if (wanted === "`,`") {
      return found === "}" ? "close the list with `]` first" : "close the object with `}` first";
    }
  }
  if (found === "," && before.endsWith(":")) return "write the missing value, or `null`";
  if (found === "," && wanted !== "`:`") return "remove this comma";
  switch (wanted) {
    case "a value":
      if (/[\d.+-]/.test(found.charAt(0)))
        return "write a number as in `-0.5`, without leading zeros";
      return MEANT[found.toLowerCase()] ?? "write a string in double quotes";
    case "a key in double quotes":
      return "put the key in double quotes";
    case "`:`":
      return "put `:` between the key and its value";
    case "`,`":
      return before.endsWith('"')
        ? 'write a quote inside a string as `\\"`, or write a comma between two items'
        : "put a comma between two items, or close the object or list before it";
    default:
      return "write each message by itself";
  }
}
