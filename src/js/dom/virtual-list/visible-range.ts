import type { MirrorNode } from "../base/mirror-node.js";

/** A row that is seen, and where it begins, in pixels of the viewport. */
export interface Seen {
  readonly row: MirrorNode;
  readonly top: number;
}

/** What is seen of a long list: by the first of the rows it is held still. */
export interface Sight {
  rows: Seen[];
  readonly scroller: Element;
  /** How far others than lists have scrolled it. */
  readonly scrolled: number;
}

/**
 * What is seen of a list, whose rows stand too low by so many pixels. No row is held on to where the list begins in sight: what
 * comes there is to be seen, and moves the rest.
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

/** The pixels of the viewport that one pixel of the element takes, which is another number below `transform: scale` and `zoom`. */
export function scaleOf(element: HTMLElement): number {
  const { height } = element.getBoundingClientRect();
  const own = element.offsetHeight;
  // The latter is a whole number.
  return own === 0 || Math.abs(height - own) < 1 ? 1 : height / own;
}

/** How far lists have scrolled what holds them: several may share one. */
const own = new WeakMap<Element, number>();

/** How far somebody else than a list has scrolled an element. */
export function scrolledBy(scroller: Element): number {
  return scroller.scrollTop - (own.get(scroller) ?? 0);
}

/** Scrolls by so many pixels of the viewport. */
export function scrollBy(scroller: Element, pixels: number): void {
  const top = pixels / scaleOf(scroller as HTMLElement);
  // Not as `scroll-behavior` has it.
  countOwn(scroller, () => scroller.scrollBy({ top, behavior: "instant" }));
}

/** Does something for a list: what it scrolls, the list has scrolled. Firefox holds a page still as soon as a row is measured. */
export function countOwn(scroller: Element, task: () => void): void {
  const before = scroller.scrollTop;
  task();
  own.set(scroller, (own.get(scroller) ?? 0) + scroller.scrollTop - before);
}

/** The part of the viewport in which something inside the element's scrolling ancestors, itself included, can be seen. */
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
    // What is hidden can be scrolled too, and nobody could scroll it back.
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowY);
    if (scrolls && one.scrollHeight > one.clientHeight) return one;
  }
  const { scrollingElement, documentElement } = element.ownerDocument;
  return scrollingElement ?? documentElement;
}

/** The element and those around it beyond which nothing inside is seen, the viewport aside. */
function* clipping(element: HTMLElement): Generator<Element> {
  const { body, documentElement } = element.ownerDocument;
  const cuts = (one: Element): boolean => getComputedStyle(one).overflowY !== "visible";
  for (let one: Element | null = element; one && one !== documentElement; one = parentOf(one)) {
    // What the body says counts for the viewport, unless the root has said something.
    if (cuts(one) && (one !== body || cuts(documentElement))) yield one;
  }
}

function parentOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return (root as Partial<ShadowRoot>).host ?? null;
}
