import type { Items } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { countOwn, type Seen, type Sight, scrollBy, scrolledBy, seen } from "./visible-range.js";

/**
 * Scroll anchoring: keeps the visible rows of a long list in position while other rows are added,
 * removed or resized.
 */
export class Anchor {
  readonly #container: HTMLElement;
  readonly #wrappers: Items["wrappers"];
  /** Visible rows before the first change since the last frame. */
  #lastSeen: Sight | null = null;
  /** Offset of the rows below their intended position, in viewport pixels; less than 1. */
  #tooLow = 0;

  constructor(container: HTMLElement, wrappers: Items["wrappers"]) {
    this.#container = container;
    this.#wrappers = wrappers;
  }

  /**
   * Captures the visible rows, once per frame: until it is painted, these are what the user saw
   * last.
   */
  look(): void {
    if (!this.#lastSeen) this.#keep(seen(this.#container, this.#wrappers, this.#tooLow));
  }

  /** Retains the captured rows for the next frame. */
  carryOver(): void {
    const sight = this.#lastSeen;
    if (sight) requestAnimationFrame(() => this.#keep(sight));
  }

  forget(): void {
    this.#lastSeen = null;
  }

  /** Excludes a row that is moved, because the scroll position must not follow it. */
  letGo(gone: MirrorNode): void {
    const sight = this.#lastSeen;
    if (sight) sight.rows = sight.rows.filter(({ row }) => row !== gone);
  }

  /** Returns the first captured row that is still in the list, or `undefined`. */
  held(): Seen | undefined {
    const sight = this.#lastSeen;
    // The user has scrolled since the capture.
    if (sight && Math.abs(scrolledBy(sight.scroller) - sight.scrolled) >= 1) this.forget();
    this.look();
    return this.#lastSeen?.rows.find(({ row }) => row.parent && row.view);
  }

  /** Runs a draw whose scroll changes do not count as scrolling by the user. */
  through(draw: () => void): void {
    if (this.#lastSeen) countOwn(this.#lastSeen.scroller, draw);
    else draw();
  }

  /**
   * Scrolls a row back to its captured position. Browsers scroll by whole pixels, so the remainder
   * is carried over.
   */
  restore({ row, top }: Seen): void {
    const wrapper = this.#wrappers.get(row);
    if (!this.#lastSeen || !wrapper) return;
    const moved = (): number => wrapper.getBoundingClientRect().top - top;
    scrollBy(this.#lastSeen.scroller, moved());
    this.#tooLow = moved() % 1;
  }

  #keep(sight: Sight): void {
    this.#lastSeen = sight;
    // A frame is painted after its callbacks and observers.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.#lastSeen === sight) this.forget();
      }),
    );
  }
}
