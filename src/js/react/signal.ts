/** Observable value that React components read with `useSyncExternalStore`. */
export class Signal<T> {
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls the listener after the last reader was removed. */
  onEnd(listener: () => void): () => void {
    this.#ends.add(listener);
    return () => this.#ends.delete(listener);
  }

  end(): void {
    for (const listener of this.#ends) listener();
  }
}
