import type { ListItems } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { focusedElement } from "../base/move-element.js";
import {
  countListScroll,
  scrollByPixels,
  userScroll,
  type VisibleRange,
  type VisibleRow,
  visibleRange,
} from "./visible-range.js";

/**
 * Scroll anchoring: keeps the visible rows of a long list in position while other rows are added,
 * removed or resized.
 */
export class ScrollAnchor {
  readonly #container: HTMLElement;
  readonly #wrappers: ListItems["wrappers"];
  /** Visible rows before the first change since the last frame. */
  #captured: VisibleRange | null = null;
  /** Offset of the rows below their intended position, in viewport pixels; less than 1. */
  #subpixelOffset = 0;

  constructor(container: HTMLElement, wrappers: ListItems["wrappers"]) {
    this.#container = container;
    this.#wrappers = wrappers;
  }

  /**
   * Captures the visible rows, once per frame: until it is painted, these are what the user saw
   * last.
   */
  captureVisibleRows(): void {
    if (!this.#captured)
      this.#storeRange(visibleRange(this.#container, this.#wrappers, this.#subpixelOffset));
  }

  /** Retains the captured rows for the next frame. */
  retainCaptured(): void {
    const range = this.#captured;
    if (range) requestAnimationFrame(() => this.#storeRange(range));
  }

  clear(): void {
    this.#captured = null;
  }

  /**
   * Excludes a row that is moved, because the scroll position must not follow it. A row in which
   * the user types is not excluded: the user must see the text.
   */
  excludeRow(moved: MirrorNode): void {
    const range = this.#captured;
    if (range && !this.#isEdited(moved)) range.rows = range.rows.filter(({ row }) => row !== moved);
  }

  /**
   * Returns the captured row in which the user types, else the first one that is still in the list,
   * or `undefined`.
   */
  anchorRow(): VisibleRow | undefined {
    const range = this.#captured;
    // The user has scrolled since the capture.
    if (range && Math.abs(userScroll(range.scroller) - range.userScrollOffset) >= 1) this.clear();
    this.captureVisibleRows();
    const rows = this.#captured?.rows.filter(({ row }) => row.parent && row.view) ?? [];
    return rows.find(({ row }) => this.#isEdited(row)) ?? rows[0];
  }

  /** Returns whether a text field of a row has the focus. */
  #isEdited(row: MirrorNode): boolean {
    const wrapper = this.#wrappers.get(row);
    const focused = wrapper && (focusedElement(wrapper) as HTMLInputElement | null);
    // Only text fields have a selection.
    return typeof focused?.selectionStart === "number";
  }

  /** Runs a draw whose scroll changes do not count as scrolling by the user. */
  drawUncounted(draw: () => void): void {
    if (this.#captured) countListScroll(this.#captured.scroller, draw);
    else draw();
  }

  /**
   * Scrolls a row back to its captured position. Browsers scroll by whole pixels, so the remainder
   * is carried over.
   */
  restorePosition({ row, top }: VisibleRow): void {
    const wrapper = this.#wrappers.get(row);
    if (!this.#captured || !wrapper) return;
    const moved = (): number => wrapper.getBoundingClientRect().top - top;
    scrollByPixels(this.#captured.scroller, moved());
    this.#subpixelOffset = moved() % 1;
  }

  #storeRange(range: VisibleRange): void {
    this.#captured = range;
    // A frame is painted after its callbacks and observers.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.#captured === range) this.clear();
      }),
    );
  }
}
