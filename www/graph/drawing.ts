import type { Simulation } from "d3-force";
import { arrowHeads, button, element, p, svg } from "../page/element.js";
import { prefersReducedMotion } from "../page/motion.js";
import { isArrowKey, nodeInDirection } from "./arrow-navigation.js";
import {
  type EdgeElement,
  edgeElements,
  edgePath,
  kindsByFrequency,
  legendItems,
  type NodeElement,
  nodeElements,
} from "./elements.js";
import { animate, createSimulation } from "./force-layout.js";
import type { GraphView } from "./graph-model.js";
import { type LabelRequest, placeLabels } from "./label-placement.js";
import { nodeCard } from "./node-card.js";
import { Viewport } from "./viewport.js";

/** Maximum number of edges drawn with arrowheads. */
const maxArrowheads = 160;

/** Drawing of the graph, with the current result highlighted. */
export class GraphDrawing {
  readonly #host: HTMLElement;
  readonly #svg = svg("svg", { class: "drawing", role: "group" });
  readonly #scene = svg("g", {});
  readonly #legend = element("ul", { class: "legend", "aria-label": "Node types" });
  readonly #note = p("picture-note muted");
  readonly #card = element("div", { class: "detail", role: "group", tabindex: "-1" });
  #nodes = new Map<string, NodeElement>();
  #edges: EdgeElement[] = [];
  #view: GraphView | null = null;
  #simulation: Simulation<NodeElement, undefined> | null = null;
  #highlighted = { nodes: new Set<string>(), edges: new Set<string>() };
  #selected: string | null = null;
  /** Node in the Tab order; arrow keys move on from it. */
  #tabStop: string | null = null;
  readonly #viewport = new Viewport();

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#card.hidden = true;
    const controls = element(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", { "aria-label": "Zoom in" }, () => this.#zoomBy(1.4)),
      button("−", { "aria-label": "Zoom out" }, () => this.#zoomBy(1 / 1.4)),
      button("Fit", { "aria-label": "Fit the graph" }, () => this.#resetZoom()),
    );
    this.#svg.append(arrowHeads(["edge-head", "edge-head-hit"], 6), this.#scene);
    // The placeholder stays until the first drawing.
    host.append(this.#svg, this.#legend, this.#note, controls, this.#card);
    this.#listen();
    new ResizeObserver(() => this.#resized()).observe(host);
  }

  /** Draws a view. Nodes drawn before keep their positions. */
  draw(view: GraphView): void {
    if (view === this.#view) return;
    this.#host.querySelector(":scope > .waiting")?.remove();
    const before = this.#nodes;
    const focused = this.#focusedId();
    this.#view = view;
    // A completely different view resets the zoom.
    if (!view.nodes.some(({ id }) => before.has(id))) this.#viewport.resetZoom();
    this.#simulation?.stop();
    const kinds = kindsByFrequency(view);
    this.#nodes = nodeElements(view, kinds, before);
    this.#edges = edgeElements(view, this.#nodes);
    const nodes = [...this.#nodes.values()];
    this.#scene.replaceChildren(
      ...this.#edges.map(({ path }) => path),
      ...nodes.map(({ group }) => group),
      ...nodes.map(({ label }) => label),
    );
    this.#legend.replaceChildren(...legendItems(view, kinds));
    this.#note.textContent = view.note;
    this.#measure();
    this.#layOut(nodes, before.size > 0);
    this.highlight(this.#highlighted.nodes, this.#highlighted.edges);
    this.select(null);
    if (focused !== null) this.#nodes.get(focused)?.group.focus();
  }

  /** Highlights the current result. */
  highlight(nodes: ReadonlySet<string>, edges: ReadonlySet<string>): void {
    this.#highlighted = { nodes: new Set(nodes), edges: new Set(edges) };
    let highlightedCount = 0;
    for (const [id, { group, label }] of this.#nodes) {
      const hit = nodes.has(id);
      if (hit) highlightedCount += 1;
      group.classList.toggle("hit", hit);
      label.classList.toggle("hit", hit);
    }
    for (const { id, path } of this.#edges) {
      const hit = edges.has(id);
      path.classList.toggle("hit", hit);
      const head = hit ? "url(#edge-head-hit)" : "url(#edge-head)";
      const other = path.getAttribute("marker-end") !== head;
      if (other && this.#edges.length <= maxArrowheads && this.#view?.directed) {
        path.setAttribute("marker-end", head);
        // WebKit does not update the marker of an attached path.
        this.#scene.prepend(path);
      }
      // Highlighted edges are painted above the others.
      if (hit) this.#scene.insertBefore(path, this.#scene.querySelector("g"));
    }
    this.#svg.classList.toggle("highlighted", highlightedCount > 0);
    const total = this.#nodes.size.toLocaleString();
    this.#svg.setAttribute(
      "aria-label",
      `${total} nodes and ${this.#edges.length.toLocaleString()} edges; ${highlightedCount} nodes are in the current result, listed below. Arrow keys move between nodes, Enter opens one.`,
    );
    this.#svg.dataset["highlighted"] = String(highlightedCount);
    if (this.#focusedId() === null) this.#setTabStop([...nodes].find((id) => this.#nodes.has(id)));
    this.#placeLabels();
  }

  /** Selects a node and shows its card; null closes the card. */
  select(id: string | null): void {
    this.#selected = id;
    const node = id === null ? undefined : this.#nodes.get(id);
    for (const one of this.#nodes.values()) one.group.classList.toggle("picked", one === node);
    this.#card.hidden = !node;
    if (node) {
      this.#card.setAttribute("aria-label", node.id);
      const near = this.#edges.flatMap((line) => {
        if (line.source === node) return [{ kind: line.kind, out: true, id: line.target.id }];
        return line.target === node ? [{ kind: line.kind, out: false, id: line.source.id }] : [];
      });
      this.#card.replaceChildren(
        ...nodeCard(node, near, {
          pick: (other) => this.#openCard(other),
          close: () => this.#closeCard(),
        }),
      );
    }
    this.#placeLabels();
  }

  /** Selects a node and focuses its card, for keyboard users. */
  #openCard(id: string): void {
    this.select(id);
    this.#card.focus();
  }

  #closeCard(): void {
    const left = this.#nodes.get(this.#selected ?? "");
    const inside = this.#host.contains(document.activeElement);
    this.select(null);
    if (inside) left?.group.focus();
  }

  /** Returns the id of the focused node, or null. */
  #focusedId(): string | null {
    const at = document.activeElement;
    return at && this.#svg.contains(at) ? (at.getAttribute("data-id") ?? null) : null;
  }

