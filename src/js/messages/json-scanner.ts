import type { TextBuffer } from "./text-buffer.js";

/** No key that says something is longer. */
const MAX_KEY_LENGTH = 32;
const MAX_INDENT = 16;

/** Where a walk through JSON stands: how deep in brackets, whether in a text, behind which key, and how far its line is set in. */
export class JsonScanner {
  readonly #text: TextBuffer;
  /** How many brackets are open. */
  depth = 0;
  inString = false;
  /** What stands last outside of texts. */
  lastToken = "";
  /** The last text on the two upper levels: the key, where a colon or a bracket follows. */
  key = "";
  #keyStart = 0;
  /** How many blanks the line begins with, while there was nothing else; a bracket around all messages is one. */
  indent: number | undefined = 0;

  constructor(text: TextBuffer) {
    this.#text = text;
  }

  /** Takes what stands at a place outside of texts. */
  consume(char: string, offset: number): void {
    if (char === '"') {
      this.inString = true;
      this.#keyStart = offset + 1;
    } else if (char === "{" || char === "[") {
      this.depth += 1;
    } else if (char === "}" || char === "]") {
      this.depth -= 1;
    }
  }

  /** Goes on behind what stands next, whatever that is. */
  advance(char: string): void {
    if (char > " ") this.lastToken = char;
    if (char === "\n") {
      this.indent = 0;
    } else if (this.indent !== undefined) {
      const isBlank = char === " " || char === "\t" || char === "[";
      this.indent = isBlank ? Math.min(this.indent + 1, MAX_INDENT) : undefined;
    }
  }

  /** Ends the text that is open. */
  endString(offset: number): void {
    this.inString = false;
    if (this.depth <= 2)
      this.key = this.#isKey(offset) ? this.#text.slice(this.#keyStart, offset) : "?";
  }

  /** Goes back to a level, also out of a text. */
  returnTo(depth: number): void {
    this.depth = depth;
    this.inString = false;
  }

  /** From where on the text is kept together with what follows a place: a key may not be whole yet. */
  bufferStart(offset: number): number {
    return this.inString && this.#isKey(offset) ? this.#keyStart : offset;
  }

  /** Whether the text that is open may be a key that says something, and is all there. */
  #isKey(offset: number): boolean {
    const isShort = offset - this.#keyStart <= MAX_KEY_LENGTH;
    return this.depth <= 2 && isShort && this.#keyStart >= this.#text.start;
  }
}
