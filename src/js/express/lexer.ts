import type { Json } from "../types.js";

/** Kind of a token. A literal is a string, a number, `true`, `false` or `null`. */
export type TokenKind =
  | "name"
  | "path"
  | "check"
  | "literal"
  | "punctuation"
  | "closingTag"
  | "invalid";

export interface Token {
  readonly kind: TokenKind;
  /** Name, path or check without its prefix; the character of punctuation. */
  readonly text: string;
  /** Value of a literal. */
  readonly value: Json;
  /** UTF-16 offsets in the whole text. */
  readonly start: number;
  readonly end: number;
  /** Whether the token is the first one of its line. */
  readonly startsLine: boolean;
  /** Whether the token begins in the first column. */
  readonly isUnindented: boolean;
}

/** String that has not ended. */
export interface OpenString {
  readonly start: number;
  readonly value: string;
}

const NAME = /[\p{ID_Start}_]\p{ID_Continue}*/uy;
const PATH = /\$[\p{L}\p{N}_/.~-]*/uy;
const CHECK = /\?[\p{ID_Start}_]\p{ID_Continue}*/uy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PUNCTUATION = "()[]{},:=";
/** Closing tag. Its white space is limited, because a stream holds it until the tag ends. */
const CLOSING_TAG = /<\/a2ui\s{0,100}>/iy;
/** Text that may become a closing tag. */
const CLOSING_TAG_START = /<(?:\/(?:a(?:2(?:u(?:i\s{0,100})?)?)?)?)?$/iy;
/** Start of a statement on a line of its own. */
const STATEMENT_START = /\n(?=(?:\$[\w/]*|[A-Za-z_]\w*)[ \t]*=|<\/a2ui>)/gi;
/** Length after a number that decides whether it continues. */
const NUMBER_LOOKAHEAD = 3;
/** Length of read text that is kept. */
const MAX_KEPT_LENGTH = 4096;
/** Maximum length of a name or a path; a longer one is cut. */
const MAX_WORD_LENGTH = 1000;

/** Splits a text that arrives in chunks into tokens. A token is read when its end is known. */
export class Lexer {
  #text = "";
  /** Chunks that continue an unfinished string; they are joined when it ends. */
  #tail: string[] = [];
  /** Offset of the text in all chunks. */
  #base = 0;
  #at = 0;
  #isEnded = false;
  #startsLine = true;
  #open: StringScanner | undefined;
  #comment: Comment | undefined;

