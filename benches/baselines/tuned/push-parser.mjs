// Push parser in plain JavaScript for chunks of any size: tokens at a chunk boundary are buffered,
// all others become values immediately.

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/** Parser states between two characters. */
const [BEGIN, KEY, IN_KEY, COLON, VALUE, IN_TEXT, IN_WORD, AFTER, END] = Array(9).keys();

export class PushParser {
  #store;
  #state = BEGIN;
  /** Open container, and the key of its next value; undefined at the top. */
  #open;
  #key;
  /** Enclosing containers. */
  #outer = [];
  #keys = [];
  /** Start of an incomplete string, number or literal. */
  #begun = "";
  #hasEscapes = false;
  /** Whether the first character of the next chunk is escaped. */
  #isEscaped = false;

  constructor(store) {
    this.#store = store;
  }

  push(piece) {
    let at = 0;
    while (at < piece.length) {
      const state = this.#state;
      if (state === IN_TEXT || state === IN_KEY) at = this.#inText(piece, at);
      else if (state === IN_WORD) at = this.#inWord(piece, at);
      else {
        const code = piece.charCodeAt(at);
        if (code > 32) at = this.#letter(state, code, at);
        else at++;
      }
    }
  }

  // Consumes one character outside of strings and literals; returns the next offset.
  #letter(state, code, at) {
    switch (state) {
      case BEGIN:
        return this.#expect(code === 123, KEY, at);
      case KEY:
        if (code === QUOTE) this.#state = IN_KEY;
        else this.#close(code);
        return at + 1;
      case COLON:
        return this.#expect(code === 58, VALUE, at);
      case VALUE:
        return this.#value(code, at);
      case AFTER:
        if (code === COMMA) this.#state = Array.isArray(this.#open) ? VALUE : KEY;
        else this.#close(code);
        return at + 1;
      default:
        throw new SyntaxError("the message had ended");
    }
  }

  #value(code, at) {
    if (code === QUOTE) this.#state = IN_TEXT;
    else if (code === 123) this.#enter({}, KEY);
    else if (code === 91) this.#enter([], VALUE);
    else if (code === 93) this.#close(code);
    else {
      this.#state = IN_WORD;
      return at;
    }
    return at + 1;
  }

  #expect(isThere, next, at) {
    if (!isThere) throw new SyntaxError("not JSON");
    this.#state = next;
    return at + 1;
  }

  #enter(container, next) {
    this.#outer.push(this.#open);
    this.#keys.push(this.#key);
    this.#open = container;
    this.#state = next;
  }

  #close(code) {
    if (code !== 125 && code !== 93) throw new SyntaxError("not JSON");
    if (this.#open === undefined) {
      this.#state = END;
      return;
    }
    const complete = this.#open;
    this.#open = this.#outer.pop();
    this.#key = this.#keys.pop();
    this.#put(complete);
  }

  #put(value) {
    const open = this.#open;
    if (open === undefined) this.#store.set(this.#key, value);
    else if (Array.isArray(open)) open.push(value);
    else open[this.#key] = value;
    this.#state = AFTER;
  }

  // Reads to the end of a string or of the chunk.
  #inText(piece, from) {
    let at = from;
    if (this.#isEscaped) at++;
    this.#isEscaped = false;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === QUOTE) {
        this.#endText(this.#take(piece, from, at));
        return at + 1;
      }
      if (code === BACKSLASH) {
        this.#hasEscapes = true;
        at++;
        this.#isEscaped = at === piece.length;
      }
    }
    this.#begun += piece.slice(from);
    return at;
  }

  #endText(raw) {
    const text = this.#hasEscapes ? JSON.parse(`"${raw}"`) : raw;
    this.#hasEscapes = false;
    if (this.#state === IN_TEXT) this.#put(text);
    else {
      this.#key = text;
      this.#state = COLON;
    }
  }

  // Reads a number, `true`, `false` or `null`.
  #inWord(piece, from) {
    for (let at = from; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code > 32 && code !== COMMA && code !== 125 && code !== 93) continue;
      this.#put(wordOf(this.#take(piece, from, at)));
      return at;
    }
    this.#begun += piece.slice(from);
    return piece.length;
  }

  #take(piece, from, to) {
    const rest = piece.slice(from, to);
    if (this.#begun === "") return rest;
    const whole = this.#begun + rest;
    this.#begun = "";
    return whole;
  }
}

function wordOf(word) {
  if (word === "true") return true;
  if (word === "false") return false;
  return word === "null" ? null : Number(word);
}
