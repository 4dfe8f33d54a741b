/** Text with decoded escapes. */
export interface DecodedText {
  text: string;
  /** Returns the offset in the original text of an offset in this one, in UTF-16 units. */
  offsetOf: (index: number) => number;
}

/**
 * Escapes of JSON, JavaScript, HTML and URLs. Encoders differ in the characters that they
 * escaped, so any character may be escaped or not.
 */
const ESCAPE =
  /[\\%]u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|&#x0{0,8}([\da-f]{1,6});?|&#0{0,8}(\d{1,7});?|&([a-z]{2,8});|\\([01][0-7]{2})|\\([\s\S])|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[\da-f](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;

/** Start of an escape at the end of a text. */
const OPEN_ESCAPE =
  /(?:\\(?:u(?:[\da-f]{0,3}|\{[\da-f]{0,6})|x[\da-f]?|[01][0-7]?)?|%(?:(?:[cd][\da-f]|e[\da-f](?:%[89ab][\da-f])?|f[\da-f](?:%[89ab][\da-f]){0,2})(?:%[89ab]?)?|u[\da-f]{0,3}|[\da-f]?)|&(?:#(?:\d{0,15}|x[\da-f]{0,14})|[a-z]{0,8}))$/i;
const MAX_OPEN_ESCAPE = 17;

/** Characters by their names in HTML, and by their letters after a backslash. */
const NAMED_CHARACTERS = new Map([
  ...Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", tab: "\t", newline: "\n" }),
  // The last character of each word is that of the name before it.
  ...`excl! quot" num# dollar$ percnt% amp& apos' lpar( rpar) ast* midast* plus+ comma, period. sol/
    colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_
    underbar_ grave\` lcub{ lbrace{ verbar| vert| rcub} rbrace}`
    .split(/\s+/)
    .map((word) => [word.slice(0, -1), word.slice(-1)] as const),
]);

/** Maximum number of escapes inside each other, such as a URL in JSON in a log in JSON. */
const MAX_LAYERS = 4;

/**
 * Yields a text, and the text with its escapes decoded once, twice and so on. Escapes that begin at
 * or after `limitOf` a layer stay.
 */
export function* decodedLayers(
  original: string,
  limitOf = ({ length }: string): number => length,
): Generator<DecodedText, void> {
  let layer: DecodedText | undefined = { text: unifySpaces(original), offsetOf: (index) => index };
  for (let depth = 0; layer !== undefined && depth <= MAX_LAYERS; depth++) {
    yield layer;
    layer = decode(layer, limitOf(layer.text));
  }
}

/**
 * Returns the length of a text, and the offsets of escapes at its end that are not complete: the
 * last one, one that it interrupts, and so on.
 */
export function openEnds(text: string): number[] {
  const ends = [text.length];
  for (let end = text.length; ends.length <= MAX_LAYERS; ends.push(end)) {
    const from = Math.max(0, end - MAX_OPEN_ESCAPE);
    const at = text.slice(from, end).search(OPEN_ESCAPE);
    if (at < 0) break;
    end = from + at;
  }
  return ends;
}

/** Forms escape a space as `+`, so both are equal. */
function unifySpaces(text: string): string {
  return text.replaceAll("+", " ");
}

/** Decodes the escapes that begin before a limit, or returns `undefined` if there are none. */
function decode({ text, offsetOf }: DecodedText, limit: number): DecodedText | undefined {
  let offsets: Uint32Array | undefined;
  let decoded = "";
  let copied = 0;
  const copyUntil = (end: number) => {
    offsets ??= new Uint32Array(text.length + 1);
    for (let index = copied; index < end; index++)
      offsets[decoded.length + index - copied] = offsetOf(index);
    decoded += text.slice(copied, end);
  };
  for (const match of text.matchAll(ESCAPE)) {
    const [escaped] = match;
    const characters = unifySpaces(decodeEscape(match));
    if (characters === escaped || match.index >= limit) continue;
    copyUntil(match.index);
    offsets?.fill(offsetOf(match.index), decoded.length, decoded.length + characters.length);
    decoded += characters;
    copied = match.index + escaped.length;
  }
  if (offsets === undefined) return undefined;
  copyUntil(text.length);
  offsets[decoded.length] = offsetOf(text.length);
  const found = offsets;
  return { text: decoded, offsetOf: (index) => found[index] ?? offsetOf(text.length) };
}

function decodeEscape(match: RegExpMatchArray): string {
  const [escaped, unit, point, byte, hex, decimal, name, octal, simple] = match;
  const digits = unit ?? point ?? byte ?? hex;
  if (digits !== undefined) return characterOf(Number.parseInt(digits, 16), escaped);
  if (decimal !== undefined) return characterOf(Number(decimal), escaped);
  if (name !== undefined) return NAMED_CHARACTERS.get(name.toLowerCase()) ?? escaped;
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (simple !== undefined) return NAMED_CHARACTERS.get(simple) ?? simple;
  return decodeBytes(escaped);
}

/** Returns the character of escaped bytes of UTF-8, or of a single byte of Latin-1. */
function decodeBytes(escaped: string): string {
  const [, first = 0, ...rest] = escaped.split("%").map((hex) => Number.parseInt(hex, 16));
  const bits = rest.length === 0 ? first : first & (0x3f >> rest.length);
  const code = rest.reduce((sum, byte) => (sum << 6) | (byte & 0x3f), bits);
  return characterOf(code, escaped);
}

/** Returns the character of a code point, or the escape if there is none. */
function characterOf(code: number, escaped: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : escaped;
}
