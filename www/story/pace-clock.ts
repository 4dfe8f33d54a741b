import { prefersReducedMotion, wait } from "../page/motion.js";

/** Gives what happens its pace, so that one can watch, and holds it while somebody looks at something else. */
export class PaceClock {
  #paused = false;
  #waiters: (() => void)[] = [];
  readonly #onHold = new Set<() => void>();

  /** Whether whoever waits may go on at once: nothing should move. */
  get skipsWaits(): boolean {
    return prefersReducedMotion();
  }

  /** Holds all that waits, from now on. */
  pause(): void {
    this.#paused = true;
    for (const one of [...this.#onHold]) one();
  }

  /** Calls a function whenever the clock is held; the answer stops that. */
  onPause(listener: () => void): () => void {
    this.#onHold.add(listener);
    return () => this.#onHold.delete(listener);
  }

  resume(): void {
    this.#paused = false;
    for (const one of this.#waiters.splice(0)) one();
  }

  /** Waits so long, and while it is held. Where nothing should move it does not wait but when it is held. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    let left = this.skipsWaits ? 0 : milliseconds;
    for (;;) {
      signal.throwIfAborted();
      if (this.#paused) await this.#stateChange(signal);
      else if (left <= 0) return;
      else {
        const start = performance.now();
        await wait(Math.min(left, 40));
        left -= performance.now() - start;
      }
    }
  }

  #stateChange(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      this.#waiters.push(done);
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
