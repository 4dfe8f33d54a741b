/** Returns the range of the value at a JSON pointer, or null if the text has none. */
export function locatePointer(
  text: string,
  pointer: string,
): { start: number; end: number } | null {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let offset = skipWhitespace(text, 0);
  for (const step of steps) {
    const inside = findEntry(text, offset, step);
    if (inside === null) return null;
    offset = inside;
  }
  const end = valueEnd(text, offset);
  return end > offset ? { start: offset, end } : null;
}

function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next += 1;
  return next;
}

/** Returns the offset of an entry of the list or map at this offset, or null. */
function findEntry(text: string, at: number, step: string): number | null {
  const open = text[at];
  if (open !== "[" && open !== "{") return null;
  let next = skipWhitespace(text, at + 1);
  for (let index = 0; next < text.length && !/[\]}]/.test(text[next] ?? ""); index++) {
    let name = String(index);
    if (open === "{") {
      const end = valueEnd(text, next);
      name = unquoteToken(text.slice(next, end));
      next = skipWhitespace(text, skipWhitespace(text, end) + 1);
    }
    if (name === step) return next;
    next = skipWhitespace(text, valueEnd(text, next));
    if (text[next] !== ",") return null;
    next = skipWhitespace(text, next + 1);
  }
  return null;
}

function unquoteToken(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

const token = /"(?:[^"\\]|\\.)*"?|[{}[\]]|[^\s",{}[\]:]+/g;

/** Returns the offset after the value at this offset. */
function valueEnd(text: string, at: number): number {
  let depth = 0;
  token.lastIndex = at;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [symbol] = found;
    if (symbol === "{" || symbol === "[") depth += 1;
    if (symbol === "}" || symbol === "]") depth -= 1;
    if (depth <= 0) return token.lastIndex;
  }
  return text.length;
}
