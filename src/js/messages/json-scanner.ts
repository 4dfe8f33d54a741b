import type { TextBuffer } from "./text-buffer.js";

/** Maximum length of a key that is compared. */
const MAX_KEY_LENGTH = 32;
const MAX_INDENT_LENGTH = 16;

/**
 * Scanner state in JSON: depth of brackets, strings, the last key, and the indentation of the line.
 */
export class JsonScanner {
  readonly #text: TextBuffer;
  /** Number of open brackets. */
  depth = 0;
  inString = false;
  /** Last character outside of strings that is not white space. */
  lastToken = "";
  /** Last string on the two upper levels: the key, if a colon or a bracket follows. */
  key = "";
  #keyStart = 0;
  /**
   * Number of spaces at the start of the line, until other text follows. A bracket around all
   * messages counts as one.
   */
  indent: number | undefined = 0;

  constructor(text: TextBuffer) {
    this.#text = text;
  }

  /** Reads a character outside of strings. */
  consumeCharacter(char: string, offset: number): void {
    if (char === '"') {
      this.inString = true;
      this.#keyStart = offset + 1;
    } else if (char === "{" || char === "[") {
      this.depth += 1;
    } else if (char === "}" || char === "]") {
      this.depth -= 1;
    }
  }

  /** Updates the last token and the indentation after any character. */
  trackCharacter(char: string): void {
    if (char > " ") this.lastToken = char;
    if (char === "\n") {
      this.indent = 0;
    } else if (this.indent !== undefined) {
      const isBlank = char === " " || char === "\t" || char === "[";
      this.indent = isBlank ? Math.min(this.indent + 1, MAX_INDENT_LENGTH) : undefined;
    }
  }

  /** Ends the open string. */
  endString(offset: number): void {
    this.inString = false;
    if (this.depth <= 2)
      this.key = this.#isKey(offset) ? this.#text.slice(this.#keyStart, offset) : "?";
  }

  /** Returns to a depth, also from inside a string. */
  returnTo(depth: number): void {
    this.depth = depth;
    this.inString = false;
  }

  /** Returns the offset from which text must be kept, because a key may be incomplete. */
  bufferStart(offset: number): number {
    return this.inString && this.#isKey(offset) ? this.#keyStart : offset;
  }

  /** Returns whether the open string may be a known key and is buffered completely. */
  #isKey(offset: number): boolean {
    const isShort = offset - this.#keyStart <= MAX_KEY_LENGTH;
    return this.depth <= 2 && isShort && this.#keyStart >= this.#text.start;
  }
}
