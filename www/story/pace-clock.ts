import { stillness, wait } from "../page/motion.js";

/** Gives what happens its pace, so that one can watch, and holds it while somebody looks at something else. */
export class Clock {
  #held = false;
  #wake: (() => void)[] = [];
  readonly #onHold = new Set<() => void>();

  /** Whether whoever waits may go on at once: nothing should move. */
  get still(): boolean {
    return stillness();
  }

  /** Holds all that waits, from now on. */
  hold(): void {
    this.#held = true;
    for (const one of [...this.#onHold]) one();
  }

  /** Calls a function whenever the clock is held; the answer stops that. */
  onHold(listener: () => void): () => void {
    this.#onHold.add(listener);
    return () => this.#onHold.delete(listener);
  }

  go(): void {
    this.#held = false;
    for (const one of this.#wake.splice(0)) one();
  }

  /** Waits so long, and while it is held. Where nothing should move it does not wait but when it is held. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    let left = this.still ? 0 : milliseconds;
    for (;;) {
      signal.throwIfAborted();
      if (this.#held) await this.#change(signal);
      else if (left <= 0) return;
      else {
        const start = performance.now();
        await wait(Math.min(left, 40));
        left -= performance.now() - start;
      }
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      this.#wake.push(done);
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
