import type { Colour } from "../editor/pane.js";

const token = /"(?:[^"\\]|\\.)*"?(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON, with pointers and removals told apart. */
export function colours(text: string): Colour[] {
  return [...text.matchAll(token)].map((match): Colour => {
    const [found, colon] = match;
    const end = match.index + found.length - (colon?.length ?? 0);
    return [match.index, end, kind(found, colon !== undefined)];
  });
}

function kind(found: string, key: boolean): string {
  if (found.startsWith('"!') && key) return "t-gone";
  if (key) return "t-key";
  if (found.startsWith('"*')) return "t-pointer";
  return found.startsWith('"') ? "t-string" : "t-word";
}
