import type { Context, ListItems } from "../base/component.js";
import { childrenOf } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { RenderedRows } from "./rendered-rows.js";
import { RowHeights } from "./row-heights.js";
import { ScrollAnchor } from "./scroll-anchor.js";
import { clipBounds, scaleOf, type VisibleRow } from "./visible-range.js";

/** Distance from the viewport, in pixels, in which rows are rendered for scrolling and Tab. */
const OVERSCAN_PX = 500;
/** Maximum number of rows to print, because the user waits for them. */
const MAX_PRINTED_ROWS = 5000;
/** Number of rows to render without layout: the list is hidden or not in the document. */
export const UNMEASURED_ROW_COUNT = 20;

/** Virtual list: children of which only those near the viewport are in the DOM. */
export class RowWindow implements Children {
  readonly #context: Context;
  readonly #node: MirrorNode;
  readonly #container: HTMLElement;
  readonly #heights = new RowHeights();
  readonly #wrappers: ListItems["wrappers"];
  readonly #rows: RenderedRows;
  readonly #anchor: ScrollAnchor;
  readonly #cleanups: readonly (() => void)[];
  /** Rendered row indices, end exclusive; null if the rows or their heights have changed. */
  #range: readonly [number, number] | null = null;
  #isScheduled = false;
  /**
   * Whether the spacer below was drawn since the last frame, and whether rows below changed since.
   */
  #isBelowDrawn = false;
  #isBelowChanged = false;
  /**
   * Whether rows below were removed or inserted between others, so that all offsets are rebuilt.
   */
  #isBelowReordered = false;
  #isPrinting = false;
  #isDisposed = false;

  constructor(context: Context, node: MirrorNode, container: HTMLElement, items: ListItems) {
    this.#context = context;
    this.#node = node;
    this.#container = container;
    const sizes = new ResizeObserver((entries) => this.#resized(entries));
    sizes.observe(container);
    this.#wrappers = items.wrappers;
    this.#rows = new RenderedRows(context, container, items, this.#heights, sizes);
    this.#anchor = new ScrollAnchor(container, items.wrappers);
    this.#cleanups = [
      () => sizes.disconnect(),
      this.#onPrint(),
      context.onScroll(() => {
        this.#anchor.clear();
        this.#schedule();
      }),
      context.beforeChanges(() => {
        if (node.view !== null) this.#anchor.captureVisibleRows();
      }),
    ];
  }

  /**
   * Schedules a draw of changed rows. After scrolling, rows are only drawn if the range changed.
   */
  fill(): void {
    this.#range = null;
    this.#schedule();
  }

  insert(child: MirrorNode): void {
    // A row directly after the rendered ones may be visible.
    if (!child.prev || this.#wrappers.has(child.prev)) this.fill();
    else if (this.#range && child.next === null && this.#range[1] < this.#node.count - 1)
      this.#changedBelow();
    else this.#changedAt(child.next);
  }

  move(child: MirrorNode): void {
    this.#anchor.excludeRow(child);
    this.fill();
  }

  remove(child: MirrorNode): void {
    this.#rows.unobserve(child);
    this.#changedAt(child);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#cleanups) stop();
  }

  /** Handles the removal of a row or an insertion before it. */
  #changedAt(row: MirrorNode | null): void {
    if (!this.#range || !row || row.place < this.#range[1] || this.#wrappers.has(row)) {
      this.fill();
      return;
    }
    this.#isBelowReordered = true;
    this.#changedBelow();
  }

  /**
   * Handles a change below the rendered rows. The spacer is drawn now, then at most once per frame.
   */
  #changedBelow(): void {
    this.#isBelowChanged = true;
    if (this.#isBelowDrawn) return;
    this.#isBelowDrawn = true;
    this.#context.after(() => this.#drawBelow());
    this.#nextFrame(() => {
      this.#isBelowDrawn = false;
      if (this.#isBelowChanged) this.#context.after(() => this.#drawBelow());
    });
  }

