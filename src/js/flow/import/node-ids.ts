/** Ids of imported nodes: names that templates can contain, without duplicates. */
export class NodeIds {
  readonly #byName = new Map<string, string>();
  readonly #used = new Set<string>();
  /** Number of the last id of each beginning, so that many equal ones do not search from the first. */
  readonly #counts = new Map<string, number>();

  /** Returns the id for the name of a node. */
  idOf(name: string): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const base = withoutOuterUnderscores(name.replaceAll(/[^\p{L}\p{N}_]+/gu, "_")) || "node";
    const start = /^\p{N}/u.test(base) ? `n${base}` : base;
    let id = start;
    let count = this.#counts.get(start) ?? 1;
    while (this.#used.has(id)) {
      count += 1;
      id = `${start}_${count}`;
    }
    this.#counts.set(start, count);
    this.#used.add(id);
    this.#byName.set(name, id);
    return id;
  }

  /** Returns the id of a node that has been named, or undefined. */
  find(name: string): string | undefined {
    return this.#byName.get(name);
  }
}

/** Trims underscores. A regular expression for the end would try each underscore inside. */
function withoutOuterUnderscores(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === "_") start += 1;
  while (end > start && text[end - 1] === "_") end -= 1;
  return text.slice(start, end);
}
