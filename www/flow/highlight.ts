import type { HighlightSpan } from "../editor/pane.js";
import { highlightJson } from "../surface/highlight.js";

const template = /\$\{[^}"\n]*\}|\$[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*/g;

/** Highlights JSON and the names in its templates. */
export function highlightWorkflow(text: string): HighlightSpan[] {
  return highlightJson(text).flatMap(([start, end, name]): HighlightSpan[] => {
    if (name !== "t-string" && name !== "t-pointer") return [[start, end, name]];
    const pieces: HighlightSpan[] = [];
    let at = start;
    for (const found of text.slice(start, end).matchAll(template)) {
      const from = start + found.index;
      if (from > at) pieces.push([at, from, "t-string"]);
      at = from + found[0].length;
      pieces.push([from, at, "t-pointer"]);
    }
    if (end > at) pieces.push([at, end, "t-string"]);
    return pieces;
  });
}
