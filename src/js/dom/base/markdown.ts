/** Inline element of a text. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "em"; children: Inline[] }
  | { kind: "link"; url: string; children: Inline[] };

export type Block =
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "paragraph"; children: Inline[] }
  | List
  | { kind: "code"; text: string };

export type List = {
  kind: "list";
  ordered: boolean;
  start: number;
  items: Inline[][];
  /** Indentation of the first item in columns, and nesting level. */
  indent: number;
  level: number;
  /** UTF-16 offset of the last item in the text. */
  lastItemOffset: number;
};

/** Maximum depth of nested inline elements, because each level is a recursive call. */
const MAX_INLINE_DEPTH = 6;
/** Maximum distance to a closing delimiter in UTF-16 units, so that parsing takes linear time. */
const MAX_DELIMITER_DISTANCE = 2000;

// Each expression matches a line without backtracking. A list that is indented below another one is
// a separate block after it.
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/s;
const BULLET = /^([ \t]{0,16})[-*+][ \t]+(.*)$/s;
const ORDINAL = /^([ \t]{0,16})(\d{1,9})[.)][ \t]+(.*)$/s;
/** Maximum nesting level of lists; deeper lists get this level. */
const MAX_LIST_LEVEL = 3;
const FENCE = /^ {0,3}```/;
/** Continuation line of a list item: indented, and not a block of its own. */
const CONTINUATION = /^(?: {2}| ?\t)[ \t]{0,14}(?![-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|```)\S/;
const MARKUP = /[*_`[\]#\\\n]|^\s*(?:[-+]|\d+[.)])\s/;

/** Returns whether a text has no Markdown, which is the common case and avoids parsing. */
export function isPlain(text: string): boolean {
  return !MARKUP.test(text);
}

/**
 * Returns the text of a heading without the closing `#` characters and the white space before them.
 */
function stripClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return text.slice(0, end);
}

/** Parsed text: its blocks, and the UTF-16 offset of each. */
export interface Parsed {
  text: string;
  blocks: Block[];
  starts: number[];
}

/**
 * Parses a subset of Markdown: headings, lists, fenced code and paragraphs. HTML is text. If the
 * text extends `previous`, as a streamed text does, its blocks are reused except for the last two,
 * which the added text can change. Items of a list among these are reused except for the last.
 */
export function parseMarkdown(text: string, previous?: Parsed): Parsed {
  if (!previous || previous.blocks.length === 0 || !text.startsWith(previous.text))
    return parse(text);
  const lists = previous.blocks.slice(-2).findIndex(({ kind }) => kind === "list");
  const same = Math.max(0, previous.blocks.length - 2) + Math.max(0, lists);
  const reused = { blocks: previous.blocks.slice(0, same), starts: previous.starts.slice(0, same) };
  const open = previous.blocks[same];
  const start = previous.starts[same] ?? 0;
  if (lists < 0 || open?.kind !== "list") return parse(text, reused, start);
  reused.blocks.push({ ...open, items: open.items.slice(0, -1) });
  reused.starts.push(start);
  return parse(text, reused, open.lastItemOffset, true);
}

/**
 * Parses a text from a UTF-16 offset where a block begins, or an item of the last block if `isItem`
 * is true.
 */
