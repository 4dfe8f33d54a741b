import type { MirrorNode } from "./mirror.js";

/** A first guess for a row that nobody has measured, until one has. */
export const guess = 44;

/** The measured heights of rows, and where each row begins. A row that was never in the document counts as the average. */
export class Heights {
  /** Few of many rows, so they are no field of the rows: that would make ten thousand of them others than they were. */
  readonly #measured = new Map<MirrorNode, number>();
  #tops = new Float64Array(1);

  /** Notes a height; true when it moves anything. */
  note(row: MirrorNode, height: number): boolean {
    if (this.#measured.get(row) === height || height === 0) return false;
    this.#measured.set(row, height);
    return true;
  }

  /** Takes over the rows as they now follow each other. */
  layOut(rows: readonly MirrorNode[]): void {
    let sum = 0;
    for (const [row, height] of this.#measured) {
      if (rows[row.place] === row) sum += height;
      else this.#measured.delete(row);
    }
    const average = this.#measured.size > 0 ? sum / this.#measured.size : guess;
    const heights = new Float64Array(rows.length).fill(average);
    for (const [row, height] of this.#measured) heights[row.place] = height;
    const tops = new Float64Array(rows.length + 1);
    for (let index = 0; index < rows.length; index++) {
      tops[index + 1] = (tops[index] as number) + (heights[index] as number);
    }
    this.#tops = tops;
  }

  /** Where the row of this index begins; the index after the last gives the height of all. */
  top(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** The rows, from and up to, that lie at least in part between two positions. */
  between(top: number, bottom: number): [number, number] {
    const from = this.#at(top);
    return [from, Math.min(this.#rows, this.#at(bottom) + 1)];
  }

  get #rows(): number {
    return this.#tops.length - 1;
  }

  #at(position: number): number {
    let low = 0;
    let high = Math.max(0, this.#rows - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
