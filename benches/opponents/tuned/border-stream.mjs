// A message that arrives in pieces, without a parser: only the borders of nodes are looked for, and each
// node goes to `JSON.parse` when it is complete, which is faster than any parser in JavaScript.

const QUOTE = 34;
const BACKSLASH = 92;

export class BorderStream {
  #store;
  /** What came of the node that is not complete yet. */
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

  // From inside a text to behind its end, or to the end of the piece.
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
