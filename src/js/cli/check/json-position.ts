/** Part of a member of an object: its value, or its key. */
export type MemberPart = "value" | "key";

/**
 * Returns the offset of the value at a JSON pointer, or of its key, in the JSON text that begins at
 * an offset. Returns undefined if it has none.
 */
export function positionOf(
  text: string,
  pointer: string,
  start = 0,
  part: MemberPart = "value",
): number | undefined {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return new Scanner(text, start).find(steps, part);
}

/** Scanner of valid JSON. */
class Scanner {
  readonly #text: string;
  #at: number;
  /** Offset of the last key, or of the item of a list. */
  #keyAt: number | undefined;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  /** Returns the offset of the value at the steps, from the current value, or of its key. */
  find(steps: readonly string[], part: MemberPart): number | undefined {
    for (const step of steps) if (!this.#moveTo(step)) return undefined;
    this.#skipSpace();
    if (part === "key" && this.#keyAt !== undefined) return this.#keyAt;
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
      this.#keyAt = this.#at;
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
