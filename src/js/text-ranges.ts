/** Start and end of a part of a text, as UTF-16 offsets. */
export type TextRange = [start: number, end: number];

/** Returns the ranges of a word in a text. Occurrences that overlap are one range. */
export function rangesOf(text: string, word: string): TextRange[] {
  const ranges: TextRange[] = [];
  if (word.length > text.length) return ranges;
  searchWord(text, word, 0, (end) => {
    const last = ranges.at(-1);
    const start = end - word.length;
    if (last !== undefined && start < last[1]) last[1] = end;
    else ranges.push([start, end]);
  });
  return ranges;
}

/**
 * Returns the start of the longest end of a text that begins a word, but is not all of it, or the
 * length of the text.
 */
export function startOfPart(text: string, word: string): number {
  const from = Math.max(0, text.length - word.length + 1);
  return text.length - searchWord(text, word, from, () => {});
}

/**
 * Calls `onEnd` with the end of each occurrence of a word at or after an offset. Returns the length
 * of the longest end of the text that begins the word. Linear (Knuth, Morris and Pratt 1977).
 */
function searchWord(
  text: string,
  word: string,
  from: number,
  onEnd: (end: number) => void,
): number {
  const begin = word.charAt(0);
  let at = begin === "" ? -1 : text.indexOf(begin, from);
  if (at < 0) return 0;
  const borders = bordersOf(word);
  let matched = 0;
  for (; at < text.length; at++) {
    if (matched === 0) {
      at = text.indexOf(begin, at);
      if (at < 0) return 0;
    }
    matched = nextMatched(word, borders, matched, text.charCodeAt(at));
    if (matched < word.length) continue;
    onEnd(at + 1);
    matched = borders[matched] ?? 0;
  }
  return matched;
}

/** Returns for each start of a word the length of its longest end that also begins it. */
function bordersOf(word: string): Uint32Array {
  const borders = new Uint32Array(word.length + 1);
  for (let at = 1; at < word.length; at++)
    borders[at + 1] = nextMatched(word, borders, borders[at] ?? 0, word.charCodeAt(at));
  return borders;
}

/** Returns the number of matched units of a word after the next unit of a text. */
function nextMatched(word: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && word.charCodeAt(length) !== unit) length = borders[length] ?? 0;
  return word.charCodeAt(length) === unit ? length + 1 : 0;
}

/** Replaces parts of a text. Those that overlap are replaced as one. */
export function replaceRanges(
  text: string,
  ranges: readonly TextRange[],
  replacement: (length: number) => string,
): string {
  let clean = "";
  let copied = 0;
  const merged: TextRange[] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  for (const [start, end] of merged) {
    clean += text.slice(copied, start) + replacement(end - start);
    copied = end;
  }
  return clean + text.slice(copied);
}
