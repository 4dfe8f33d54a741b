/**
 * Maximum cost of one property: characters read and written, values visited and regular expression
 * steps.
 */
const maxCost = 4_000_000;

/**
 * Limits the computation that data can request. Callers pay before they compute, and stop when
 * nothing is left.
 */
export class Budget {
  #left = maxCost;

  /** Subtracts a cost and returns whether the budget was sufficient. */
  trySpend(cost: number): boolean {
    this.#left -= cost;
    return this.#left >= 0;
  }

  /** Returns whether the budget is sufficient for a cost. */
  has(cost: number): boolean {
    return cost <= this.#left;
  }
}
