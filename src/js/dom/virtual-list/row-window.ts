import type { Context, Items } from "../base/component.js";
import { childrenOf } from "../base/mirror.js";
import type { Children, MirrorNode } from "../base/mirror-node.js";
import { StandingRows } from "./rendered-rows.js";
import { Heights } from "./row-heights.js";
import { Anchor } from "./scroll-anchor.js";
import { clip, type Seen, scaleOf } from "./visible-range.js";

/** Rows this far outside the viewport stand ready, so that scrolling and the next Tab find them. */
const overscan = 500;
/** So many rows are printed: somebody waits for them. */
const printed = 5000;
/** Where there is no layout yet (the list is not in the document, or hidden), this many rows are a start. */
export const blind = 20;

/** Children of which only those near the viewport are in the document. */
export class RowWindow implements Children {
  readonly #context: Context;
  readonly #node: MirrorNode;
  readonly #container: HTMLElement;
  readonly #heights = new Heights();
  readonly #wrappers: Items["wrappers"];
  readonly #rows: StandingRows;
  readonly #anchor: Anchor;
  readonly #undo: readonly (() => void)[];
  /** The rows that are shown, from and up to; null once these or their heights are others than were laid out. */
  #shown: readonly [number, number] | null = null;
  #planned = false;
  /** Whether what stands for the rows below was drawn since the last frame, and whether these have changed since. */
  #belowDrawn = false;
  #belowChanged = false;
  /** Whether rows went there or came between others, so that all are laid out anew. */
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

  /** Shows the rows as they are now, others than before; a mere scroll looks first whether it shows any that are not there yet. */
  fill(): void {
    this.#shown = null;
    this.#plan();
  }

  insert(child: MirrorNode): void {
    // Right behind those in the document it may be one that is seen.
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

  /** A row went, or one came in front of it. */
  #changedAt(row: MirrorNode | null): void {
    if (!this.#shown || !row || row.place < this.#shown[1] || this.#wrappers.has(row)) {
      this.fill();
      return;
    }
    this.#belowMixed = true;
    this.#changedBelow();
  }

  /** There are others below those in the document: what stands for them is drawn at once, and from then on with the next frame. */
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

  /** On paper nobody scrolls. */
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
    // What changed in this frame has made them grow.
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
    // A list that has left the document needs nothing.
    if (this.#node.view === null) return;
    const merelyScrolled = this.#shown !== null;
    const held = this.#anchor.held();
    this.#anchor.through(() => this.#drawNear(held));
    if (held) {
      // Where the reader goes to unknown rows, browsers hold the page still themselves, without breaking off how it moves.
      const still = merelyScrolled && "overflowAnchor" in this.#container.style;
      if (!still) this.#anchor.restore(held);
    } else if (merelyScrolled) {
      // Where the reader came there was nothing to be seen yet.
      this.#anchor.forget();
    }
  }

  /** Shows the rows near the viewport. One that is new may need a second look once its rows have a height. */
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
    // Else everything is drawn anew, or was.
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

/** The rows between which the viewport lies, some more on each side. */
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
