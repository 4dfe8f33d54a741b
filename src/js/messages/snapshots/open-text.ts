/** JSON text of a value whose last part may grow. */
export interface OpenText {
  /** Text without the closing brackets and quote of the last part, and without its scalar. */
  open: string;
  /** Number or literal at the end, which further digits may change; empty for other values. */
  scalar: string;
}

/** Length of an escaped surrogate, such as `\ud83c`. */
const ESCAPE_LENGTH = 6;

/** Number of digits from which a number is rounded. */
const MAX_EXACT_LENGTH = 15;

/** Splits a JSON text into the part that stays when its last value grows, and the scalar after. */
export function openTextOf(text: string): OpenText {
  let end = text.length;
  while (/[\]}]/.test(text.charAt(end - 1))) end -= 1;
  if (text.charAt(end - 1) === '"') {
    end -= 1;
    // A high surrogate at the end is escaped until the low one has arrived.
    const last = text.slice(end - ESCAPE_LENGTH, end);
    if (/^\\ud[89ab][0-9a-f]{2}$/.test(last)) end -= ESCAPE_LENGTH;
    return { open: text.slice(0, end), scalar: "" };
  }
  const scalarEnd = end;
  while (/[-+.\w]/.test(text.charAt(end - 1))) end -= 1;
  return { open: text.slice(0, end), scalar: text.slice(end, scalarEnd) };
}

/** Returns whether a text continues an open text. */
export function continuesText({ open, scalar }: OpenText, text: string): boolean {
  if (!text.startsWith(open)) return false;
  const [next = ""] = /^[-+.\w]*/.exec(text.slice(open.length, open.length + 40)) ?? [];
  return scalar === "" || continuesScalar(scalar, next);
}

/** Returns whether a number or literal is the beginning of another, as JSON text. */
export function continuesScalar(scalar: string, next: string): boolean {
  if (next.startsWith(scalar)) return true;
  // `-0` is written as `0`, and long numbers are rounded.
  if (scalar === "0" && /^-0/.test(next)) return true;
  return /^-?\d/.test(scalar) && /^-?\d/.test(next) && isRounded(next);
}

function isRounded(number: string): boolean {
  return number.length > MAX_EXACT_LENGTH || number.includes("e");
}
