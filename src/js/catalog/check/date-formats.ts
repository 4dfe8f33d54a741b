import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import { listNames, quote } from "./suggestions.js";
import { describeLocation, type ValueLocation } from "./value-location.js";

/** Quoted text, or a field: a letter, repeated. */
const TOKEN = /'(?:[^']|'')*'|([a-zA-Z])\1*/g;
/** Fields of Unicode patterns (TR35) that `formatDate` fills in. */
const FIELD = /^(?:y+|M{1,5}|L{1,5}|d{1,2}|E{1,5}|a+|[hHms]{1,2}|S+)$/;
/** Characters for the quotes of letters that become text. */
const OPENING_QUOTE = "\u0001";
const CLOSING_QUOTE = "\u0002";
const FIELD_LETTERS = "y M d E a h H m s S";
/** Fields of other pattern languages, and those of Unicode. */
const CORRECTIONS: readonly (readonly [RegExp, (field: string, format: string) => string])[] = [
  [/^Y/, (field) => field.toLowerCase()],
  [/^D{1,2}$/, (field) => field.toLowerCase()],
  [/^A/, () => "a"],
  [/^(?:d{4,}|e{4,}|c{4,})$/, () => "EEEE"],
  [/^(?:ddd|eee|ccc)$/, () => "E"],
  [/^m{3,}$/, (field) => field.toUpperCase()],
  [/^u/, (field) => field.replaceAll("u", "y")],
  [/^k/, (field) => field.replaceAll("k", "H")],
  [/^K/, (field, format) => field.replaceAll("K", /a/i.test(format) ? "h" : "H")],
];

/** Warns about date letters that `formatDate` does not know. */
export function checkDateFormat(format: unknown, location: ValueLocation): PathDiagnostic[] {
  if (typeof format !== "string" || format === "ISO") return [];
  const unknown = new Set<string>();
  const corrected = format.replace(TOKEN, (token, letter: string | undefined, at: number) => {
    if (letter === undefined || FIELD.test(token)) return token;
    unknown.add(token);
    // `do` is an ordinal in other languages.
    if (token === "o" && /[dDM]/.test(format.charAt(at - 1))) return "";
    const correction = CORRECTIONS.find(([pattern]) => pattern.test(token));
    return correction?.[1](token, format) ?? OPENING_QUOTE + token + CLOSING_QUOTE;
  });
  if (unknown.size === 0) return [];
  // Adjacent letters are one quoted text, because two quotes are an apostrophe.
  const quoted = corrected
    .replaceAll(CLOSING_QUOTE + OPENING_QUOTE, "")
    .replaceAll(OPENING_QUOTE, "'")
    .replaceAll(CLOSING_QUOTE, "'");
  const message = `unknown date letters ${listNames([...unknown])} in ${describeLocation(location)}`;
  // A single word is the name of a style.
  const isStyle =
    /^(?!.*(?:yy|MM|dd|HH|mm))[a-zA-Z]+$/.test(format) && corrected.includes(OPENING_QUOTE);
  const pattern = isStyle ? "a pattern such as `yyyy-MM-dd`" : quote(quoted);
  const help = `write ${pattern}; the date letters are \`${FIELD_LETTERS}\`, text is in single quotes`;
  return diagnosticsAt("CAT013", location, message, help, "warning");
}
