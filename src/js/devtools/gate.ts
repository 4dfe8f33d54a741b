import { runAndReport } from "../report.js";

/** Update that waits, with a description for the panel. */
interface WaitingUpdate {
  title: string;
  run: () => void;
}

/** Queue of updates that wait while the page is paused. */
export class Gate {
  #isPaused = false;
  #isRunning = false;
  #queue: WaitingUpdate[] = [];
  readonly #listeners = new Set<() => void>();

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether an update must wait. Those of a listener of a released update do not. */
  get isClosed(): boolean {
    return this.#isPaused && !this.#isRunning;
  }

  /** Titles of the waiting updates, next first. */
  get waiting(): readonly string[] {
    return this.#queue.map(({ title }) => title);
  }

  pause(): void {
    this.#isPaused = true;
    this.#notify();
  }

  /** Runs all waiting updates in order. */
  resume(): void {
    this.#isPaused = false;
    while (this.#queue.length > 0 && !this.#isPaused) this.#runNext();
    this.#notify();
  }

  /** Runs the next waiting update. Returns false if none waits. */
  step(): boolean {
    const isFound = this.#queue.length > 0;
    this.#runNext();
    this.#notify();
    return isFound;
  }

  /** Adds an update that waits. Returns a function that removes it. */
  add(title: string, run: () => void): () => void {
    const own = { title, run };
    this.#queue.push(own);
    this.#notify();
    return () => {
      this.#queue = this.#queue.filter((one) => one !== own);
      this.#notify();
    };
  }

  /** Waits until the update may run. Rejects with the reason of the signal if it aborts. */
  async waitForTurn(title: string, signal?: AbortSignal): Promise<void> {
    if (!this.isClosed) return;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        remove();
        reject(signal?.reason);
      };
      const remove = this.add(title, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Calls the listener after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  #runNext(): void {
    const next = this.#queue.shift();
    if (!next) return;
    const wasRunning = this.#isRunning;
    this.#isRunning = true;
    try {
      runAndReport(next.run);
    } finally {
      this.#isRunning = wasRunning;
    }
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) runAndReport(listener);
  }
}
