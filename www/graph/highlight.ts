import type { Colour } from "../editor/pane.js";
import { colours as json } from "../surface/highlight.js";
import { commands, words as inner } from "./keywords.js";

const token =
  /(?<comment>(?:^|(?<=\n))[ \t]*(?:--|#)[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?<bound>\$\{[^}\n]*\}?)|(?<word>\b[A-Z][A-Z_]+\b)|(?<number>-?\b\d[\d.]*\b)/g;

const words = new Set([...Object.keys(commands), ...inner]);
const begins = new RegExp(`^\\s*(?:${Object.keys(commands).join("|")})\\b`);

/** GASL: its words, texts, numbers and what is bound; in a JSON plan, inside the strings that are commands. */
export function colours(text: string): Colour[] {
  let from = 0;
  return text.split("\n").flatMap((line) => {
    const start = from;
    from += line.length + 1;
    return ofLine(line).map(([a, b, name]): Colour => [start + a, start + b, name]);
  });
}

function ofLine(line: string): Colour[] {
  // A command begins with a word, so what begins with one of these is JSON.
  if (!/^\s*(?:["{}\]]|\[)/.test(line)) return ofCommand(line);
  return json(line).flatMap(([start, end, name]): Colour[] => {
    const quoted = line.slice(start + 1, end);
    if (name !== "t-string" || !begins.test(quoted)) return [[start, end, name]];
    // What is escaped in the string is not so in the command; the length stays, so that places do.
    const command = quoted
      .replace(/"$/, " ")
      .replace(/\\./g, (two) => (two === '\\"' ? ' "' : "  "));
    const pieces = ofCommand(command).map(
      ([a, b, kind]): Colour => [start + 1 + a, start + 1 + b, kind],
    );
    return [[start, start + 1, "t-string"], ...pieces];
  });
}

function ofCommand(text: string): Colour[] {
  return [...text.matchAll(token)].flatMap((match): Colour[] => {
    const { comment, text: quoted, bound, word } = match.groups ?? {};
    const place = (name: string): Colour[] => [[match.index, match.index + match[0].length, name]];
    if (comment !== undefined) return place("t-comment");
    if (quoted !== undefined) return place("t-string");
    if (bound !== undefined) return place("t-pointer");
    if (word !== undefined) return words.has(word) ? place("t-command") : [];
    return place("t-word");
  });
}
