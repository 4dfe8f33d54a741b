import type { Simulation } from "d3-force";
import { arrowHeads, svg } from "../page/element.js";
import { prefersReducedMotion } from "../page/motion.js";
import { isArrowKey, nodeInDirection } from "./arrow-navigation.js";
import {
  type EdgeElement,
  edgeElements,
  edgePath,
  kindsByFrequency,
  legendItems,
  type NodeElement,
  nearEdges,
  nodeElements,
  placedNodes,
  styleNode,
} from "./elements.js";
import { animate, createSimulation } from "./force-layout.js";
import type { GraphView } from "./graph-model.js";
import { type LabelRequest, placeLabels } from "./label-placement.js";
import { runInSlices } from "./large-layout.js";
import { type NodeStyle, plainStyle, styleItems } from "./measures.js";
import { type Drawing, listenToPointer, type PictureFrame } from "./picture-frame.js";
import type { Viewport } from "./viewport.js";

/** Maximum number of edges drawn with arrowheads. */
const maxArrowheads = 160;
/** Maximum number of nodes whose layout is computed at once; more would block the page. */
const maxImmediateNodes = 40;

/** SVG drawing of a small graph. */
export class GraphDrawing implements Drawing {
  readonly #frame: PictureFrame;
  readonly #viewport: Viewport;
  readonly #svg = svg("svg", { class: "drawing", role: "group" });
  readonly #scene = svg("g", {});
  #nodes = new Map<string, NodeElement>();
  #edges: EdgeElement[] = [];
  #view: GraphView | null = null;
  #style = plainStyle;
  #simulation: Simulation<NodeElement, undefined> | null = null;
  /** Stops the layout that runs in slices. */
  #stopLayout: () => void = () => {};
  #highlighted = { nodes: new Set<string>(), edges: new Set<string>() };
  #selected: string | null = null;
  /** Node in the Tab order; arrow keys move on from it. */
  #tabStop: string | null = null;

  constructor(frame: PictureFrame) {
    this.#frame = frame;
    this.#viewport = frame.viewport;
    this.#svg.append(arrowHeads(["edge-head", "edge-head-hit"], 6), this.#scene);
    this.#addListeners();
  }

  /** Draws a view. Nodes drawn before keep their positions. */
  draw(view: GraphView): void {
    if (view === this.#view) return;
    this.#frame.insert(this.#svg, {
      viewChanged: () => this.#paint(),
      resized: () => this.#fitAndPaint(),
      select: (id) => this.select(id),
      focusNode: (id) => this.#nodes.get(id)?.group.focus(),
    });
    const before = this.#nodes;
    const focused = this.#focusedId();
    this.#view = view;
    // A completely different view resets the zoom.
    if (!view.nodes.some(({ id }) => before.has(id))) this.#viewport.resetZoom();
    this.#simulation?.stop();
    const kinds = kindsByFrequency(view);
    this.#nodes = nodeElements(placedNodes(view, kinds, before, this.#style));
    this.#edges = edgeElements(view, this.#nodes);
    const nodes = [...this.#nodes.values()];
    this.#scene.replaceChildren(
      ...this.#edges.map(({ path }) => path),
      ...nodes.map(({ group }) => group),
      ...nodes.map(({ label }) => label),
    );
    this.#updateLegend(view);
    for (const node of nodes) styleNode(node, this.#style);
    this.#layOut(nodes, before.size > 0);
    this.highlight(this.#highlighted.nodes, this.#highlighted.edges);
    this.select(null);
    if (focused !== null) this.#nodes.get(focused)?.group.focus();
  }

  /** Sets size and colour of the nodes. */
  setStyle(style: NodeStyle): void {
    this.#style = style;
    if (!this.#view) return;
    for (const node of this.#nodes.values()) styleNode(node, style);
    this.#updateLegend(this.#view);
    this.#fitAndPaint();
  }

  remove(): void {
    this.#stopLayout();
    this.#simulation?.stop();
    this.#svg.remove();
    this.#view = null;
  }

  #updateLegend(view: GraphView): void {
    const items = legendItems(view, kindsByFrequency(view));
    this.#frame.describe([...items, ...styleItems(this.#style, view)], view.note);
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
    if (node) this.#frame.showCard(node, nearEdges(node, this.#edges));
    else this.#frame.showCard(null);
    this.#placeLabels();
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
    if (event.key === "Enter" || event.key === " ") this.#frame.openCard(node.id);
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
    const finish = (): void => {
      this.#fitAndPaint();
      if (!immediate) animate(simulation, () => this.#fitAndPaint());
    };
    this.#stopLayout();
    const steps = immediate ? 300 : 60;
    if (nodes.length <= maxImmediateNodes) {
      simulation.tick(steps);
      finish();
      return;
    }
    this.#fitAndPaint();
    const onSlice = (part: number): void => {
      if (part === 1) finish();
    };
    this.#stopLayout = runInSlices(simulation, onSlice, steps);
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

  /** Listens to wheel, drag, click and keys. */
  #addListeners(): void {
    const view = this.#svg;
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
    listenToPointer(view, this.#frame, {
      press: (event) => {
        const node = this.#nodeAt(event);
        return (dx, dy) => {
          if (node) {
            this.#simulation?.stop();
            node.x += dx / this.#viewport.scale.x;
            node.y += dy / this.#viewport.scale.y;
          } else this.#viewport.pan(dx, dy);
          this.#paint();
        };
      },
      click: (event) => {
        const node = this.#nodeAt(event);
        this.select(node && this.#selected !== node.id ? node.id : null);
      },
    });
  }

  #nodeAt({ target }: PointerEvent): NodeElement | undefined {
    const group = target instanceof Element ? target.closest<SVGGElement>(".graph-node") : null;
    return this.#nodes.get(group?.dataset["id"] ?? "");
  }
}
