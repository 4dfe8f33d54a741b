/** Decisions of a generator, read from bytes. After the last byte every decision is 0. */
export class Choices {
  #bytes;
  #index = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isEmpty() {
    return this.#index >= this.#bytes.length;
  }

  /** Returns an integer below a limit of at most 256. */
  below(limit) {
    return this.isEmpty ? 0 : this.#bytes[this.#index++] % limit;
  }

  /** Returns true for one of `count` bytes, and after the last byte false. */
  oneIn(count) {
    return this.below(count) === count - 1;
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  /** Returns `count` values created by `make`. */
  many(count, make) {
    return Array.from({ length: count }, make);
  }
}