  /** Renders more rows while the page is printed. Returns a function that removes the listeners. */
  #onPrint(): () => void {
    const { defaultView } = this.#container.ownerDocument;
    const print = ({ type }: Event): void => {
      this.#isPrinting = type === "beforeprint";
      this.fill();
      this.#context.settle();
    };
    const events = ["beforeprint", "afterprint"];
    for (const event of events) defaultView?.addEventListener(event, print);
    return () => {
      for (const event of events) defaultView?.removeEventListener(event, print);
    };
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    const moved = this.#rows.measureRows();
    if (moved) this.#range = null;
    if (!moved && !entries.some(({ target }) => target === this.#container)) return;
    // The changes of this frame caused the new sizes.
    this.#anchor.retainCaptured();
    this.#nextFrame(() => this.#schedule());
  }

  #nextFrame(task: () => void): void {
    requestAnimationFrame(() => {
      if (this.#isDisposed) return;
      task();
      this.#context.settle();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#context.after(() => {
      this.#isScheduled = false;
      this.#draw();
    });
  }

  #draw(): void {
    // The list is not in the DOM.
    if (this.#node.view === null) return;
    const onlyScrolled = this.#range !== null;
    const anchorRow = this.#anchor.anchorRow();
    this.#anchor.drawUncounted(() => this.#drawNear(anchorRow));
    if (anchorRow) {
      // While the user scrolls to unmeasured rows, browsers anchor the page themselves without
      // interrupting the scrolling.
      const isAnchoredByBrowser = onlyScrolled && "overflowAnchor" in this.#container.style;
      if (!isAnchoredByBrowser) this.#anchor.restorePosition(anchorRow);
    } else if (onlyScrolled) {
      // No row was visible yet at the new scroll position.
      this.#anchor.clear();
    }
  }

  /**
   * Renders the rows near the viewport. Repeats when measured heights differ, at most three times.
   */
  #drawNear(anchorRow: VisibleRow | undefined): void {
    for (let round = 0; round < 3; round += 1) {
      const list = childrenOf(this.#node);
      const lastRange = this.#range;
      if (lastRange) this.#heights.setCount(list.length);
      else {
        this.#heights.rebuild(list);
        this.#isBelowReordered = false;
      }
      const range = this.#isPrinting
        ? ([0, Math.min(MAX_PRINTED_ROWS, list.length)] as const)
        : rowsNearViewport(this.#container, this.#heights, list.length, anchorRow);
      if (lastRange && range[0] === lastRange[0] && range[1] === lastRange[1]) return;
      this.#range = range;
      this.#rows.renderRange(list, range);
      if (!this.#rows.measureRows()) return;
      this.#range = null;
    }
  }

  #drawBelow(): void {
    this.#isBelowChanged = false;
    // Otherwise a complete draw is scheduled or done.
    if (this.#node.view === null || !this.#range) return;
    if (this.#isBelowReordered) {
      this.#range = null;
      this.#draw();
      return;
    }
    const list = childrenOf(this.#node);
    this.#heights.setCount(list.length);
    this.#rows.renderRange(list, this.#range);
  }
}

/** Returns the range of rows that overlaps the viewport extended by the overscan. */
function rowsNearViewport(
  container: HTMLElement,
  heights: RowHeights,
  count: number,
  anchorRow: VisibleRow | undefined,
): readonly [number, number] {
  const box = container.getBoundingClientRect();
  if (!container.isConnected || (box.width === 0 && box.height === 0))
    return [0, Math.min(UNMEASURED_ROW_COUNT, count)];
  const view = clipBounds(container);
  const scale = scaleOf(container);
  const begin = anchorRow ? anchorRow.top - heights.offsetOf(anchorRow.row.place) * scale : box.top;
  return heights.indexRange(
    (view.top - begin) / scale - OVERSCAN_PX,
    (view.bottom - begin) / scale + OVERSCAN_PX,
  );
}
