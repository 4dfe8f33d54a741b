import type { Items } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { countOwn, type Seen, type Sight, scrollBy, scrolledBy, seen } from "./visible-range.js";

/** Holds what is read of a long list where it is, while other rows come, go or grow. */
export class Anchor {
  readonly #container: HTMLElement;
  readonly #wrappers: Items["wrappers"];
  /** What was seen before anything changed since the last frame. */
  #lastSeen: Sight | null = null;
  /** By how much less than a pixel the rows stand lower than they should. */
  #tooLow = 0;

  constructor(container: HTMLElement, wrappers: Items["wrappers"]) {
    this.#container = container;
    this.#wrappers = wrappers;
  }

  /** Notes what is seen, once for all changes of a frame: until it is painted, that is what the reader saw last. */
  look(): void {
    if (!this.#lastSeen) this.#keep(seen(this.#container, this.#wrappers, this.#tooLow));
  }

  /** What was noted counts for the next frame too. */
  carryOver(): void {
    const sight = this.#lastSeen;
    if (sight) requestAnimationFrame(() => this.#keep(sight));
  }

  forget(): void {
    this.#lastSeen = null;
  }

  /** Whoever reads does not follow a row to where it goes. */
  letGo(gone: MirrorNode): void {
    const sight = this.#lastSeen;
    if (sight) sight.rows = sight.rows.filter(({ row }) => row !== gone);
  }

  /** The first row that was seen and is still there. */
  held(): Seen | undefined {
    const sight = this.#lastSeen;
    // Somebody has scrolled since.
    if (sight && Math.abs(scrolledBy(sight.scroller) - sight.scrolled) >= 1) this.forget();
    this.look();
    return this.#lastSeen?.rows.find(({ row }) => row.parent && row.view);
  }

  /** Draws rows; whatever scrolls by the way, nobody has scrolled. */
  through(draw: () => void): void {
    if (this.#lastSeen) countOwn(this.#lastSeen.scroller, draw);
    else draw();
  }

  /** Scrolls so far that a row is where it was. Browsers scroll by whole pixels: what is left is made good the next time. */
  restore({ row, top }: Seen): void {
    const wrapper = this.#wrappers.get(row);
    if (!this.#lastSeen || !wrapper) return;
    const moved = (): number => wrapper.getBoundingClientRect().top - top;
    scrollBy(this.#lastSeen.scroller, moved());
    this.#tooLow = moved() % 1;
  }

  #keep(sight: Sight): void {
    this.#lastSeen = sight;
    // A frame is painted behind its callbacks and observers.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.#lastSeen === sight) this.forget();
      }),
    );
  }
}
