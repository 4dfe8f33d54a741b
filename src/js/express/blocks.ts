import { Lexer, type OpenString, type Token } from "./lexer.js";
import { StatementReader, type StatementTokens } from "./statements.js";

/** Part of a text that is read. */
export type BlockEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "statement"; readonly statement: StatementTokens }
  | { readonly kind: "begin"; readonly start: number }
  | { readonly kind: "end"; readonly end: number; readonly isClosed: boolean };

/** Statement whose last string has not ended. */
export interface OpenStatement {
  readonly tokens: readonly Token[];
  readonly open: OpenString;
}

/** Opening tag with attributes. A search for it ends at the next `<`, so that it stays linear. */
const OPENING_TAG = /<a2ui(?:\s[^<>]{0,900})?>/i;
/** End of a text that may become an opening tag. */
const OPENING_TAG_START = /<(?:a(?:2(?:u(?:i(?:\s[^<>]{0,900})?)?)?)?)?$/i;
/** Maximum length of a text of which it is undecided whether it consists of statements. */
const MAX_UNDECIDED_LENGTH = 10_000;
/** Length of the end of a text that is searched for an opening tag, which is shorter. */
const MAX_TAG_LENGTH = 1000;
/** Line that only a text without tags begins with. */
const STATEMENT_START =
  /^(?:(?:\$[\w/]*|[\p{ID_Start}_]\p{ID_Continue}*)\s*=(?!=)|(?:surface|deleteSurface)\()/u;
/** Line that decides nothing: empty, a comment, or a fence. */
const NEUTRAL_LINE = /^\s*(?:$|#|\/\/|```)/;
/** Beginning of a line that may become a statement. */
const UNDECIDED_LINE = /^(?:\$[\w/]*|[\p{ID_Start}_]\p{ID_Continue}*)\s*$/u;

/**
 * Splits a text into statements and other text. Statements are between `<a2ui>` and `</a2ui>`; a
 * text without tags consists of statements if its first line is one.
 */
export class BlockReader {
  readonly #emit: (event: BlockEvent) => void;
  #text = "";
  /** Offset of the text in all chunks. */
  #base = 0;
  #mode: "undecided" | "text" | "block" | "bare" = "undecided";
  #lexer = new Lexer();
  #statements = new StatementReader();
  #lexerBase = 0;

  /** With `isStatements` the text has no tags. */
  constructor(emit: (event: BlockEvent) => void, isStatements = false) {
    this.#emit = emit;
    if (isStatements) this.#beginBlock("bare");
  }

  push(chunk: string): void {
    this.#read(chunk, false);
  }

  end(): void {
    this.#read("", true);
    if (this.#mode === "block" || this.#mode === "bare") this.#endBlock(this.#mode === "bare");
  }

  /** Returns the statement that ends in an unfinished string. */
  openStatement(): OpenStatement | undefined {
    if (this.#mode !== "block" && this.#mode !== "bare") return undefined;
    const open = this.#lexer.openString();
    if (open === undefined) return undefined;
    const { pending: tokens } = this.#statements;
    return { tokens, open: { ...open, start: open.start + this.#lexerBase } };
  }

  #read(chunk: string, isLast: boolean): void {
    let rest: string | undefined = chunk;
    while (rest !== undefined) {
      if (this.#mode === "block" || this.#mode === "bare")
        rest = this.#readStatements(rest, isLast);
      else {
        this.#text += rest;
        rest = this.#readText(isLast);
      }
    }
  }

  /** Reads text up to the next block. Returns the text of the block, if one begins. */
  #readText(isLast: boolean): string | undefined {
    const tag = OPENING_TAG.exec(this.#text);
    const before = this.#text.slice(0, tag?.index);
    if (this.#mode === "undecided" && modeOf(before, isLast || tag !== null) === "bare")
      return this.#beginBlock("bare");
    if (tag !== null) {
      this.#emitText(tag.index);
      this.#skipText(tag[0].length);
      return this.#beginBlock("block");
    }
    if (this.#mode === "undecided") {
      const isLong = this.#text.length > MAX_UNDECIDED_LENGTH;
      const mode = modeOf(this.#text, isLast) ?? (isLong ? "text" : undefined);
      if (mode === undefined) return undefined;
      this.#mode = mode;
    }
    const tail = OPENING_TAG_START.exec(this.#text.slice(-MAX_TAG_LENGTH));
    const held = tail === null || isLast ? 0 : tail[0].length;
    this.#emitText(this.#text.length - held);
    return undefined;
  }

  #emitText(end: number): void {
    if (end > 0) this.#emit({ kind: "text", text: this.#text.slice(0, end) });
    this.#skipText(end);
  }

  #skipText(length: number): void {
    this.#text = this.#text.slice(length);
    this.#base += length;
  }

  #beginBlock(mode: "block" | "bare"): string {
    this.#mode = mode;
    this.#lexer = new Lexer();
    this.#statements = new StatementReader();
    this.#lexerBase = this.#base;
    this.#emit({ kind: "begin", start: this.#base });
    const content = this.#text;
    this.#text = "";
    return content;
  }

  /** Reads statements. Returns the text after the block, if it ends. */
  #readStatements(chunk: string, isLast: boolean): string | undefined {
    this.#lexer.push(chunk);
    if (isLast) this.#lexer.end();
    for (;;) {
      const token = this.#lexer.next();
      if (token === undefined) return undefined;
      const moved = {
        ...token,
        start: token.start + this.#lexerBase,
        end: token.end + this.#lexerBase,
      };
      if (token.kind === "closingTag") {
        const rest = this.#lexer.remainingText();
        this.#base = moved.end;
        this.#endBlock(true);
        this.#mode = "text";
        return rest;
      }
      this.#emitAll(this.#statements.add(moved));
    }
  }

  #endBlock(isClosed: boolean): void {
    this.#emitAll(this.#statements.end());
    this.#emit({ kind: "end", end: this.#lexerBase + this.#lexer.offset, isClosed });
  }

  #emitAll(statements: readonly StatementTokens[]): void {
    for (const statement of statements) this.#emit({ kind: "statement", statement });
  }
}

/** Returns whether a whole text consists of statements, without tags. */
export function isBare(text: string): boolean {
  const tag = OPENING_TAG.exec(text);
  return tag === null || modeOf(text.slice(0, tag.index), true) === "bare";
}

/** Returns whether a text without a tag consists of statements; undefined if that is undecided. */
function modeOf(text: string, isLast: boolean): "text" | "bare" | undefined {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const start = line.trimStart();
    const isComplete = at < lines.length - 1 || isLast;
    if (STATEMENT_START.test(start)) return "bare";
    if (NEUTRAL_LINE.test(line) || start.startsWith("/*")) continue;
    const next = lines[at + 1]?.trimStart() ?? "";
    if (UNDECIDED_LINE.test(start) && (!isComplete || /^[=(]/.test(next))) {
      if (/^[=(]/.test(next)) return "bare";
      return undefined;
    }
    if (/^[`/<]/.test(start) && !isComplete) return undefined;
    return "text";
  }
  return isLast ? "text" : undefined;
}