function parse(
  text: string,
  { blocks, starts }: Pick<Parsed, "blocks" | "starts"> = { blocks: [], starts: [] },
  from = 0,
  isItem = false,
): Parsed {
  const raw = text.slice(from).split("\n");
  const lines = raw.map((line) => line.replace(/\r$/, ""));
  let offset = from;
  const lineOffsets = raw.map((line) => {
    const begin = offset;
    offset += line.length + 1;
    return begin;
  });
  const offsetOfLine = (line: number): number => lineOffsets[line] ?? from;
  const add = (block: Block, line: number): void => {
    blocks.push(block);
    starts.push(offsetOfLine(line));
  };
  let paragraph: string[] = [];
  /** Finishes the paragraph that ends before a line. */
  const endParagraph = (line: number): void => {
    if (paragraph.length === 0) return;
    const children = parseInline(paragraph.join("\n"));
    add({ kind: "paragraph", children }, line - paragraph.length);
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (FENCE.test(line)) {
      endParagraph(at);
      const opening = at;
      const code: string[] = [];
      // An unclosed fence extends to the end, because the text may still be streaming.
      for (at += 1; at < lines.length && !FENCE.test(lines[at] ?? ""); at += 1)
        code.push(lines[at] ?? "");
      add({ kind: "code", text: code.join("\n") }, opening);
      continue;
    }
    const head = HEADING.exec(line);
    if (head) {
      endParagraph(at);
      const level = (head[1] ?? "#").length;
      add({ kind: "heading", level, children: parseInline(stripClosingHashes(head[2] ?? "")) }, at);
      continue;
    }
    const dot = BULLET.exec(line);
    const number = dot ? null : ORDINAL.exec(line);
    if (dot || number) {
      endParagraph(at);
      const indent = ((dot ?? number)?.[1] ?? "").replaceAll("\t", "    ").length;
      const block = blocks.at(-1);
      const isNext = at === 0 ? isItem : lines[at - 1]?.trim() !== "";
      const itemOffset = offsetOfLine(at);
      const itemLine = at;
      const itemLines = [(dot ? dot[2] : number?.[3]) ?? ""];
      while (CONTINUATION.test(lines[at + 1] ?? "")) {
        at += 1;
        itemLines.push((lines[at] ?? "").trim());
      }
      const item = parseInline(itemLines.join("\n"));
      const isSame =
        block?.kind === "list" && block.ordered === !dot && !differsInIndent(block, indent);
      if (isSame && isNext) {
        block.items.push(item);
        block.lastItemOffset = itemOffset;
      } else {
        const start = Number(number?.[2] ?? 1);
        const level = nestingLevel(blocks, indent);
        add(
          {
            kind: "list",
            ordered: !dot,
            start,
            items: [item],
            indent,
            level,
            lastItemOffset: itemOffset,
          },
          itemLine,
        );
      }
      continue;
    }
    if (line.trim() === "") endParagraph(at);
    else paragraph.push(line);
  }
  endParagraph(lines.length);
  return { text, blocks, starts };
}

/** Returns whether the indentation of an item differs from that of a list. */
function differsInIndent(list: List, indent: number): boolean {
  return Math.abs(list.indent - indent) > 1;
}

/** Returns the nesting level of a list below the lists directly before it. */
function nestingLevel(blocks: readonly Block[], indent: number): number {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block?.kind !== "list") return 0;
    if (!differsInIndent(block, indent)) return block.level;
    if (block.indent < indent) return Math.min(MAX_LIST_LEVEL, block.level + 1);
  }
  return 0;
}

/** Parses the inline elements of one block. */
function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  let plain = "";
  const searchedUpTo = new Map<string, number>();
  const push = (piece: Inline, next: number): void => {
    if (plain !== "") out.push({ kind: "text", text: plain });
    plain = "";
    out.push(piece);
    at = next;
  };
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === "\\" && /[\\`*_[\]#]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    if (char === "`") {
      const end = find(text, "`", at + 1);
      if (end > at + 1) {
        push({ kind: "code", text: text.slice(at + 1, end) }, end + 1);
        continue;
      }
    }
    if ((char === "*" || char === "_") && depth < MAX_INLINE_DEPTH && opensEmphasis(text, at)) {
      const [length, end] = emphasisSpan(text, at, searchedUpTo);
      if (end > 0) {
        const inside = parseInline(text.slice(at + length, end), depth + 1);
        const children: Inline[] = length === 3 ? [{ kind: "em", children: inside }] : inside;
        push({ kind: length === 1 ? "em" : "strong", children }, end + length);
        continue;
      }
    }
    if (char === "[" && depth < MAX_INLINE_DEPTH) {
      const middle = find(text, "](", at + 1);
      const end = middle < 0 ? -1 : linkEnd(text, middle + 2);
      if (end > 0) {
        const children = parseInline(text.slice(at + 1, middle), depth + 1);
        const url = text
          .slice(middle + 2, end)
          .replace(LINK_TITLE, "$1")
          .trim()
          .replace(/^<(.*)>$/s, "$1");
        push({ kind: "link", url, children }, end + 1);
        continue;
      }
    }
    plain += char;
    at += 1;
  }
  if (plain !== "") out.push({ kind: "text", text: plain });
  return out;
}

