import { updateAttribute } from "../base/accessibility.js";
import type { Context, ListItems } from "../base/component.js";
import type { MirrorNode } from "../base/mirror-node.js";
import { focusedElement, playingMedia } from "../base/move-element.js";
import { reconcileChildren } from "../base/reconcile-children.js";
import type { RowHeights } from "./row-heights.js";
import { scaleOf } from "./visible-range.js";

/** Rows of a long list that are in the DOM, and spacers with the height of the others. */
export class RenderedRows {
  readonly #context: Context;
  readonly #container: HTMLElement;
  readonly #items: ListItems;
  readonly #heights: RowHeights;
  readonly #sizes: ResizeObserver;
  readonly #observed = new Set<Element>();
  readonly #spacers: HTMLElement[] = [];

  constructor(
    context: Context,
    container: HTMLElement,
    items: ListItems,
    heights: RowHeights,
    sizes: ResizeObserver,
  ) {
    this.#context = context;
    this.#container = container;
    this.#items = items;
    this.#heights = heights;
    this.#sizes = sizes;
  }

  /** Renders a range of rows, end exclusive. Removes the other rows unless they are in use. */
  renderRange(list: readonly MirrorNode[], [from, to]: readonly [number, number]): void {
    const target = new Set(list.slice(from, to));
    const { adoption } = this.#context;
    if (adoption) for (const row of list) if (adoption.isUsed(row.key)) target.add(row);
    for (const [row, wrapper] of [...this.#items.wrappers]) {
      if (target.has(row)) continue;
      if (row.parent && isInUse(wrapper)) target.add(row);
      else {
        this.unobserve(row);
        this.#items.discard(row);
        this.#context.hide(row);
      }
    }
    reconcileChildren(this.#context, this.#container, this.#itemsWithSpacers(list, target));
  }

  /** Measures the rendered rows. Returns true if a height changed. */
  measureRows(): boolean {
    let changed = false;
    const scale = scaleOf(this.#container);
    for (const [row, wrapper] of this.#items.wrappers) {
      if (
        wrapper.parentNode === this.#container &&
        this.#heights.record(row, wrapper.getBoundingClientRect().height / scale)
      )
        changed = true;
    }
    return changed;
  }

  /** Stops observing the size of a row. */
  unobserve(row: MirrorNode): void {
    const wrapper = this.#items.wrappers.get(row);
    if (!wrapper) return;
    this.#sizes.unobserve(wrapper);
    this.#observed.delete(wrapper);
  }

  /** Returns the list items in order, with a spacer for each gap. */
  #itemsWithSpacers(list: readonly MirrorNode[], target: ReadonlySet<MirrorNode>): HTMLElement[] {
    const sequence: HTMLElement[] = [];
    let end = 0;
    let gaps = 0;
    const gap = (start: number): void => {
      const height = this.#heights.offsetOf(start) - this.#heights.offsetOf(end);
      if (height > 0) sequence.push(this.#spacer(gaps++, height));
    };
    for (const row of [...target].sort((a, b) => a.place - b.place)) {
      const index = row.place;
      gap(index);
      const wrapper = this.#items.wrap(row);
      // Observing an element again would report its size again.
      if (!this.#observed.has(wrapper)) this.#sizes.observe(wrapper);
      this.#observed.add(wrapper);
      setPosition(wrapper, index, list.length);
      sequence.push(wrapper);
      end = index + 1;
    }
    gap(list.length);
    return sequence;
  }

  #spacer(index: number, height: number): HTMLElement {
    this.#spacers[index] ??= createSpacer(this.#context, this.#container);
    const element = this.#spacers[index];
    element.style.height = `${height}px`;
    return element;
  }
}

/**
 * Returns whether a row must stay in the DOM outside the viewport, because it has the focus, an
 * open dialog or playing media.
 */
function isInUse(wrapper: HTMLElement): boolean {
  if (focusedElement(wrapper) || wrapper.querySelector("dialog[open]")) return true;
  return playingMedia(wrapper).length > 0;
}

/** Creates a spacer for rows of a container that are not in the DOM. */
export function createSpacer(context: Context, container: HTMLElement): HTMLElement {
  const tag = SPACER_TAGS[container.localName] ?? "div";
  const element = context.document.createElement(tag);
  element.className = "bn-spacer";
  element.setAttribute("role", "presentation");
  return element;
}

/** Elements that may contain only elements of one type. */
const SPACER_TAGS: { readonly [container: string]: string } = { tbody: "tr", ul: "li", ol: "li" };

export function setPosition(wrapper: HTMLElement, index: number, count: number): void {
  updateAttribute(wrapper, "aria-posinset", String(index + 1));
  updateAttribute(wrapper, "aria-setsize", String(count));
}
