import { Heights } from "./heights.js";
import type { MirrorNode } from "./mirror.js";
import { childrenOf } from "./mirror.js";
import { arrange, focused } from "./place.js";
import { clip, type Seen, type Sight, scaleOf, scrollBy, scrolledBy, seen } from "./sight.js";
import type { Children, Context, Items } from "./view.js";

/** Rows this far outside the viewport stand ready, so that scrolling and the next Tab find them. */
const overscan = 500;
/** Where there is no layout yet (the list is not in the document, or hidden), this many rows are a start. */
export const blind = 20;

/** Children of which only those near the viewport are in the document; empty elements of the right height stand for the others. */
export function windowed(
  context: Context,
  node: MirrorNode,
  container: HTMLElement,
  items: Items,
): Children {
  const heights = new Heights();
  const anchors = "overflowAnchor" in container.style;
  const spacers: HTMLElement[] = [];
  const observed = new Set<Element>();
  let shown: readonly [number, number] | null = null;
  let planned = false;
  /** Whether what stands for rows below was drawn since the last frame, and whether others came or went since. */
  let drawn = false;
  let late = false;
  /** Whether rows below went too, or came between others. */
  let disturbed = false;
  let disposed = false;
  /** What was seen before anything changed since the last frame. */
  let sight: Sight | null = null;
  /** By how much less than a pixel the rows stand lower than they should. */
  let owed = 0;

  /** The rows themselves are others than before; a mere scroll looks first whether it shows any that are not there yet. */
  const changed = (): void => {
    shown = null;
    plan();
  };
  const plan = (): void => {
    if (planned) return;
    planned = true;
    context.after(() => {
      planned = false;
      render();
    });
  };
  /** A row that is below those in the document went, or one came above it. */
  const disturb = (child: MirrorNode | null): void => {
    if (!shown || !child || child.place < shown[1] || items.wrappers.has(child)) {
      changed();
      return;
    }
    disturbed = true;
    lengthened();
  };
  /** There are others below those in the document: what stands for them is drawn at once, and from then on with the next frame. */
  const lengthened = (): void => {
    late = true;
    if (drawn) return;
    drawn = true;
    context.after(lengthen);
    requestAnimationFrame(() => {
      drawn = false;
      if (!late || disposed) return;
      context.after(lengthen);
      context.settle();
    });
  };
  const sizes = new ResizeObserver((entries) => {
    const resized = measure();
    if (resized) shown = null;
    if (!resized && !entries.some((entry) => entry.target === container)) return;
    // What changed in this frame has made them grow.
    const before = sight;
    requestAnimationFrame(() => {
      if (disposed) return;
      if (before) keep(before);
      plan();
      context.settle();
    });
  });
  sizes.observe(container);
  /** Notes what is seen, once for all changes of a frame: until it is painted, that is what the reader saw last. */
  const look = (): void => {
    if (!sight && node.view !== null) keep(seen(container, items.wrappers, owed));
  };
  const keep = (now: Sight): void => {
    sight = now;
    // A frame is painted behind its callbacks and observers.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (sight === now) forget();
      }),
    );
  };
  const forget = (): void => {
    sight = null;
  };
  const undo = [
    context.onScroll(() => {
      forget();
      plan();
    }),
    context.beforeChanges(look),
  ];

  function render(): void {
    // A list that has left the document needs nothing, and one that is new may need a second look once its rows have a height.
    if (node.view === null) return;
    // Where the reader goes to unknown rows, browsers hold the page still themselves, without breaking off how it moves.
    const scrolled = shown !== null;
    const held = hold();
    for (let round = 0; round < 3; round += 1) {
      const list = childrenOf(node);
      if (shown) heights.lengthen(list.length);
      else {
        heights.layOut(list);
        disturbed = false;
      }
      const range = near(held);
      if (shown && range[0] === shown[0] && range[1] === shown[1]) break;
      shown = range;
      draw(list, range);
      if (!measure()) break;
      shown = null;
    }
    if (held) {
      if (!scrolled || !anchors) stay(held);
    } else if (scrolled) {
      // Where the reader came there was nothing to be seen yet.
      forget();
    }
  }

  /** The first row that was seen and is still there. */
  function hold(): Seen | undefined {
    // Somebody has scrolled since.
    if (sight && Math.abs(scrolledBy(sight.scroller) - sight.scrolled) >= 1) forget();
    look();
    return sight?.rows.find(({ row }) => row.parent === node && row.view !== null);
  }

  /** Scrolls so far that a row is where it was. Browsers scroll by whole pixels: what is left is made good the next time. */
  function stay({ row, top }: Seen): void {
    const wrapper = items.wrappers.get(row);
    if (!sight || !wrapper) return;
    const moved = (): number => wrapper.getBoundingClientRect().top - top;
    scrollBy(sight.scroller, moved());
    owed = moved() % 1;
  }

  function lengthen(): void {
    late = false;
    // Else everything is drawn anew, or was.
    if (node.view === null || !shown) return;
    if (disturbed) {
      shown = null;
      render();
      return;
    }
    const list = childrenOf(node);
    heights.lengthen(list.length);
    draw(list, shown);
  }

  function draw(list: readonly MirrorNode[], [from, to]: readonly [number, number]): void {
    const wanted = new Set<MirrorNode>(list.slice(from, to));
    for (const [child, wrapper] of items.wrappers) {
      if (!wanted.has(child) && child.parent === node && busy(wrapper)) wanted.add(child);
    }
    for (const [child, wrapper] of [...items.wrappers]) {
      if (wanted.has(child)) continue;
      ignore(wrapper);
      items.forget(child);
      context.hide(child);
    }
    const sequence: HTMLElement[] = [];
    let end = 0;
    let gaps = 0;
    const gap = (height: number): void => {
      if (height > 0) sequence.push(spacer(gaps++, height));
    };
    for (const child of [...wanted].sort((a, b) => a.place - b.place)) {
      const index = child.place;
      gap(heights.top(index) - heights.top(end));
      const wrapper = items.wrap(child);
      if (!observed.has(wrapper)) sizes.observe(wrapper);
      observed.add(wrapper);
      position(wrapper, index, list.length);
      sequence.push(wrapper);
      end = index + 1;
    }
    gap(heights.top(list.length) - heights.top(end));
    for (const unused of spacers.slice(gaps)) unused.remove();
    arrange(context, container, sequence);
  }

  /** The rows between which the viewport lies, some more on each side. */
  function near(held: Seen | undefined): [number, number] {
    const box = container.getBoundingClientRect();
    if (!container.isConnected || (box.width === 0 && box.height === 0))
      return [0, Math.min(blind, node.count)];
    const view = clip(container);
    const scale = scaleOf(container);
    const begin = held ? held.top - heights.top(held.row.place) * scale : box.top;
    return heights.between(
      (view.top - begin) / scale - overscan,
      (view.bottom - begin) / scale + overscan,
    );
  }

  function ignore(wrapper: Element): void {
    sizes.unobserve(wrapper);
    observed.delete(wrapper);
  }

  /** Notes the heights of the rows that stand; true when one is another than was thought. */
  function measure(): boolean {
    let moved = false;
    const scale = scaleOf(container);
    for (const [child, wrapper] of items.wrappers) {
      if (
        wrapper.parentNode === container &&
        heights.note(child, wrapper.getBoundingClientRect().height / scale)
      )
        moved = true;
    }
    return moved;
  }

  function spacer(index: number, height: number): HTMLElement {
    let element = spacers[index];
    if (!element) {
      element = emptyRows(context);
      spacers.push(element);
    }
    element.style.height = `${height}px`;
    return element;
  }

  return {
    fill: changed,
    insert: (child) => {
      // Right behind those in the document it may be one that is seen.
      if (!child.prev || items.wrappers.has(child.prev)) changed();
      else if (shown && child.next === null && shown[1] < node.count - 1) lengthened();
      else disturb(child.next);
    },
    move: (child) => {
      // Whoever reads does not follow it to where it went.
      if (sight) sight.rows = sight.rows.filter(({ row }) => row !== child);
      changed();
    },
    remove: (child) => {
      const wrapper = items.wrappers.get(child);
      if (wrapper) ignore(wrapper);
      disturb(child);
    },
    dispose: () => {
      disposed = true;
      sizes.disconnect();
      for (const stop of undo) stop();
    },
  };
}

/** A row that must not leave the document while it is out of sight: it has the focus, an open dialog or playing media. */
function busy(wrapper: HTMLElement): boolean {
  if (focused(wrapper) || wrapper.querySelector("dialog[open]")) return true;
  return [...wrapper.querySelectorAll<HTMLMediaElement>("audio,video")].some(
    (media) => !media.paused,
  );
}

/** Stands for rows that are not in the document. */
export function emptyRows(context: Context): HTMLElement {
  const element = context.document.createElement("div");
  element.className = "bn-spacer";
  element.setAttribute("role", "presentation");
  return element;
}

export function position(wrapper: HTMLElement, index: number, count: number): void {
  const place = String(index + 1);
  if (wrapper.getAttribute("aria-posinset") !== place) wrapper.setAttribute("aria-posinset", place);
  const size = String(count);
  if (wrapper.getAttribute("aria-setsize") !== size) wrapper.setAttribute("aria-setsize", size);
}