/**
 * Optional title after the URL of a link. The match begins with the last character of the URL, so
 * that a run of white space is tried once.
 */
const LINK_TITLE = /(\S)\s+(?:"[^"]*"|'[^']*'|\([^()]*\))\s*$/;

/**
 * Returns the offset of the parenthesis that ends a link, or -1. Balanced parentheses are part of
 * the URL.
 */
function linkEnd(text: string, from: number): number {
  const first = find(text, ")", from);
  if (first < 0) return first;
  const last = Math.min(text.length, from + MAX_DELIMITER_DISTANCE);
  let open = 0;
  for (let at = from; at < last; at += 1) {
    const char = text[at];
    if (char === "(") open += 1;
    else if (char === ")" && open === 0) return at;
    else if (char === ")") open -= 1;
  }
  // An unbalanced parenthesis is part of the URL.
  return first;
}

/** Returns the length of the delimiter run at an offset, at most 3. */
function delimiterRun(text: string, at: number): number {
  const char = text[at];
  return text[at + 1] !== char ? 1 : text[at + 2] !== char ? 2 : 3;
}

function find(text: string, delimiter: string, from: number): number {
  const at = text.slice(from, from + MAX_DELIMITER_DISTANCE).indexOf(delimiter);
  return at < 0 ? -1 : from + at;
}

/**
 * Returns whether a delimiter opens emphasis: a word follows, and an underscore is not inside a
 * word. `snake_case` and `2 * 3` have no emphasis.
 */
function opensEmphasis(text: string, at: number): boolean {
  const char = text[at] ?? "";
  if (char === "_" && /\w/.test(text[at - 1] ?? "")) return false;
  const after = text[at + delimiterRun(text, at)];
  return after !== undefined && !/\s/.test(after) && after !== char;
}

/**
 * Returns the length of the opening delimiter, and the offset of the closing one or -1. A run of
 * three that is closed in two steps is two delimiters, of which the outer one is returned.
 */
function emphasisSpan(
  text: string,
  at: number,
  searchedUpTo: Map<string, number>,
): [number, number] {
  const char = text[at] as string;
  const ends = (length: number): [number, number] => [
    length,
    closingDelimiter(text, char.repeat(length), at + length, searchedUpTo),
  ];
  const run = ends(delimiterRun(text, at));
  if (run[0] < 3 || run[1] > 0) return run;
  const [one, two] = [ends(1), ends(2)];
  return one[1] > two[1] ? one : two;
}

/**
 * Returns the offset of a closing delimiter, or -1. `searchedUpTo` stores per delimiter the offset
 * up to which none was found, so that no part is searched twice.
 */
function closingDelimiter(
  text: string,
  delimiter: string,
  from: number,
  searchedUpTo: Map<string, number>,
): number {
  const char = delimiter[0] as string;
  const limit = Math.min(text.length, from + MAX_DELIMITER_DISTANCE);
  const start = Math.max(from + 1, searchedUpTo.get(delimiter) ?? 0);
  for (
    let at = text.indexOf(delimiter, start);
    at >= 0 && at < limit;
    at = text.indexOf(delimiter, at + 1)
  ) {
    const follows = text[at - 1] === char;
    if (/\s/.test(text[follows ? at - 2 : at - 1] ?? "")) continue;
    // In `**x *y***` the inner emphasis is closed first.
    const ends = delimiter.length < 3 && !follows && delimiterRun(text, at) === 3;
    if (ends && text.slice(from, at).includes(char)) return at + 3 - delimiter.length;
    if (delimiter.length === 1 && (text[at + 1] === char || follows)) continue;
    if (char === "_" && /\w/.test(text[at + delimiter.length] ?? "")) continue;
    return at;
  }
  searchedUpTo.set(delimiter, limit);
  return -1;
}
