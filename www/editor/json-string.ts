/** JSON string at an offset, and its context. */
export interface JsonStringContext {
  /** Offset of its first character. */
  from: number;
  /** Its characters before the offset. */
  prefix: string;
  isKey: boolean;
  /** Keys and indices of the value; for a key, those of its object. */
  path: (string | number)[];
  /** String values of the same object by key. */
  siblings: Map<string, string>;
}

/** Maximum length scanned, because each key press scans the text again. */
const maxScannedLength = 400_000;

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\],]|:/g;

interface Level {
  list: boolean;
  index: number;
  key: string;
  expectsKey: boolean;
  strings: Map<string, string>;
}

/** Returns the string at an offset, also in incomplete JSON, or null if there is none. */
export function jsonStringAt(text: string, offset: number): JsonStringContext | null {
  if (text.length > maxScannedLength) return null;
  const levels: Level[] = [];
  let found: JsonStringContext | null = null;
  let depth = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [symbol] = match;
    const top = levels.at(-1);
    if (symbol === "{" || symbol === "[") {
      const list = symbol === "[";
      levels.push({ list, index: 0, key: "", expectsKey: !list, strings: new Map() });
    } else if (symbol === "}" || symbol === "]") {
      if (found && levels.length === depth) break;
      levels.pop();
    } else if (symbol === ",") {
      if (top) top.index += 1;
      if (top) top.expectsKey = !top.list;
    } else if (symbol === ":") {
      if (top) top.expectsKey = false;
    } else {
      const closed = symbol.length > 1 && symbol.endsWith('"');
      const inner = symbol.slice(1, closed ? -1 : undefined);
      const from = match.index + 1;
      if (!found && offset >= from && offset <= from + inner.length) {
        const isKey = top?.expectsKey === true;
        const path = levels.map(({ list, index, key }) => (list ? index : key));
        found = {
          from,
          prefix: text.slice(from, offset),
          isKey,
          path: isKey ? path.slice(0, -1) : path,
          siblings: top?.strings ?? new Map(),
        };
        depth = levels.length;
      }
      if (!found && match.index > offset) return null;
      if (top?.expectsKey) {
        top.key = inner;
        top.expectsKey = false;
      } else if (top && !top.list) top.strings.set(top.key, inner);
    }
  }
  return found;
}
