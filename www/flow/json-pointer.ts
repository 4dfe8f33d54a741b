/** Where the value at a JSON pointer stands in the text; nothing where the text does not go so far. */
export function placeOf(text: string, pointer: string): { start: number; end: number } | null {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at = skip(text, 0);
  for (const step of steps) {
    const inside = entry(text, at, step);
    if (inside === null) return null;
    at = inside;
  }
  const end = endOf(text, at);
  return end > at ? { start: at, end } : null;
}

function skip(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next += 1;
  return next;
}

/** Where an entry of the list or map at this offset begins. */
function entry(text: string, at: number, step: string): number | null {
  const open = text[at];
  if (open !== "[" && open !== "{") return null;
  let next = skip(text, at + 1);
  for (let index = 0; next < text.length && !/[\]}]/.test(text[next] ?? ""); index++) {
    let name = String(index);
    if (open === "{") {
      const end = endOf(text, next);
      name = nameOf(text.slice(next, end));
      next = skip(text, skip(text, end) + 1);
    }
    if (name === step) return next;
    next = skip(text, endOf(text, next));
    if (text[next] !== ",") return null;
    next = skip(text, next + 1);
  }
  return null;
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

const token = /"(?:[^"\\]|\\.)*"?|[{}[\]]|[^\s",{}[\]:]+/g;

/** Where the value at this offset ends. */
function endOf(text: string, at: number): number {
  let depth = 0;
  token.lastIndex = at;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [piece] = found;
    if (piece === "{" || piece === "[") depth += 1;
    if (piece === "}" || piece === "]") depth -= 1;
    if (depth <= 0) return token.lastIndex;
  }
  return text.length;
}
