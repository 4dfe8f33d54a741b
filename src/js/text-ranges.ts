/** Start and end of a part of a text, as UTF-16 offsets. */
export type TextRange = [start: number, end: number];

/** Returns the ranges of a word in a text. Occurrences that overlap are one range. */
export function rangesOf(text: string, word: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const last = ranges.at(-1);
    if (last !== undefined && at < last[1]) last[1] = at + word.length;
    else ranges.push([at, at + word.length]);
  }
  return ranges;
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
