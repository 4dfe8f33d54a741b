/** What one property may take: characters read and written, values looked at, steps of patterns. */
const most = 4_000_000;

/** Bounds the work that data can ask for. Whoever does some of it pays first, and stops where nothing is left. */
export class Budget {
  #left = most;

  /** Whether that much was left. */
  pay(cost: number): boolean {
    this.#left -= cost;
    return this.#left >= 0;
  }

  /** Whether that much is left. */
  has(cost: number): boolean {
    return cost <= this.#left;
  }
}