  /** Sets the node in the Tab order; an unknown id keeps the current one. */
  #setTabStop(id: string | undefined): void {
    const known = [id, this.#tabStop].find((one) => one !== null && this.#nodes.has(one ?? ""));
    const [first] = this.#nodes.keys();
    this.#tabStop = known ?? first ?? null;
    for (const [one, { group }] of this.#nodes)
      group.setAttribute("tabindex", one === this.#tabStop ? "0" : "-1");
  }

  #handleKey(event: KeyboardEvent): void {
    const node = this.#nodes.get(this.#focusedId() ?? "");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#openCard(node.id);
    else if (isArrowKey(event.key))
      nodeInDirection(node, this.#nodes.values(), event.key)?.group.focus();
    else return;
    event.preventDefault();
  }

  /** Runs the force layout, animated unless the user prefers reduced motion. */
  #layOut(nodes: NodeElement[], redrawn: boolean): void {
    const { width, height } = this.#viewport.pane;
    const simulation = createSimulation(nodes, this.#edges, width / height);
    this.#simulation = simulation;
    const immediate = prefersReducedMotion() || nodes.length > 150 || redrawn;
    simulation.tick(immediate ? 300 : 60);
    this.#fitAndPaint();
    if (immediate) return;
    animate(simulation, () => this.#fitAndPaint());
  }

  /** Measures the pane; not done in each frame, because it forces a page layout. */
  #measure(): void {
    this.#viewport.pane = {
      width: this.#host.clientWidth || 600,
      height: this.#host.clientHeight || 400,
      above: this.#note.offsetHeight,
      below: this.#legend.offsetHeight + 12,
    };
  }

  #resized(): void {
    this.#measure();
    if (this.#host.clientWidth > 0 && this.#nodes.size > 0) this.#fitAndPaint();
  }

  /** Fits the nodes into the pane and paints them. */
  #fitAndPaint(): void {
    const { width, height } = this.#viewport.pane;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.#nodes.size === 0) return;
    this.#viewport.fit([...this.#nodes.values()]);
    this.#paint();
  }

