import type { MirrorNode } from "../base/mirror-node.js";

/** Estimated height of a row in pixels until the first row is measured. */
export const guess = 44;

/**
 * Measured heights of rows, with prefix sums for the offsets. Rows that were not measured count as
 * the average.
 */
export class Heights {
  /** A map, because few rows are measured and a field would enlarge all of them. */
  readonly #measured = new Map<MirrorNode, number>();
  #rows = 0;
  #average = guess;
  /**
   * Indices of the measured rows in order, and prefix sums of their differences from the average.
   */
  #places: readonly number[] = [];
  #more = new Float64Array(1);

  /** Records a height. Returns true if it changed. */
  note(row: MirrorNode, height: number): boolean {
    const moved = Math.abs(height - (this.#measured.get(row) ?? Number.POSITIVE_INFINITY));
    // Under a CSS scale the last digits vary; browsers lay out in units of 1/64 pixel.
    if (moved < 1 / 64 || height === 0) return false;
    this.#measured.set(row, height);
    return true;
  }

  /** Rebuilds the offsets for a new sequence of rows. */
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

  /** Sets the number of rows after rows were appended. */
  lengthen(rows: number): void {
    this.#rows = rows;
  }

  /**
   * Returns the offset of a row from the start of the list, in pixels. The index after the last one
   * gives the total height.
   */
  top(index: number): number {
    const places = this.#places;
    const measured = lowest(0, places.length, (at) => (places[at] as number) >= index);
    return index * this.#average + (this.#more[measured] as number);
  }

  /** Returns the range of row indices, end exclusive, that overlaps two offsets. */
  between(top: number, bottom: number): [number, number] {
    const from = this.#at(top);
    return [from, Math.min(this.#rows, this.#at(bottom) + 1)];
  }

  /** Returns the index of the last row that begins at or before an offset. */
  #at(position: number): number {
    const behind = lowest(1, this.#rows, (index) => this.top(index) > position);
    return Math.max(0, behind - 1);
  }
}

/**
 * Returns the first number from `from` to `to` (exclusive) that satisfies a monotonic predicate, or
 * `to` (binary search).
 */
function lowest(from: number, to: number, holds: (number: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
