import type { MirrorNode } from "../base/mirror-node.js";

/** Estimated height of a row in pixels until the first row is measured. */
export const DEFAULT_ROW_HEIGHT = 44;

/**
 * Measured heights of rows, with prefix sums for the offsets. Rows that were not measured count as
 * the average.
 */
export class RowHeights {
  /** A map, because few rows are measured and a field would enlarge all of them. */
  readonly #measured = new Map<MirrorNode, number>();
  #count = 0;
  #average = DEFAULT_ROW_HEIGHT;
  /**
   * Indices of the measured rows in order, and prefix sums of their differences from the average.
   */
  #measuredIndices: readonly number[] = [];
  #excessSums = new Float64Array(1);

  /** Records a height. Returns true if it changed. */
  record(row: MirrorNode, height: number): boolean {
    const difference = Math.abs(height - (this.#measured.get(row) ?? Number.POSITIVE_INFINITY));
    // Under a CSS scale the last digits vary; browsers lay out in units of 1/64 pixel.
    if (difference < 1 / 64 || height === 0) return false;
    this.#measured.set(row, height);
    return true;
  }

  /** Rebuilds the offsets for a new sequence of rows. */
  rebuild(rows: readonly MirrorNode[]): void {
    let sum = 0;
    for (const [row, height] of this.#measured) {
      if (rows[row.place] === row) sum += height;
      else this.#measured.delete(row);
    }
    const measured = [...this.#measured].sort(([a], [b]) => a.place - b.place);
    this.#average = measured.length > 0 ? sum / measured.length : DEFAULT_ROW_HEIGHT;
    this.#measuredIndices = measured.map(([row]) => row.place);
    this.#excessSums = new Float64Array(measured.length + 1);
    let excess = 0;
    for (const [at, [, height]] of measured.entries()) {
      excess += height - this.#average;
      this.#excessSums[at + 1] = excess;
    }
    this.#count = rows.length;
  }

  /** Sets the number of rows after rows were appended. */
  setCount(rows: number): void {
    this.#count = rows;
  }

  /**
   * Returns the offset of a row from the start of the list, in pixels. The index after the last one
   * gives the total height.
   */
  offsetOf(index: number): number {
    const indices = this.#measuredIndices;
    const measured = lowerBound(0, indices.length, (at) => (indices[at] as number) >= index);
    return index * this.#average + (this.#excessSums[measured] as number);
  }

  /** Returns the range of row indices, end exclusive, that overlaps two offsets. */
  indexRange(top: number, bottom: number): [number, number] {
    const from = this.#indexAt(top);
    return [from, Math.min(this.#count, this.#indexAt(bottom) + 1)];
  }

  /** Returns the index of the last row that begins at or before an offset. */
  #indexAt(position: number): number {
    const next = lowerBound(1, this.#count, (index) => this.offsetOf(index) > position);
    return Math.max(0, next - 1);
  }
}

/**
 * Returns the first number from `from` to `to` (exclusive) that satisfies a monotonic predicate, or
 * `to` (binary search).
 */
function lowerBound(from: number, to: number, matches: (number: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
