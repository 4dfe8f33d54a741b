import type { MirrorNode } from "../base/mirror-node.js";

/** Visible row and its top edge in viewport pixels. */
export interface VisibleRow {
  readonly row: MirrorNode;
  readonly top: number;
}

/** Visible rows of a long list, of which the first is the scroll anchor. */
export interface VisibleRange {
  rows: VisibleRow[];
  readonly scroller: Element;
  /** Scroll offset in pixels without the scrolling done by lists. */
  readonly userScrollOffset: number;
}

/**
 * Returns the visible rows, whose tops are corrected by `subpixelOffset`. There are none while the
 * start of the list is visible: rows added there must be visible and push the others down.
 */
export function visibleRange(
  container: HTMLElement,
  wrappers: ReadonlyMap<MirrorNode, HTMLElement>,
  subpixelOffset: number,
): VisibleRange {
  const scroller = scrollerOf(container);
  const range: VisibleRange = { rows: [], scroller, userScrollOffset: userScroll(scroller) };
  const view = clipBounds(container);
  if (!container.isConnected || container.getBoundingClientRect().top >= view.top) return range;
  for (const [row, wrapper] of wrappers) {
    const box = wrapper.getBoundingClientRect();
    if (wrapper.parentNode === container && box.bottom > view.top && box.top < view.bottom)
      range.rows.push({ row, top: box.top - subpixelOffset });
  }
  range.rows.sort((a, b) => a.top - b.top);
  return range;
}

/**
 * Returns the viewport pixels per CSS pixel of an element, which is not 1 under `transform: scale`
 * and `zoom`.
 */
export function scaleOf(element: HTMLElement): number {
  const { height } = element.getBoundingClientRect();
  const layoutHeight = element.offsetHeight;
  // `offsetHeight` is rounded to an integer.
  return layoutHeight === 0 || Math.abs(height - layoutHeight) < 1 ? 1 : height / layoutHeight;
}

/** Distance in pixels that lists have scrolled each scroller; several lists may share one. */
const listScroll = new WeakMap<Element, number>();

/** Returns the scroll offset of an element in pixels without the scrolling done by lists. */
export function userScroll(scroller: Element): number {
  return scroller.scrollTop - (listScroll.get(scroller) ?? 0);
}

/** Scrolls by a number of viewport pixels. */
export function scrollByPixels(scroller: Element, pixels: number): void {
  const top = pixels / scaleOf(scroller as HTMLElement);
  // Overrides `scroll-behavior`.
  countListScroll(scroller, () => scroller.scrollBy({ top, behavior: "instant" }));
}

/**
 * Runs a task and counts its scroll change as done by a list. Firefox anchors the page as soon as a
 * row is measured.
 */
export function countListScroll(scroller: Element, task: () => void): void {
  const before = scroller.scrollTop;
  task();
  listScroll.set(scroller, (listScroll.get(scroller) ?? 0) + scroller.scrollTop - before);
}

/**
 * Returns the top and bottom of the viewport part that is not clipped by an element and its
 * ancestors, in viewport pixels.
 */
export function clipBounds(element: HTMLElement): { top: number; bottom: number } {
  let top = 0;
  let bottom = element.ownerDocument.documentElement.clientHeight;
  for (const one of clippingAncestors(element)) {
    const box = one.getBoundingClientRect();
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  }
  return { top, bottom: Math.max(top, bottom) };
}

function scrollerOf(element: HTMLElement): Element {
  for (const one of clippingAncestors(element)) {
    // With `overflow: hidden` the user could not scroll back.
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowY);
    if (scrolls && one.scrollHeight > one.clientHeight) return one;
  }
  const { scrollingElement, documentElement } = element.ownerDocument;
  return scrollingElement ?? documentElement;
}

/** Yields the element and its ancestors that clip their contents, except for the viewport. */
function* clippingAncestors(element: HTMLElement): Generator<Element> {
  const { body, documentElement } = element.ownerDocument;
  const clips = (one: Element): boolean => getComputedStyle(one).overflowY !== "visible";
  for (
    let one: Element | null = element;
    one && one !== documentElement;
    one = composedParent(one)
  ) {
    // The overflow of the body applies to the viewport unless the root has its own.
    if (clips(one) && (one !== body || clips(documentElement))) yield one;
  }
}

function composedParent(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return (root as Partial<ShadowRoot>).host ?? null;
}
