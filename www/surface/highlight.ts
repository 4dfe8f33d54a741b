import type { HighlightSpan } from "../editor/pane.js";

const tokenPattern = /"(?:[^"\\]|\\.)*"?(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** Highlights JSON, with separate classes for pointers and removals. */
export function highlightJson(text: string): HighlightSpan[] {
  return [...text.matchAll(tokenPattern)].map((match): HighlightSpan => {
    const [found, colon] = match;
    const end = match.index + found.length - (colon?.length ?? 0);
    return [match.index, end, tokenClass(found, colon !== undefined)];
  });
}

function tokenClass(found: string, isKey: boolean): string {
  if (found.startsWith('"!') && isKey) return "t-gone";
  if (isKey) return "t-key";
  if (found.startsWith('"*')) return "t-pointer";
  return found.startsWith('"') ? "t-string" : "t-word";
}
