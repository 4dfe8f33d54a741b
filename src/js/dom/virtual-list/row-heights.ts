import type { MirrorNode } from "../base/mirror-node.js";

/** A first guess for a row that nobody has measured, until one has. */
export const guess = 44;

/** The measured heights of rows, and where each row begins. A row that was never in the document counts as the average. */
export class Heights {
  /** Few of many rows, so they are no field of the rows: that would make ten thousand of them others than they were. */
  readonly #measured = new Map<MirrorNode, number>();
  #rows = 0;
  #average = guess;
  /** The places of the measured rows in order, and by how much all before each are higher than the average, and all at the end. */
  #places: readonly number[] = [];
  #more = new Float64Array(1);

  /** Notes a height; true when it moves anything. */
  note(row: MirrorNode, height: number): boolean {
    const moved = Math.abs(height - (this.#measured.get(row) ?? Number.POSITIVE_INFINITY));
    // Below a scale the last digits are any; browsers lay out by 64ths of a pixel.
    if (moved < 1 / 64 || height === 0) return false;
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
    const measured = [...this.#measured].sort(([a], [b]) => a.place - b.place);
    this.#average = measured.length > 0 ? sum / measured.length : guess;
    this.#places = measured.map(([row]) => row.place);
    this.#more = new Float64Array(measured.length + 1);
    let more = 0;
    for (const [at, [, height]] of measured.entries()) {
      more += height - this.#average;
      this.#more[at + 1] = more;
    }
    this.#rows = rows.length;
  }

  /** There are so many rows now: some came behind the others. */
  lengthen(rows: number): void {
    this.#rows = rows;
  }

  /** Where the row of this index begins; the index after the last gives the height of all. */
  top(index: number): number {
    const places = this.#places;
    const measured = lowest(0, places.length, (at) => (places[at] as number) >= index);
    return index * this.#average + (this.#more[measured] as number);
  }

  /** The rows, from and up to, that lie at least in part between two positions. */
  between(top: number, bottom: number): [number, number] {
    const from = this.#at(top);
    return [from, Math.min(this.#rows, this.#at(bottom) + 1)];
  }

  /** The last row that begins at a position or above it. */
  #at(position: number): number {
    const behind = lowest(1, this.#rows, (index) => this.top(index) > position);
    return Math.max(0, behind - 1);
  }
}

/** The lowest number that holds, from one and below another, which it is when none does; from one that holds on, all do. */
function lowest(from: number, to: number, holds: (number: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
