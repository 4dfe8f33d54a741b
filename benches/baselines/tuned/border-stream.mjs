// Stream without a parser: it finds node boundaries and passes each complete node to `JSON.parse`,
// which is faster than a parser in JavaScript.

const QUOTE = 34;
const BACKSLASH = 92;

export class BorderStream {
  #store;
  /** Text of the incomplete node. */
  #rest = "";
  #depth = 0;
  #inText = false;
  #escaped = false;

  constructor(store) {
    this.#store = store;
  }

  push(piece) {
    let begin = 0;
    let at = 0;
    const length = piece.length;
    while (at < length) {
      if (this.#inText) {
        at = this.#skipText(piece, at);
        continue;
      }
      const code = piece.charCodeAt(at);
      if (code === QUOTE) this.#inText = true;
      else if (code === 123 || code === 91) {
        if (this.#depth++ === 0) begin = at + 1;
      } else if (code === 125 || code === 93) {
        if (--this.#depth === 0) begin = this.#finish(piece, begin, at);
      } else if (code === 44 && this.#depth === 1) begin = this.#finish(piece, begin, at);
      at++;
    }
    if (begin < length) this.#rest += piece.slice(begin);
  }

  // Skips to the end of a string or of the chunk.
  #skipText(piece, from) {
    let at = from;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) {
        this.#inText = false;
        return at + 1;
      }
    }
    return at;
  }

  #finish(piece, begin, end) {
    const text = this.#rest + piece.slice(begin, end);
    this.#rest = "";
    const close = text.indexOf('":');
    const id = text.slice(text.indexOf('"') + 1, close);
    this.#store.set(id, JSON.parse(text.slice(close + 2)));
    return end + 1;
  }
}
