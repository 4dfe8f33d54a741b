/** Part of a member of an object: its value, or its key. */
export type MemberPart = "value" | "key";

/** Offsets of a value in a container, and of its key; an item of a list begins at both. */
interface Entry {
  keyAt: number;
  valueAt: number;
}

/** Scanner of the text that was searched last, whose containers are scanned once. */
let latest: Scanner | undefined;

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
  if (latest?.text !== text) latest = new Scanner(text);
  return latest.find(start, steps, part);
}

/** Scanner of valid JSON. */
class Scanner {
  readonly text: string;
  #at = 0;
  /** Entries of the containers on the way to searched values, by offset. */
  readonly #entries = new Map<number, Map<string, Entry>>();

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the offset of the value at the steps, from the value at an offset, or of its key. */
  find(start: number, steps: readonly string[], part: MemberPart): number | undefined {
    this.#at = start;
    this.#skipSpace();
    let entry: Entry = { keyAt: this.#at, valueAt: this.#at };
    for (const step of steps) {
      const next = this.#entriesAt(entry.valueAt).get(step);
      if (next === undefined) return undefined;
      entry = next;
    }
    if (part === "key" && steps.length > 0) return entry.keyAt;
    return entry.valueAt < this.text.length ? entry.valueAt : undefined;
  }

  #entriesAt(offset: number): Map<string, Entry> {
    const known = this.#entries.get(offset);
    if (known !== undefined) return known;
    const entries = new Map<string, Entry>();
    this.#entries.set(offset, entries);
    this.#at = offset;
    this.#scanEntries(entries);
    return entries;
  }

  /** Adds the entries of the container at the current offset; the first one of equal keys. */
  #scanEntries(entries: Map<string, Entry>): void {
    const open = this.text[this.#at];
    if (open !== "{" && open !== "[") return;
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#skipSpace();
      const char = this.text[this.#at];
      if (char === undefined || char === "}" || char === "]") return;
      const keyAt = this.#at;
      let key = String(index);
      if (open === "{") {
        key = this.#readString();
        this.#skipSpace();
        this.#at += 1;
        this.#skipSpace();
      }
      if (!entries.has(key)) entries.set(key, { keyAt, valueAt: this.#at });
      this.#skipValue();
      this.#skipSpace();
      if (this.text[this.#at] !== ",") return;
      this.#at += 1;
    }
  }

  #skipSpace(): void {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    this.#skipString();
    try {
      return JSON.parse(this.text.slice(start, this.#at)) as string;
    } catch {
      return "";
    }
  }

  #skipString(): void {
    this.#at += 1;
    while (this.#at < this.text.length && this.text[this.#at] !== '"')
      this.#at += this.text[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
  }

  #skipValue(): void {
    let depth = 0;
    for (; this.#at < this.text.length; this.#at += 1) {
      this.#skipSpace();
      const char = this.text[this.#at];
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
