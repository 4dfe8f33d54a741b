import type { Pending } from "./text-buffer.js";

/** No key that says something is longer. */
const LONGEST_KEY = 32;
const LONGEST_MARGIN = 16;

/** Where a walk through JSON stands: how deep in brackets, whether in a text, behind which key, and how far its line is set in. */
export class Structure {
  readonly #text: Pending;
  /** How many brackets are open. */
  depth = 0;
  inString = false;
  /** What stands last outside of texts. */
  last = "";
  /** The last text on the two upper levels: the key, where a colon or a bracket follows. */
  key = "";
  #keyStart = 0;
  /** How many blanks the line begins with, while there was nothing else; a bracket around all messages is one. */
  blanks: number | undefined = 0;

  constructor(text: Pending) {
    this.#text = text;
  }

  /** Takes what stands at a place outside of texts. */
  take(mark: string, place: number): void {
    if (mark === '"') {
      this.inString = true;
      this.#keyStart = place + 1;
    } else if (mark === "{" || mark === "[") {
      this.depth += 1;
    } else if (mark === "}" || mark === "]") {
      this.depth -= 1;
    }
  }

  /** Goes on behind what stands next, whatever that is. */
  pass(mark: string): void {
    if (mark > " ") this.last = mark;
    if (mark === "\n") {
      this.blanks = 0;
    } else if (this.blanks !== undefined) {
      const isBlank = mark === " " || mark === "\t" || mark === "[";
      this.blanks = isBlank ? Math.min(this.blanks + 1, LONGEST_MARGIN) : undefined;
    }
  }

  /** Ends the text that is open. */
  endString(place: number): void {
    this.inString = false;
    if (this.depth <= 2)
      this.key = this.#isKey(place) ? this.#text.slice(this.#keyStart, place) : "?";
  }

  /** Goes back to a level, also out of a text. */
  leave(depth: number): void {
    this.depth = depth;
    this.inString = false;
  }

  /** From where on the text is kept together with what follows a place: a key may not be whole yet. */
  keptFrom(place: number): number {
    return this.inString && this.#isKey(place) ? this.#keyStart : place;
  }

  /** Whether the text that is open may be a key that says something, and is all there. */
  #isKey(place: number): boolean {
    const isShort = place - this.#keyStart <= LONGEST_KEY;
    return this.depth <= 2 && isShort && this.#keyStart >= this.#text.start;
  }
}
