import { runAndReport } from "../../report.js";

/** Scroll, resize and pointer events of the page of a surface. */
export class PageEvents {
  readonly #scrollListeners = new Set<() => void>();
  readonly #releaseTasks: (() => void)[] = [];
  #isPressed = false;

  /** See `Context.onScroll`. */
  onScroll(listener: () => void): () => void {
    this.#scrollListeners.add(listener);
    return () => this.#scrollListeners.delete(listener);
  }

  /** See `Context.afterPress`. */
  afterPress(task: () => void): void {
    if (this.#isPressed) this.#releaseTasks.push(task);
    else task();
  }

  /**
   * Listens to the events around an element. Calls `settle` after the scroll listeners. Scroll
   * events do not bubble and do not leave a shadow tree, so both roots are listened to in the
   * capture phase. Returns a function that stops.
   */
  listen(document: Document, host: HTMLElement, settle: () => void): () => void {
    // `addEventListener` only accepts an `AbortSignal` of the same window.
    const stop = new (document.defaultView ?? globalThis).AbortController();
    const options = { capture: true, passive: true, signal: stop.signal };
    const scrolled = (): void => {
      for (const listener of [...this.#scrollListeners]) runAndReport(listener);
      settle();
    };
    for (const root of new Set<Node>([document, host.getRootNode()]))
      root.addEventListener("scroll", scrolled, options);
    document.defaultView?.addEventListener("resize", scrolled, options);
    const markPressed = (): void => {
      this.#isPressed = true;
    };
    const release = (): void => {
      this.#isPressed = false;
      // The click event follows the release immediately, so the tasks run later.
      if (this.#releaseTasks.length > 0) {
        setTimeout(() => {
          for (const task of this.#releaseTasks.splice(0)) task();
        });
      }
    };
    document.addEventListener("pointerdown", markPressed, options);
    for (const end of ["pointerup", "pointercancel", "dragend"])
      document.addEventListener(end, release, options);
    return () => stop.abort();
  }
}
