import type { HighlightSpan } from "../editor/pane.js";
import { highlightJson } from "../surface/highlight.js";
import { commandDescriptions, keywords } from "./keywords.js";

const tokenPattern =
  /(?<comment>(?:^|(?<=\n))[ \t]*(?:--|#)[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?<bound>\$\{[^}\n]*\}?)|(?<word>\b[A-Z][A-Z_]+\b)|(?<number>-?\b\d[\d.]*\b)/g;

const keywordSet = new Set([...Object.keys(commandDescriptions), ...keywords]);
const commandStart = new RegExp(`^\\s*(?:${Object.keys(commandDescriptions).join("|")})\\b`);

/** Highlights GASL; in a JSON plan, the commands inside strings. */
export function highlightGasl(text: string): HighlightSpan[] {
  let from = 0;
  return text.split("\n").flatMap((line) => {
    const start = from;
    from += line.length + 1;
    return highlightLine(line).map(([a, b, name]): HighlightSpan => [start + a, start + b, name]);
  });
}

function highlightLine(line: string): HighlightSpan[] {
  // A command begins with a keyword, so such a line is JSON.
  if (!/^\s*(?:["{}\]]|\[)/.test(line)) return highlightCommand(line);
  return highlightJson(line).flatMap(([start, end, name]): HighlightSpan[] => {
    const quoted = line.slice(start + 1, end);
    if (name !== "t-string" || !commandStart.test(quoted)) return [[start, end, name]];
    // Replaces escapes by text of equal length, so that offsets stay valid.
    const command = quoted
      .replace(/"$/, " ")
      .replace(/\\./g, (two) => (two === '\\"' ? ' "' : "  "));
    const pieces = highlightCommand(command).map(
      ([a, b, kind]): HighlightSpan => [start + 1 + a, start + 1 + b, kind],
    );
    return [[start, start + 1, "t-string"], ...pieces];
  });
}

function highlightCommand(text: string): HighlightSpan[] {
  return [...text.matchAll(tokenPattern)].flatMap((match): HighlightSpan[] => {
    const { comment, text: quoted, bound, word } = match.groups ?? {};
    const place = (name: string): HighlightSpan[] => [
      [match.index, match.index + match[0].length, name],
    ];
    if (comment !== undefined) return place("t-comment");
    if (quoted !== undefined) return place("t-string");
    if (bound !== undefined) return place("t-pointer");
    if (word !== undefined) return keywordSet.has(word) ? place("t-command") : [];
    return place("t-word");
  });
}