  #paint(): void {
    const at = (node: NodeElement) => this.#viewport.toPane(node);
    for (const spot of this.#nodes.values()) {
      const [x, y] = at(spot);
      spot.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const line of this.#edges) line.path.setAttribute("d", edgePath(line, at));
    this.#placeLabels();
  }

  /** Shows the labels that fit, those of the result first. */
  #placeLabels(): void {
    const { width, height, below } = this.#viewport.pane;
    const highlighted = this.#highlighted.nodes;
    const focused = this.#focusedId();
    const list: LabelRequest[] = [...this.#nodes.values()].map((spot) => {
      const [x, y] = this.#viewport.toPane(spot);
      const text = spot.label.textContent ?? "";
      const weight =
        spot.id === this.#selected || spot.id === focused
          ? 1e6
          : highlighted.has(spot.id)
            ? 1e3 + spot.degree
            : spot.degree;
      const required =
        spot.id === this.#selected ||
        spot.id === focused ||
        (highlighted.has(spot.id) && highlighted.size <= 40);
      return { key: spot.id, x, y, radius: spot.radius, text, weight, required };
    });
    const spots = placeLabels(list, { width, height: height - below });
    for (const [id, { label }] of this.#nodes) {
      const spot = spots.get(id);
      const out = spot ? "" : "none";
      if (label.style.display !== out) label.style.display = out;
      if (!spot) continue;
      label.setAttribute("x", spot.x.toFixed(1));
      label.setAttribute("y", spot.y.toFixed(1));
    }
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  #zoomBy(by: number, at?: [number, number]): void {
    this.#viewport.zoomBy(by, at);
    this.#paint();
  }

  #resetZoom(): void {
    this.#viewport.resetZoom();
    this.#paint();
  }

  /** Listens to wheel, drag, click and keys. */
  #listen(): void {
    const view = this.#svg;
    this.#host.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#closeCard();
    });
    view.addEventListener("keydown", (event) => this.#handleKey(event));
    view.addEventListener("focusin", () => {
      const spot = this.#nodes.get(this.#focusedId() ?? "");
      if (!spot) return;
      this.#setTabStop(spot.id);
      // A clicked node stays under the pointer; one focused by key scrolls into view.
      if (spot.group.matches(":focus-visible")) {
        this.#viewport.reveal(spot);
        this.#paint();
      } else this.#placeLabels();
    });
    view.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = view.getBoundingClientRect();
        this.#zoomBy(Math.exp(-event.deltaY / 400), [
          event.clientX - box.left,
          event.clientY - box.top,
        ]);
      },
      { passive: false },
    );
    view.addEventListener("pointerdown", (event) => {
      const id =
        event.target instanceof Element
          ? event.target.closest<SVGGElement>(".graph-node")?.dataset["id"]
          : undefined;
      const spot = id === undefined ? undefined : this.#nodes.get(id);
      view.setPointerCapture(event.pointerId);
      let [x, y] = [event.clientX, event.clientY];
      let moved = 0;
      const move = (next: PointerEvent): void => {
        const [dx, dy] = [next.clientX - x, next.clientY - y];
        [x, y] = [next.clientX, next.clientY];
        moved += Math.abs(dx) + Math.abs(dy);
        if (moved < 4) return;
        if (spot) {
          this.#simulation?.stop();
          spot.x += dx / this.#viewport.scale.x;
          spot.y += dy / this.#viewport.scale.y;
        } else this.#viewport.pan(dx, dy);
        this.#paint();
      };
      const up = (): void => {
        view.removeEventListener("pointermove", move);
        view.removeEventListener("pointerup", up);
        view.removeEventListener("pointercancel", up);
        if (moved < 4) this.select(spot && this.#selected !== spot.id ? spot.id : null);
      };
      view.addEventListener("pointermove", move);
      view.addEventListener("pointerup", up);
      view.addEventListener("pointercancel", up);
    });
  }
}
