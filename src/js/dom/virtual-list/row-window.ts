import type { Context, Items } from "../base/component.js";
import { childrenOf } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { StandingRows } from "./rendered-rows.js";
import { Heights } from "./row-heights.js";
import { Anchor } from "./scroll-anchor.js";
import { clip, type Seen, scaleOf } from "./visible-range.js";

/** Distance from the viewport, in pixels, in which rows are rendered for scrolling and Tab. */
const overscan = 500;
/** Maximum number of rows to print, because the user waits for them. */
const printed = 5000;
/** Number of rows to render without layout: the list is hidden or not in the document. */
export const blind = 20;

/** Virtual list: children of which only those near the viewport are in the DOM. */
export class RowWindow implements Children {
  readonly #context: Context;
  readonly #node: MirrorNode;
  readonly #container: HTMLElement;
  readonly #heights = new Heights();
  readonly #wrappers: Items["wrappers"];
  readonly #rows: StandingRows;
  readonly #anchor: Anchor;
  readonly #undo: readonly (() => void)[];
  /** Rendered row indices, end exclusive; null if the rows or their heights have changed. */
  #shown: readonly [number, number] | null = null;
  #planned = false;
  /**
   * Whether the spacer below was drawn since the last frame, and whether rows below changed since.
   */
  #belowDrawn = false;
  #belowChanged = false;
  /**
   * Whether rows below were removed or inserted between others, so that all offsets are rebuilt.
   */
  #belowMixed = false;
  #printing = false;
  #disposed = false;

  constructor(context: Context, node: MirrorNode, container: HTMLElement, items: Items) {
    this.#context = context;
    this.#node = node;
    this.#container = container;
    const sizes = new ResizeObserver((entries) => this.#resized(entries));
    sizes.observe(container);
    this.#wrappers = items.wrappers;
    this.#rows = new StandingRows(context, container, items, this.#heights, sizes);
    this.#anchor = new Anchor(container, items.wrappers);
    this.#undo = [
      () => sizes.disconnect(),
      this.#onPrint(),
      context.onScroll(() => {
        this.#anchor.forget();
        this.#plan();
      }),
      context.beforeChanges(() => {
        if (node.view !== null) this.#anchor.look();
      }),
    ];
  }

  /**
   * Schedules a draw of changed rows. After scrolling, rows are only drawn if the range changed.
   */
  fill(): void {
    this.#shown = null;
    this.#plan();
  }

  insert(child: MirrorNode): void {
    // A row directly after the rendered ones may be visible.
    if (!child.prev || this.#wrappers.has(child.prev)) this.fill();
    else if (this.#shown && child.next === null && this.#shown[1] < this.#node.count - 1)
      this.#changedBelow();
    else this.#changedAt(child.next);
  }

  move(child: MirrorNode): void {
    this.#anchor.letGo(child);
    this.fill();
  }

  remove(child: MirrorNode): void {
    this.#rows.ignore(child);
    this.#changedAt(child);
  }

  dispose(): void {
    this.#disposed = true;
    for (const stop of this.#undo) stop();
  }

  /** Handles the removal of a row or an insertion before it. */
  #changedAt(row: MirrorNode | null): void {
    if (!this.#shown || !row || row.place < this.#shown[1] || this.#wrappers.has(row)) {
      this.fill();
      return;
    }
    this.#belowMixed = true;
    this.#changedBelow();
  }

  /**
   * Handles a change below the rendered rows. The spacer is drawn now, then at most once per frame.
   */
  #changedBelow(): void {
    this.#belowChanged = true;
    if (this.#belowDrawn) return;
    this.#belowDrawn = true;
    this.#context.after(() => this.#drawBelow());
    this.#nextFrame(() => {
      this.#belowDrawn = false;
      if (this.#belowChanged) this.#context.after(() => this.#drawBelow());
    });
  }

  /** Renders more rows while the page is printed. Returns a function that removes the listeners. */
  #onPrint(): () => void {
    const { defaultView } = this.#container.ownerDocument;
    const print = ({ type }: Event): void => {
      this.#printing = type === "beforeprint";
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
    const moved = this.#rows.measure();
    if (moved) this.#shown = null;
    if (!moved && !entries.some(({ target }) => target === this.#container)) return;
    // The changes of this frame caused the new sizes.
    this.#anchor.carryOver();
    this.#nextFrame(() => this.#plan());
  }

  #nextFrame(task: () => void): void {
    requestAnimationFrame(() => {
      if (this.#disposed) return;
      task();
      this.#context.settle();
    });
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#context.after(() => {
      this.#planned = false;
      this.#draw();
    });
  }

  #draw(): void {
    // The list is not in the DOM.
    if (this.#node.view === null) return;
    const merelyScrolled = this.#shown !== null;
    const held = this.#anchor.held();
    this.#anchor.through(() => this.#drawNear(held));
    if (held) {
      // While the user scrolls to unmeasured rows, browsers anchor the page themselves without
      // interrupting the scrolling.
      const still = merelyScrolled && "overflowAnchor" in this.#container.style;
      if (!still) this.#anchor.restore(held);
    } else if (merelyScrolled) {
      // No row was visible yet at the new scroll position.
      this.#anchor.forget();
    }
  }

  /**
   * Renders the rows near the viewport. Repeats when measured heights differ, at most three times.
   */
  #drawNear(held: Seen | undefined): void {
    for (let round = 0; round < 3; round += 1) {
      const list = childrenOf(this.#node);
      const shown = this.#shown;
      if (shown) this.#heights.lengthen(list.length);
      else {
        this.#heights.layOut(list);
        this.#belowMixed = false;
      }
      const range = this.#printing
        ? ([0, Math.min(printed, list.length)] as const)
        : near(this.#container, this.#heights, list.length, held);
      if (shown && range[0] === shown[0] && range[1] === shown[1]) return;
      this.#shown = range;
      this.#rows.draw(list, range);
      if (!this.#rows.measure()) return;
      this.#shown = null;
    }
  }

  #drawBelow(): void {
    this.#belowChanged = false;
    // Otherwise a complete draw is scheduled or done.
    if (this.#node.view === null || !this.#shown) return;
    if (this.#belowMixed) {
      this.#shown = null;
      this.#draw();
      return;
    }
    const list = childrenOf(this.#node);
    this.#heights.lengthen(list.length);
    this.#rows.draw(list, this.#shown);
  }
}

/** Returns the range of rows that overlaps the viewport extended by the overscan. */
function near(
  container: HTMLElement,
  heights: Heights,
  count: number,
  held: Seen | undefined,
): readonly [number, number] {
  const box = container.getBoundingClientRect();
  if (!container.isConnected || (box.width === 0 && box.height === 0))
    return [0, Math.min(blind, count)];
  const view = clip(container);
  const scale = scaleOf(container);
  const begin = held ? held.top - heights.top(held.row.place) * scale : box.top;
  return heights.between(
    (view.top - begin) / scale - overscan,
    (view.bottom - begin) / scale + overscan,
  );
}
