import { updateAttribute } from "./accessibility.js";
import type { Context } from "./component.js";

/**
 * Milliseconds without a change before an announcement, so that a streamed surface is announced
 * once.
 */
const QUIET_MS = 900;
/**
 * Milliseconds until `aria-busy` is removed although components are missing, because screen readers
 * skip busy elements.
 */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Creates the status element. It is fixed to the viewport, because after a long surface that
 * scrolls in a box it would extend the page.
 */
export function createStatus(context: Context): HTMLElement {
  const element = context.document.createElement("div");
  element.className = "bn-status";
  element.setAttribute("role", "status");
  element.setAttribute("aria-live", "polite");
  return element;
}

/**
 * Polite live region of a surface: "loading" while components are missing, one word when the
 * surface is complete.
 */
export class Announcer {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #host: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;

  constructor(context: Context, host: HTMLElement) {
    this.#context = context;
    this.#host = host;
    this.element = createStatus(context);
  }

  /** Schedules an announcement after a change. `missing` is true if components are missing. */
  update(missing: boolean): void {
    const { words } = this.#context;
    clearTimeout(this.#timer);
    updateAttribute(this.#host, "aria-busy", missing ? "true" : "");
    if (missing) {
      if (!this.#isLoading) this.element.textContent = words.loading;
      this.#isLoading = true;
      this.#timer = setTimeout(() => updateAttribute(this.#host, "aria-busy", ""), BUSY_TIMEOUT_MS);
      return;
    }
    const word = this.#isLoading ? words.loaded : words.updated;
    this.#timer = setTimeout(() => {
      this.#isLoading = false;
      this.element.textContent = word;
      // Screen readers do not announce an equal text twice, so it is cleared.
      this.#timer = setTimeout(() => (this.element.textContent = ""), 3000);
    }, QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.element.remove();
  }
}
