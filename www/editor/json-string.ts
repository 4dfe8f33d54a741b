/** A string of a JSON text that somebody stands in, and what is around it. */
export interface Quoted {
  /** Where its characters begin. */
  from: number;
  /** What it holds up to the place. */
  words: string;
  isKey: boolean;
  /** Keys and indices down to the value; of a key, down to its object. */
  path: (string | number)[];
  /** The strings beside it in its object, before and after. */
  beside: Map<string, string>;
}

/** In a longer text nobody is helped: it would be read anew at each key. */
const most = 400_000;

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\],]|:/g;

interface Level {
  list: boolean;
  index: number;
  key: string;
  /** The next string of a map is a key. */
  keyIsNext: boolean;
  strings: Map<string, string>;
}

/** The string around a place, also in a text that is not whole; nothing where the place is in none. */
export function quotedAt(text: string, at: number): Quoted | null {
  if (text.length > most) return null;
  const levels: Level[] = [];
  let found: Quoted | null = null;
  let depth = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [piece] = match;
    const top = levels.at(-1);
    if (piece === "{" || piece === "[") {
      const list = piece === "[";
      levels.push({ list, index: 0, key: "", keyIsNext: !list, strings: new Map() });
    } else if (piece === "}" || piece === "]") {
      if (found && levels.length === depth) break;
      levels.pop();
    } else if (piece === ",") {
      if (top) top.index += 1;
      if (top) top.keyIsNext = !top.list;
    } else if (piece === ":") {
      if (top) top.keyIsNext = false;
    } else {
      const closed = piece.length > 1 && piece.endsWith('"');
      const inner = piece.slice(1, closed ? -1 : undefined);
      const from = match.index + 1;
      if (!found && at >= from && at <= from + inner.length) {
        const isKey = top?.keyIsNext === true;
        const path = levels.map(({ list, index, key }) => (list ? index : key));
        found = {
          from,
          words: text.slice(from, at),
          isKey,
          path: isKey ? path.slice(0, -1) : path,
          beside: top?.strings ?? new Map(),
        };
        depth = levels.length;
      }
      if (!found && match.index > at) return null;
      if (top?.keyIsNext) {
        top.key = inner;
        top.keyIsNext = false;
      } else if (top && !top.list) top.strings.set(top.key, inner);
    }
  }
  return found;
}