  push(chunk: string): void {
    if (this.#comment !== undefined) this.#dropComment(this.#comment);
    if (this.#at > MAX_KEPT_LENGTH) this.#dropRead();
    if (this.#open !== undefined && !this.#open.scan(chunk)) {
      this.#tail.push(chunk);
      return;
    }
    this.#appendStringChunk(chunk);
  }

  /** Ends the text: unfinished tokens are read as they are. */
  end(): void {
    this.#appendStringChunk("");
    this.#isEnded = true;
  }

  /** Offset of the next token in all chunks. */
  get offset(): number {
    return this.#base + this.#at;
  }

  /** Returns the string at the end of the text that has not ended yet. */
  openString(): OpenString | undefined {
    if (this.#open === undefined) return undefined;
    const { contentStart, isRaw } = this.#open;
    const text = [this.#text.slice(contentStart), ...this.#tail].join("");
    // The last characters may begin an escape or the end of the string.
    const content = text.replace(/(?:\\(?:u[0-9a-f]{0,3})?|"{1,2})$/i, "");
    return { start: this.#base + this.#at, value: isRaw ? content : replaceEscapes(content) };
  }

  /** Returns the next token, or undefined if more text is needed or the text has ended. */
  next(): Token | undefined {
    if (this.#tail.length > 0 || !this.#skipSpace()) return undefined;
    const char = this.#text.charAt(this.#at);
    if (char === "" || this.#isUndecided()) return undefined;
    if (char === '"' || (/[rR]/.test(char) && this.#text.charAt(this.#at + 1) === '"'))
      return this.#readString(char !== '"');
    if (char === "$") return this.#readWord(PATH, "path", 1);
    if (char === "?") return this.#readWord(CHECK, "check", 1);
    if (/[-\d]/.test(char)) return this.#readNumber();
    if (char === "<") return this.#readClosingTag();
    if (PUNCTUATION.includes(char)) return this.#token("punctuation", this.#at + 1, char);
    return this.#readWord(NAME, "name", 0);
  }

  /** Returns whether the text ends in `?`, in backticks, or in half of a surrogate pair. */
  #isUndecided(): boolean {
    if (this.#isEnded || this.#text.length - this.#at > 2) return false;
    return /^(?:\?|`{1,2}|[\uD800-\uDBFF])$/.test(this.#text.slice(this.#at));
  }

  /** Returns the text after the last token. */
  remainingText(): string {
    return this.#text.slice(this.#at);
  }

  /** Skips white space, fences and comments. Returns false if more text is needed. */
  #skipSpace(): boolean {
    for (;;) {
      const char = this.#text.charAt(this.#at);
      if (/[\s;]/.test(char)) {
        if (char === "\n") this.#startsLine = true;
        this.#at += 1;
      } else if (char === "#" || char === "/" || this.#text.startsWith("```", this.#at)) {
        const isSkipped = this.#skipComment(char);
        if (isSkipped !== true) return isSkipped === "none";
      } else return true;
    }
  }

  /** Returns true if a comment was skipped, "none" if there is none, false if it has not ended. */
  #skipComment(char: string): boolean | "none" {
    const mark = this.#text.slice(this.#at, this.#at + 2);
    if (char === "/" && mark !== "//" && mark !== "/*") {
      return mark.length === 2 || this.#isEnded ? "none" : false;
    }
    const isBlock = mark === "/*";
    this.#comment ??= { terminator: isBlock ? "*/" : "\n" };
    const from = this.#at + (isBlock ? 2 : 0);
    const end = this.#text.indexOf(this.#comment.terminator, from);
    if (end < 0 && !this.#isEnded) return false;
    if (end < 0 && isBlock) return "none";
    this.#comment = undefined;
    if (isBlock && this.#text.slice(this.#at, end).includes("\n")) this.#startsLine = true;
    this.#at = end < 0 ? this.#text.length : end + (isBlock ? 2 : 0);
    return true;
  }

  #readWord(pattern: RegExp, kind: TokenKind, markLength: number): Token | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match === undefined) return this.#readInvalid();
    const end = this.#at + match.length;
    const isOpen = end === this.#text.length && match.length <= MAX_WORD_LENGTH;
    if (isOpen && !this.#isEnded) return undefined;
    const text = match.slice(markLength);
    const literal = kind === "name" ? LITERALS.get(text) : undefined;
    if (literal !== undefined) return this.#token("literal", end, text, literal.value);
    return this.#token(kind, end, text);
  }

  #readNumber(): Token | undefined {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text)?.[0];
    const end = this.#at + (match?.length ?? 1);
    if (!this.#isEnded && this.#text.length - end < NUMBER_LOOKAHEAD) return undefined;
    return match === undefined
      ? this.#readInvalid()
      : this.#token("literal", end, match, Number(match));
  }

  #readClosingTag(): Token | undefined {
    CLOSING_TAG.lastIndex = this.#at;
    const tag = CLOSING_TAG.exec(this.#text)?.[0];
    if (tag !== undefined) return this.#token("closingTag", this.#at + tag.length, tag);
    CLOSING_TAG_START.lastIndex = this.#at;
    return CLOSING_TAG_START.test(this.#text) && !this.#isEnded ? undefined : this.#readInvalid();
  }

  #readInvalid(): Token | undefined {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const isComment = this.#text.startsWith("/*", this.#at);
    return this.#token("invalid", isComment ? this.#text.length : this.#at + char.length, char);
  }

  #readString(isRaw: boolean): Token | undefined {
    const open = this.#at + (isRaw ? 1 : 0);
    const quotes = this.#text.slice(open, open + 3);
    if (!this.#isEnded && (quotes === '"' || quotes === '""')) return undefined;
    const isTriple = quotes === '"""';
    const length = isTriple ? 3 : 1;
    const contentStart = open + length;
    const scanner = new StringScanner(contentStart, isTriple, isRaw);
    const isFound = scanner.scan(this.#text.slice(contentStart));
    if (!isFound && !this.#isEnded) {
      this.#open = scanner;
      return undefined;
    }
    this.#open = undefined;
    if (scanner.isCut) return this.#token("invalid", contentStart + scanner.length - 1, '"');
    if (!isFound) return this.#readUnclosed();
    const end = contentStart + scanner.length - length;
    const content = this.#text.slice(contentStart, end);
    return this.#token("literal", end + length, content, isRaw ? content : replaceEscapes(content));
  }

  /** Reads a string without an end: up to the next line that begins a statement. */
  #readUnclosed(): Token {
    STATEMENT_START.lastIndex = this.#at;
    const end = STATEMENT_START.exec(this.#text)?.index ?? this.#text.length;
    return this.#token("invalid", end, '"');
  }

  #token(kind: TokenKind, end: number, text: string, value: Json = null): Token {
    const start = this.#at;
    this.#at = end;
    const startsLine = this.#startsLine;
    this.#startsLine = false;
    const isUnindented = startsLine && (start === 0 || this.#text.charAt(start - 1) === "\n");
    return {
      kind,
      text,
      value,
      start: this.#base + start,
      end: this.#base + end,
      startsLine,
      isUnindented,
    };
  }

  /** Appends the chunks of a string that has ended. */
  #appendStringChunk(chunk: string): void {
    this.#text = [this.#text, ...this.#tail, chunk].join("");
    this.#tail = [];
    this.#open = undefined;
  }

  #dropRead(): void {
    if (this.#open !== undefined) return;
    // The character before a token shows whether it is indented.
    const count = this.#at - 1;
    this.#text = this.#text.slice(count);
    this.#base += count;
    this.#at = 1;
  }

  /** Drops the text of an unfinished comment, except what may begin its end. */
  #dropComment({ terminator }: Comment): void {
    if (this.#text.length - this.#at < MAX_KEPT_LENGTH) return;
    const isBlock = terminator === "*/";
    if (isBlock && this.#text.slice(this.#at).includes("\n")) this.#startsLine = true;
    const count = this.#text.length - 3;
    // The rest of the comment keeps its start delimiter and its last character.
    this.#text = `${isBlock ? "/*" : "#"}${this.#text.slice(isBlock ? count + 2 : count + 1)}`;
    this.#base += count;
    this.#at = 0;
  }
}

/** Comment that has not ended. */
interface Comment {
  readonly terminator: string;
}

/** Finds the end of a string that arrives in chunks. */
class StringScanner {
  /** Number of scanned characters, with the closing quotes. */
  length = 0;
  /** Whether a line break has cut the string. */
  isCut = false;
  #isEscaped = false;
  #quoteCount = 0;

  constructor(
    readonly contentStart: number,
    readonly isTriple: boolean,
    readonly isRaw: boolean,
  ) {}

  /** Scans a chunk. Returns whether the string has ended. */
  scan(chunk: string): boolean {
    for (const char of chunk) {
      this.length += char.length;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '"') {
        this.#quoteCount += 1;
        if (this.#quoteCount === (this.isTriple ? 3 : 1)) return true;
        continue;
      } else if (char === "\\" && !this.isRaw) this.#isEscaped = true;
      else if (char === "\n" && this.isRaw && !this.isTriple) {
        this.isCut = true;
        return true;
      }
      this.#quoteCount = 0;
    }
    return false;
  }
}

const LITERALS = new Map<string, { value: Json }>([
  ["true", { value: true }],
  ["false", { value: false }],
  ["null", { value: null }],
]);

const ESCAPES: { readonly [char: string]: string } = { n: "\n", r: "\r", t: "\t" };

/** Replaces the escapes of a string. Others are kept, because patterns have them: `\d`. */
function replaceEscapes(content: string): string {
  return content.replace(
    /\\(?:([nrt"\\])|u([0-9a-fA-F]{4}))/g,
    (_, char: string | undefined, code: string | undefined) =>
      char === undefined
        ? String.fromCharCode(Number.parseInt(code ?? "0", 16))
        : (ESCAPES[char] ?? char),
  );
}
