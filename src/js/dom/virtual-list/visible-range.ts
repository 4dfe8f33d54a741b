import type { MirrorNode } from "../base/mirror-node.js";

/** Visible row and its top edge in viewport pixels. */
export interface Seen {
  readonly row: MirrorNode;
  readonly top: number;
}

/** Visible rows of a long list, of which the first is the scroll anchor. */
export interface Sight {
  rows: Seen[];
  readonly scroller: Element;
  /** Scroll offset in pixels without the scrolling done by lists. */
  readonly scrolled: number;
}

/**
 * Returns the visible rows, whose tops are corrected by `subpixelOffset`. There are none while the
 * start of the list is visible: rows added there must be visible and push the others down.
 */
export function seen(
  container: HTMLElement,
  wrappers: ReadonlyMap<MirrorNode, HTMLElement>,
  tooLow: number,
): Sight {
  const scroller = scrollerOf(container);
  const sight: Sight = { rows: [], scroller, scrolled: scrolledBy(scroller) };
  const view = clip(container);
  if (!container.isConnected || container.getBoundingClientRect().top >= view.top) return sight;
  for (const [row, wrapper] of wrappers) {
    const box = wrapper.getBoundingClientRect();
    if (wrapper.parentNode === container && box.bottom > view.top && box.top < view.bottom)
      sight.rows.push({ row, top: box.top - tooLow });
  }
  sight.rows.sort((a, b) => a.top - b.top);
  return sight;
}

/**
 * Returns the viewport pixels per CSS pixel of an element, which is not 1 under `transform: scale`
 * and `zoom`.
 */
export function scaleOf(element: HTMLElement): number {
  const { height } = element.getBoundingClientRect();
  const own = element.offsetHeight;
  // `offsetHeight` is rounded to an integer.
  return own === 0 || Math.abs(height - own) < 1 ? 1 : height / own;
}

/** Pixels that lists have scrolled a scroller, which several lists may share. */
const own = new WeakMap<Element, number>();

/** Returns the scroll offset of an element in pixels without the scrolling done by lists. */
export function scrolledBy(scroller: Element): number {
  return scroller.scrollTop - (own.get(scroller) ?? 0);
}

/** Scrolls by a number of viewport pixels. */
export function scrollBy(scroller: Element, pixels: number): void {
  const top = pixels / scaleOf(scroller as HTMLElement);
  // Overrides `scroll-behavior`.
  countOwn(scroller, () => scroller.scrollBy({ top, behavior: "instant" }));
}

/**
 * Runs a task and counts its scroll change as done by a list. Firefox anchors the page as soon as a
 * row is measured.
 */
export function countOwn(scroller: Element, task: () => void): void {
  const before = scroller.scrollTop;
  task();
  own.set(scroller, (own.get(scroller) ?? 0) + scroller.scrollTop - before);
}

/**
 * Returns the top and bottom of the viewport part that is not clipped by an element and its
 * ancestors, in viewport pixels.
 */
export function clip(element: HTMLElement): { top: number; bottom: number } {
  let top = 0;
  let bottom = element.ownerDocument.documentElement.clientHeight;
  for (const one of clipping(element)) {
    const box = one.getBoundingClientRect();
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  }
  return { top, bottom: Math.max(top, bottom) };
}

function scrollerOf(element: HTMLElement): Element {
  for (const one of clipping(element)) {
    // With `overflow: hidden` the user could not scroll back.
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowY);
    if (scrolls && one.scrollHeight > one.clientHeight) return one;
  }
  const { scrollingElement, documentElement } = element.ownerDocument;
  return scrollingElement ?? documentElement;
}

/** Yields the element and its ancestors that clip their contents, except for the viewport. */
function* clipping(element: HTMLElement): Generator<Element> {
  const { body, documentElement } = element.ownerDocument;
  const cuts = (one: Element): boolean => getComputedStyle(one).overflowY !== "visible";
  for (let one: Element | null = element; one && one !== documentElement; one = parentOf(one)) {
    // The overflow of the body applies to the viewport unless the root has its own.
    if (cuts(one) && (one !== body || cuts(documentElement))) yield one;
  }
}

function parentOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return (root as Partial<ShadowRoot>).host ?? null;
}
