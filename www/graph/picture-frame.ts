import { button, element, p } from "../page/element.js";
import type { DrawnNode, GraphView } from "./graph-model.js";
import type { NodeStyle } from "./measures.js";
import { type NearEdge, nodeCard } from "./node-card.js";
import { Viewport } from "./viewport.js";

/** Drawing of a graph with the current result highlighted. */
export interface Drawing {
  /** Draws a view. Nodes drawn before keep their positions. */
  draw(view: GraphView): void;
  highlight(nodes: ReadonlySet<string>, edges: ReadonlySet<string>): void;
  /** Selects a node and shows its card; null closes the card. */
  select(id: string | null): void;
  has(id: string): boolean;
  /** Sets size and colour of the nodes. */
  setStyle(style: NodeStyle): void;
  /** Removes the drawing from the page and stops its layout. */
  remove(): void;
}

/** Callbacks of the drawing in the frame. */
export interface FrameListener {
  /** Called after zoom and pan. */
  viewChanged(): void;
  resized(): void;
  /** Called to select a node from its neighbour's card. */
  select(id: string | null): void;
  /** Focuses a node after its card is closed. */
  focusNode(id: string): void;
}

/** Parts around a drawing: legend, note, zoom buttons and the card of the selected node. */
export class PictureFrame {
  readonly viewport = new Viewport();
  readonly #host: HTMLElement;
  readonly #legend = element("ul", { class: "legend", "aria-label": "Legend" });
  readonly #note = p("picture-note muted");
  readonly #card = element("div", { class: "detail", role: "group", tabindex: "-1" });
  #listener: FrameListener | null = null;
  #selected: string | null = null;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#card.hidden = true;
    const controls = element(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", { "aria-label": "Zoom in" }, () => this.zoomBy(1.4)),
      button("−", { "aria-label": "Zoom out" }, () => this.zoomBy(1 / 1.4)),
      button("Fit", { "aria-label": "Fit the graph" }, () => this.#resetZoom()),
    );
    // The placeholder stays until the first drawing.
    host.append(this.#legend, this.#note, controls, this.#card);
    host.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#closeCard();
    });
    new ResizeObserver(() => this.#resized()).observe(host);
  }

  /** Inserts a drawing, whose listener replaces the previous one. */
  insert(drawing: Element, listener: FrameListener): void {
    this.#listener = listener;
    this.#host.querySelector(":scope > .waiting")?.remove();
    if (drawing.parentElement !== this.#host) this.#host.prepend(drawing);
  }

  /** Shows legend and note of a view, and measures the pane. */
  describe(items: readonly HTMLElement[], note: string): void {
    this.#legend.replaceChildren(...items);
    this.#note.textContent = note;
    this.#measure();
  }

  set note(words: string) {
    this.#note.textContent = words;
  }

  get hasSize(): boolean {
    return this.#host.clientWidth > 0;
  }

  /** Shows the card of a node; null hides it. */
  showCard(node: DrawnNode | null, near: readonly NearEdge[] = []): void {
    this.#selected = node?.id ?? null;
    this.#card.hidden = !node;
    if (!node) return;
    this.#card.setAttribute("aria-label", node.id);
    this.#card.replaceChildren(
      ...nodeCard(node, near, {
        pick: (other) => this.openCard(other),
        close: () => this.#closeCard(),
      }),
    );
  }

  /** Selects a node and focuses its card, for keyboard users. */
  openCard(id: string): void {
    this.#listener?.select(id);
    this.#card.focus();
  }

  zoomBy(by: number, at?: [number, number]): void {
    this.viewport.zoomBy(by, at);
    this.#listener?.viewChanged();
  }

  #closeCard(): void {
    const left = this.#selected;
    const inside = this.#host.contains(document.activeElement);
    this.#listener?.select(null);
    if (inside && left !== null) this.#listener?.focusNode(left);
  }

  #resetZoom(): void {
    this.viewport.resetZoom();
    this.#listener?.viewChanged();
  }

  /** Measures the pane; not done in each frame, because it forces a page layout. */
  #measure(): void {
    this.viewport.pane = {
      width: this.#host.clientWidth || 600,
      height: this.#host.clientHeight || 400,
      above: this.#note.offsetHeight,
      below: this.#legend.offsetHeight + 12,
    };
  }

  #resized(): void {
    this.#measure();
    if (this.hasSize) this.#listener?.resized();
  }
}

/** Zooms by the wheel and pans or drags by the pointer. */
export function listenToPointer(
  view: HTMLElement | SVGSVGElement,
  frame: PictureFrame,
  on: {
    /** Starts a drag. Returns the function called with each movement, in pixels. */
    press(event: PointerEvent): (dx: number, dy: number) => void;
    click(event: PointerEvent): void;
  },
): void {
  view.addEventListener(
    "wheel",
    (event: Event) => {
      if (!(event instanceof WheelEvent)) return;
      event.preventDefault();
      const box = view.getBoundingClientRect();
      frame.zoomBy(Math.exp(-event.deltaY / 400), [
        event.clientX - box.left,
        event.clientY - box.top,
      ]);
    },
    { passive: false },
  );
  view.addEventListener("pointerdown", (event: Event) => {
    if (!(event instanceof PointerEvent)) return;
    view.setPointerCapture(event.pointerId);
    const drag = on.press(event);
    let [x, y] = [event.clientX, event.clientY];
    let moved = 0;
    const move = (next: Event): void => {
      if (!(next instanceof PointerEvent)) return;
      const [dx, dy] = [next.clientX - x, next.clientY - y];
      [x, y] = [next.clientX, next.clientY];
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved >= 4) drag(dx, dy);
    };
    const up = (): void => {
      view.removeEventListener("pointermove", move);
      view.removeEventListener("pointerup", up);
      view.removeEventListener("pointercancel", up);
      if (moved < 4) on.click(event);
    };
    view.addEventListener("pointermove", move);
    view.addEventListener("pointerup", up);
    view.addEventListener("pointercancel", up);
  });
}
