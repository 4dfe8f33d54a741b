import { attribute } from "./accessibility.js";
import type { Context } from "./component.js";

/** So long nothing may come before a change is spoken of: while a surface streams in, a reader is told once and not for each row. */
const quiet = 900;
/** What has not come for so long is given up: readers pass over what is busy. */
const patience = 10_000;

/** It is fixed to the viewport: placed behind a long surface that scrolls in a box, it would make the page as long as the surface. */
export function statusOf(context: Context): HTMLElement {
  const element = context.document.createElement("div");
  element.className = "bn-status";
  element.setAttribute("role", "status");
  element.setAttribute("aria-live", "polite");
  return element;
}

/** A polite status beside the surface: "loading" while components are missing, one word when it has settled. */
export class Announcer {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #host: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = false;

  constructor(context: Context, host: HTMLElement) {
    this.#context = context;
    this.#host = host;
    this.element = statusOf(context);
  }

  /** Tells that something came or went, and whether parts are still missing. */
  changed(missing: boolean): void {
    const { words } = this.#context;
    clearTimeout(this.#timer);
    attribute(this.#host, "aria-busy", missing ? "true" : "");
    if (missing) {
      if (!this.#waiting) this.element.textContent = words.loading;
      this.#waiting = true;
      this.#timer = setTimeout(() => attribute(this.#host, "aria-busy", ""), patience);
      return;
    }
    const word = this.#waiting ? words.loaded : words.updated;
    this.#timer = setTimeout(() => {
      this.#waiting = false;
      this.element.textContent = word;
      // An equal text is not spoken twice, so it goes away again.
      this.#timer = setTimeout(() => (this.element.textContent = ""), 3000);
    }, quiet);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.element.remove();
  }
}
