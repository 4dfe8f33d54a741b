/** Ids of imported nodes: names that templates can contain, without duplicates. */
export class NodeIds {
  readonly #byName = new Map<string, string>();
  readonly #used = new Set<string>();

  /** Returns the id for the name of a node. */
  idOf(name: string): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const base = name.replaceAll(/[^\p{L}\p{N}_]+/gu, "_").replaceAll(/^_+|_+$/g, "") || "node";
    const start = /^\p{N}/u.test(base) ? `n${base}` : base;
    let id = start;
    for (let count = 2; this.#used.has(id); count += 1) id = `${start}_${count}`;
    this.#used.add(id);
    this.#byName.set(name, id);
    return id;
  }

  /** Returns the id of a node that has been named, or undefined. */
  find(name: string): string | undefined {
    return this.#byName.get(name);
  }
}
