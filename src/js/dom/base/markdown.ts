/** A piece of running text. */
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
  /** How far its first item is set in, and how many lists it is set in below. */
  indent: number;
  level: number;
  /** At which letter of the text the last item begins. */
  last: number;
};

/** Emphasis inside emphasis goes no deeper than this: a text of ten thousand asterisks must not become ten thousand calls. */
const maxDepth = 6;
/** A delimiter looks this far for its partner, so that a long text of openers stays linear. */
const maxReach = 2000;

// Each takes a line in one go: what follows the blanks may be anything, so that nothing is tried twice.
const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/s;
// A list that is set in below another one stands behind it, as a list of its own.
const bullet = /^([ \t]{0,16})[-*+][ \t]+(.*)$/s;
const ordinal = /^([ \t]{0,16})(\d{1,9})[.)][ \t]+(.*)$/s;
/** Lists that are set in deeper stand where these do. */
const maxLevel = 3;
const fence = /^ {0,3}```/;
/** A line that goes on the item above it: set in, and nothing else. */
const continued = /^(?: {2}| ?\t)[ \t]{0,14}(?![-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|```)\S/;
const special = /[*_`[\]#\\\n]|^\s*(?:[-+]|\d+[.)])\s/;

/** True when the text means the same with and without markdown, which is the common case and the fast one. */
export function isPlain(text: string): boolean {
  return !special.test(text);
}

/** The text of a heading without the marks that close it, and the blanks before them. */
function unclosed(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return text.slice(0, end);
}

/** The blocks of a text, and at which letter each of them begins. */
export interface Parsed {
  text: string;
  blocks: Block[];
  starts: number[];
}

/**
 * The blocks of a text in a small subset of markdown: headings, lists, fenced code, paragraphs. HTML is plain text. Where the text goes on
 * from one `before`, as one that streams in does, the blocks stay that nothing behind them can change: all but the last two, for what comes
 * next may go on the last, and make it an item of a list that is the one before. Of a list among these the items stay, but for its last.
 */
export function parseMarkdown(text: string, before?: Parsed): Parsed {
  if (!before || before.blocks.length === 0 || !text.startsWith(before.text)) return parse(text);
  const lists = before.blocks.slice(-2).findIndex(({ kind }) => kind === "list");
  const same = Math.max(0, before.blocks.length - 2) + Math.max(0, lists);
  const kept = { blocks: before.blocks.slice(0, same), starts: before.starts.slice(0, same) };
  const open = before.blocks[same];
  const start = before.starts[same] ?? 0;
  if (lists < 0 || open?.kind !== "list") return parse(text, kept, start);
  kept.blocks.push({ ...open, items: open.items.slice(0, -1) });
  kept.starts.push(start);
  return parse(text, kept, open.last, true);
}

/** Parses a text from a place on, where a block begins, or an item of a list: then that is the last of the blocks. */
function parse(
  text: string,
  { blocks, starts }: Pick<Parsed, "blocks" | "starts"> = { blocks: [], starts: [] },
  from = 0,
  isItem = false,
): Parsed {
  const raw = text.slice(from).split("\n");
  const lines = raw.map((line) => line.replace(/\r$/, ""));
  let letters = from;
  const begins = raw.map((line) => {
    const begin = letters;
    letters += line.length + 1;
    return begin;
  });
  const beginOf = (line: number): number => begins[line] ?? from;
  const add = (block: Block, line: number): void => {
    blocks.push(block);
    starts.push(beginOf(line));
  };
  let paragraph: string[] = [];
  /** Ends the paragraph right above a line. */
  const endParagraph = (line: number): void => {
    if (paragraph.length === 0) return;
    const children = parseInline(paragraph.join("\n"));
    add({ kind: "paragraph", children }, line - paragraph.length);
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (fence.test(line)) {
      endParagraph(at);
      const opening = at;
      const code: string[] = [];
      // A fence that is still open runs to the end: that is how a text looks while it streams in.
      for (at += 1; at < lines.length && !fence.test(lines[at] ?? ""); at += 1)
        code.push(lines[at] ?? "");
      add({ kind: "code", text: code.join("\n") }, opening);
      continue;
    }
    const head = heading.exec(line);
    if (head) {
      endParagraph(at);
      const level = (head[1] ?? "#").length;
      add({ kind: "heading", level, children: parseInline(unclosed(head[2] ?? "")) }, at);
      continue;
    }
    const dot = bullet.exec(line);
    const number = dot ? null : ordinal.exec(line);
    if (dot || number) {
      endParagraph(at);
      const indent = ((dot ?? number)?.[1] ?? "").replaceAll("\t", "    ").length;
      const block = blocks.at(-1);
      const isNext = at === 0 ? isItem : lines[at - 1]?.trim() !== "";
      const last = beginOf(at);
      const begun = at;
      const words = [(dot ? dot[2] : number?.[3]) ?? ""];
      while (continued.test(lines[at + 1] ?? "")) {
        at += 1;
        words.push((lines[at] ?? "").trim());
      }
      const made = parseInline(words.join("\n"));
      const isSame = block?.kind === "list" && block.ordered === !dot && !isApart(block, indent);
      if (isSame && isNext) {
        block.items.push(made);
        block.last = last;
      } else {
        const start = Number(number?.[2] ?? 1);
        const level = levelOf(blocks, indent);
        add({ kind: "list", ordered: !dot, start, items: [made], indent, level, last }, begun);
      }
      continue;
    }
    if (line.trim() === "") endParagraph(at);
    else paragraph.push(line);
  }
  endParagraph(lines.length);
  return { text, blocks, starts };
}

/** Whether an item is set in otherwise than a list is. */
function isApart(list: List, indent: number): boolean {
  return Math.abs(list.indent - indent) > 1;
}

/** How many of the lists right before it a list is set in below. */
function levelOf(blocks: readonly Block[], indent: number): number {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block?.kind !== "list") return 0;
    if (!isApart(block, indent)) return block.level;
    if (block.indent < indent) return Math.min(maxLevel, block.level + 1);
  }
  return 0;
}

/** The running text of one block. */
function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  let plain = "";
  const barren = new Map<string, number>();
  const put = (piece: Inline, next: number): void => {
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
        put({ kind: "code", text: text.slice(at + 1, end) }, end + 1);
        continue;
      }
    }
    if ((char === "*" || char === "_") && depth < maxDepth && opens(text, at)) {
      const [length, end] = partner(text, at, barren);
      if (end > 0) {
        const inside = parseInline(text.slice(at + length, end), depth + 1);
        const children: Inline[] = length === 3 ? [{ kind: "em", children: inside }] : inside;
        put({ kind: length === 1 ? "em" : "strong", children }, end + length);
        continue;
      }
    }
    if (char === "[" && depth < maxDepth) {
      const middle = find(text, "](", at + 1);
      const end = middle < 0 ? -1 : endOfUrl(text, middle + 2);
      if (end > 0) {
        const children = parseInline(text.slice(at + 1, middle), depth + 1);
        const url = text
          .slice(middle + 2, end)
          .replace(title, "$1")
          .trim()
          .replace(/^<(.*)>$/s, "$1");
        put({ kind: "link", url, children }, end + 1);
        continue;
      }
    }
    plain += char;
    at += 1;
  }
  if (plain !== "") out.push({ kind: "text", text: plain });
  return out;
}

/** What may stand behind the URL of a link. It begins with a letter of that, so that a run of blanks is tried once. */
const title = /(\S)\s+(?:"[^"]*"|'[^']*'|\([^()]*\))\s*$/;

/** The parenthesis that ends a link; those that belong to its URL come in pairs. */
function endOfUrl(text: string, from: number): number {
  const first = find(text, ")", from);
  if (first < 0) return first;
  const last = Math.min(text.length, from + maxReach);
  let open = 0;
  for (let at = from; at < last; at += 1) {
    const char = text[at];
    if (char === "(") open += 1;
    else if (char === ")" && open === 0) return at;
    else if (char === ")") open -= 1;
  }
  // One that has no partner is a letter of the URL.
  return first;
}

/** How many marks of emphasis stand at a place, at most three. */
function runAt(text: string, at: number): number {
  const char = text[at];
  return text[at + 1] !== char ? 1 : text[at + 2] !== char ? 2 : 3;
}

function find(text: string, mark: string, from: number): number {
  const at = text.slice(from, from + maxReach).indexOf(mark);
  return at < 0 ? -1 : from + at;
}

/** `snake_case` and `2 * 3` are no emphasis: the mark must stand before a word, an underscore also not inside one. */
function opens(text: string, at: number): boolean {
  const char = text[at] ?? "";
  if (char === "_" && /\w/.test(text[at - 1] ?? "")) return false;
  const after = text[at + runAt(text, at)];
  return after !== undefined && !/\s/.test(after) && after !== char;
}

/** How long the mark at a place is, and where its partner stands. Three that end apart are two marks, of which the outer comes first. */
function partner(text: string, at: number, barren: Map<string, number>): [number, number] {
  const char = text[at] as string;
  const ends = (length: number): [number, number] => [
    length,
    closer(text, char.repeat(length), at + length, barren),
  ];
  const run = ends(runAt(text, at));
  if (run[0] < 3 || run[1] > 0) return run;
  const [one, two] = [ends(1), ends(2)];
  return one[1] > two[1] ? one : two;
}

/** The partner of a mark. `barren` says up to where each mark has been searched in vain, so that nothing is searched twice. */
function closer(text: string, mark: string, from: number, barren: Map<string, number>): number {
  const char = mark[0] as string;
  const limit = Math.min(text.length, from + maxReach);
  const start = Math.max(from + 1, barren.get(mark) ?? 0);
  for (let at = text.indexOf(mark, start); at >= 0 && at < limit; at = text.indexOf(mark, at + 1)) {
    const follows = text[at - 1] === char;
    if (/\s/.test(text[follows ? at - 2 : at - 1] ?? "")) continue;
    // Of three that end two, `**x *y***`, those inside come first.
    const ends = mark.length < 3 && !follows && runAt(text, at) === 3;
    if (ends && text.slice(from, at).includes(char)) return at + 3 - mark.length;
    if (mark.length === 1 && (text[at + 1] === char || follows)) continue;
    if (char === "_" && /\w/.test(text[at + mark.length] ?? "")) continue;
    return at;
  }
  barren.set(mark, limit);
  return -1;
}
