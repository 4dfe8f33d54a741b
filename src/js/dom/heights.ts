import type { MirrorNode } from "./mirror.js";

/** A first guess for a row that nobody has measured, until one has. */
export const guess = 44;

/** The measured heights of rows, and where each row begins. A row that was never in the document counts as the average. */
export class Heights {
  readonly #measured = new WeakMap<MirrorNode, number>();
  #sum = 0;
  #count = 0;
  #rows: readonly MirrorNode[] = [];
  #tops = new Float64Array(1);
  #index = new Map<MirrorNode, number>();

  /** Notes a height; true when it moves anything. */
  note(row: MirrorNode, height: number): boolean {
    const known = this.#measured.get(row);
    if (known === height || height === 0) return false;
    this.#measured.set(row, height);
    this.#sum += height - (known ?? 0);
    if (known === undefined) this.#count += 1;
    return true;
  }

  /** Takes over the rows as they now follow each other. */
  layOut(rows: readonly MirrorNode[]): void {
    const average = this.#count > 0 ? this.#sum / this.#count : guess;
    if (this.#rows !== rows) {
      this.#rows = rows;
      this.#index = new Map(rows.map((row, index) => [row, index]));
      this.#tops = new Float64Array(rows.length + 1);
    }
    let top = 0;
    rows.forEach((row, index) => {
      top += this.#measured.get(row) ?? average;
      this.#tops[index + 1] = top;
    });
  }

  index(row: MirrorNode): number {
    return this.#index.get(row) ?? -1;
  }

  /** Where the row of this index begins; the index after the last gives the height of all. */
  top(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** The rows, from and up to, that lie at least in part between two positions. */
  between(top: number, bottom: number): [number, number] {
    const from = this.#at(top);
    return [from, Math.min(this.#rows.length, this.#at(bottom) + 1)];
  }

  #at(position: number): number {
    let low = 0;
    let high = Math.max(0, this.#rows.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
