// Parser of an incomplete JSON document: which entries of the nodes object are complete?

/** Returns {entries: [[key, value], …], state: "open" | "complete" | "broken"} for the text so far. */
export function readSoFar(text) {
  const reader = new Prefix(text);
  try {
    reader.document();
    return { entries: reader.entries, state: "complete" };
  } catch (error) {
    if (error instanceof Ended) return { entries: reader.entries, state: "open" };
    if (error instanceof Broken) return { entries: reader.entries, state: "broken" };
    throw error;
  }
}

class Ended extends Error {}
class Broken extends Error {}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const OPEN_STRING =
  /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/uy;

class Prefix {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.entries = [];
  }

  /** A first key `version` is a node or part of an envelope, depending on the next key. */
  document() {
    let version = null;
    let isEnvelope = false;
    this.open("{", (key) => {
      if (isEnvelope) return this.value();
      if (key === "version" && this.entries.length === 0) {
        version = this.value();
        return;
      }
      isEnvelope = key === "updateDataModel";
      if (!isEnvelope && version !== null) this.entries.push(["version", version]);
      version = null;
      if (!isEnvelope) return this.entry(key);
      this.open("{", (inner) => {
        if (inner === "nodes") this.open("{", (id) => this.entry(id));
        else this.value();
      });
    });
    if (version !== null) this.entries.push(["version", version]);
    if (this.peek(true) !== undefined) throw new Broken();
  }

  entry(key) {
    this.entries.push([key, this.value()]);
  }

  /** Parses an object and calls `member` after each key. */
  open(sign, member) {
    if (this.peek() !== sign) throw new Broken();
    this.at += 1;
    if (this.peek() === "}") {
      this.at += 1;
      return;
    }
    for (;;) {
      if (this.peek() !== '"') throw new Broken();
      const key = this.string();
      if (this.peek() !== ":") throw new Broken();
      this.at += 1;
      member(key);
      const next = this.peek();
      if (next !== "," && next !== "}") throw new Broken();
      this.at += 1;
      if (next === "}") return;
    }
  }

  value() {
    const first = this.peek();
    if (first === '"') return this.string();
    if (first === "{") {
      const entries = [];
      this.open("{", (key) => entries.push([key, this.value()]));
      return Object.fromEntries(entries);
    }
    if (first === "[") return this.list();
    return this.scalar();
  }

  list() {
    const items = [];
    this.at += 1;
    if (this.peek() === "]") {
      this.at += 1;
      return items;
    }
    for (;;) {
      items.push(this.value());
      const next = this.peek();
      if (next !== "," && next !== "]") throw new Broken();
      this.at += 1;
      if (next === "]") return items;
    }
  }

  string() {
    STRING.lastIndex = this.at;
    const found = STRING.exec(this.text);
    if (found) {
      this.at = STRING.lastIndex;
      return JSON.parse(found[0]);
    }
    OPEN_STRING.lastIndex = this.at;
    throw OPEN_STRING.test(this.text) ? new Ended() : new Broken();
  }

  /** Parses a number or keyword, which is complete if another character follows. */
  scalar() {
    const end = /[\s,\]}]/g;
    end.lastIndex = this.at;
    const stop = end.exec(this.text);
    const word = this.text.slice(this.at, stop?.index);
    SCALAR.lastIndex = 0;
    const whole = SCALAR.test(word) && SCALAR.lastIndex === word.length;
    if (whole && stop) {
      this.at += word.length;
      return JSON.parse(word);
    }
    const isPrefix = /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?[\d.eE+-]*)$/;
    throw !stop && isPrefix.test(word) ? new Ended() : new Broken();
  }

  peek(mayEnd = false) {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
    if (this.at >= this.text.length && !mayEnd) throw new Ended();
    return this.text[this.at];
  }
}
