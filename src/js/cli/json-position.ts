/** Returns the offset of the value at a JSON pointer in a text, or undefined if it has none. */
export function positionOf(text: string, pointer: string): number | undefined {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const scanner = new Scanner(text);
  return scanner.find(steps);
}

/** Scanner of valid JSON. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of the value at the steps, from the current value. */
  find(steps: readonly string[]): number | undefined {
    for (const step of steps) if (!this.#moveTo(step)) return undefined;
    this.#skipSpace();
    return this.#at < this.#text.length ? this.#at : undefined;
  }

  /** Moves to the value of a key or index. Returns false if there is none. */
  #moveTo(step: string): boolean {
    this.#skipSpace();
    const open = this.#text[this.#at];
    if (open !== "{" && open !== "[") return false;
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === undefined || char === "}" || char === "]") return false;
      let key = String(index);
      if (open === "{") {
        key = this.#readString();
        this.#skipSpace();
        this.#at += 1;
      }
      if (key === step) return true;
      this.#skipValue();
      this.#skipSpace();
      if (this.#text[this.#at] !== ",") return false;
      this.#at += 1;
    }
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    this.#skipString();
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      return "";
    }
  }

  #skipString(): void {
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
  }

  #skipValue(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === '"') {
        this.#skipString();
        this.#at -= 1;
      } else if (char === "{" || char === "[") depth += 1;
      else if (char === "}" || char === "]") {
        if (depth === 0) return;
        depth -= 1;
      } else if (char === "," && depth === 0) return;
    }
  }
}
