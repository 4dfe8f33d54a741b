// Fast CSV reader in plain JavaScript: slices between commas.

/** Calls `each(cells)` for every row after the header. */
export function readCsv(text, each) {
  let at = text.indexOf("\n") + 1;
  while (at < text.length) {
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const cells = [];
    while (at <= end) {
      if (text.charCodeAt(at) === 34) {
        const close = text.indexOf('"', at + 1);
        cells.push(text.slice(at + 1, close));
        at = close + 2;
      } else {
        const comma = text.indexOf(",", at);
        const stop = comma < 0 || comma > end ? end : comma;
        cells.push(text.slice(at, stop));
        at = stop + 1;
      }
    }
    each(cells);
    at = end + 1;
  }
}
