import { prefersReducedMotion, wait } from "../page/motion.js";

/** Delays steps so that the user can watch, and pauses them. */
export class PaceClock {
  #paused = false;
  #waiters: (() => void)[] = [];
  readonly #onHold = new Set<() => void>();

  /** Whether waits are skipped, because the user prefers reduced motion. */
  get skipsWaits(): boolean {
    return prefersReducedMotion();
  }

  /** Pauses all waits. */
  pause(): void {
    this.#paused = true;
    for (const one of [...this.#onHold]) one();
  }

  /** Calls a function on each pause; returns an unsubscribe function. */
  onPause(listener: () => void): () => void {
    this.#onHold.add(listener);
    return () => this.#onHold.delete(listener);
  }

  resume(): void {
    this.#paused = false;
    for (const one of this.#waiters.splice(0)) one();
  }

  /** Waits this long, and while paused. With reduced motion it only waits while paused. */
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
