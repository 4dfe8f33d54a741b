import type { Colour } from "../editor.js";

const token =
  /(?<comment>(?:^|(?<=\n))[ \t]*(?:--|#)[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?<bound>\$\{[^}\n]*\}?)|(?<word>\b[A-Z][A-Z_]+\b)|(?<number>-?\b\d[\d.]*\b)/g;

const words = new Set(
  "DECLARE AS LIST DICT COUNTER WITH_DESCRIPTION FIND WHERE LIMIT PROCESS USING RETURNING UPDATE WITH MERGE REPLACE ANALYZE SELECT FIELDS REQUIRE EXISTS ASSERT LEN ON EMPTY ERROR PARTIAL SCHEMA_MISMATCH THEN BRANCH IF ELSE TRY CATCH ANY FINALLY END SET CANCEL PLAN COMPLETE COUNT BY AGGREGATE OF RANK ASC DESC JOIN WALK FROM FOLLOW DEPTH SHOW AND OR NOT IN CONTAINS STARTS_WITH ENDS_WITH IS NULL".split(
    " ",
  ),
);

/** GASL: its words, texts, numbers and what is bound. A JSON plan is coloured by the same rules. */
export function colours(text: string): Colour[] {
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
