import type { Simulation } from "d3-force";
import { arrowHeads, button, element, svg } from "../page/element.js";
import { stillness } from "../page/motion.js";
import { ahead, leads } from "./arrow-navigation.js";
import { curve, kindsOf, type Line, legendOf, linesOf, type Spot, spotsOf } from "./elements.js";
import { run, simulationOf } from "./force-layout.js";
import type { View } from "./graph-model.js";
import { placed, type Sized } from "./label-placement.js";
import { card } from "./node-card.js";
import { Lens } from "./viewport.js";

/** Edges are drawn with heads up to so many; beyond they are only noise. */
const headed = 160;

/** The graph as it is drawn: small ones whole, with what the current result is about lit. */
export class Picture {
  readonly #host: HTMLElement;
  readonly #svg = svg("svg", { class: "drawing", role: "group" });
  readonly #scene = svg("g", {});
  readonly #legend = element("ul", { class: "legend", "aria-label": "Sorts of nodes" });
  readonly #note = element("p", { class: "picture-note soft" });
  readonly #card = element("div", { class: "detail", role: "group", tabindex: "-1" });
  #spots = new Map<string, Spot>();
  #lines: Line[] = [];
  #view: View | null = null;
  #simulation: Simulation<Spot, undefined> | null = null;
  #hits = { nodes: new Set<string>(), edges: new Set<string>() };
  #picked: string | null = null;
  /** The one node that Tab comes to; arrow keys go on from there. */
  #stop: string | null = null;
  readonly #lens = new Lens();

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#card.hidden = true;
    const controls = element(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", { "aria-label": "Closer" }, () => this.#closer(1.4)),
      button("−", { "aria-label": "Farther" }, () => this.#closer(1 / 1.4)),
      button("Fit", { "aria-label": "Fit the graph" }, () => this.#unzoom()),
    );
    this.#svg.append(arrowHeads(["edge-head", "edge-head-hit"], 6), this.#scene);
    // What stands there until something is drawn stays so long.
    host.append(this.#svg, this.#legend, this.#note, controls, this.#card);
    this.#handle();
    new ResizeObserver(() => this.#resized()).observe(host);
  }

  /** Draws something else. What is drawn already stays where it is. */
  draw(view: View): void {
    if (view === this.#view) return;
    this.#host.querySelector(":scope > .waiting")?.remove();
    const before = this.#spots;
    const focused = this.#focused();
    this.#view = view;
    // Where nothing of the old one stays, what was looked at is gone too.
    if (!view.nodes.some(({ id }) => before.has(id))) this.#lens.unzoom();
    this.#simulation?.stop();
    const kinds = kindsOf(view);
    this.#spots = spotsOf(view, kinds, before);
    this.#lines = linesOf(view, this.#spots);
    const nodes = [...this.#spots.values()];
    this.#scene.replaceChildren(
      ...this.#lines.map(({ path }) => path),
      ...nodes.map(({ group }) => group),
      ...nodes.map(({ label }) => label),
    );
    this.#legend.replaceChildren(...legendOf(view, kinds));
    this.#note.textContent = view.note;
    this.#measure();
    this.#settle(nodes, before.size > 0);
    this.light(this.#hits.nodes, this.#hits.edges);
    this.pick(null);
    if (focused !== null) this.#spots.get(focused)?.group.focus();
  }

  /** Lights what the current result is about. */
  light(nodes: ReadonlySet<string>, edges: ReadonlySet<string>): void {
    this.#hits = { nodes: new Set(nodes), edges: new Set(edges) };
    let lit = 0;
    for (const [id, { group, label }] of this.#spots) {
      const hit = nodes.has(id);
      if (hit) lit += 1;
      group.classList.toggle("hit", hit);
      label.classList.toggle("hit", hit);
    }
    for (const { id, path } of this.#lines) {
      const hit = edges.has(id);
      path.classList.toggle("hit", hit);
      const head = hit ? "url(#edge-head-hit)" : "url(#edge-head)";
      const other = path.getAttribute("marker-end") !== head;
      if (other && this.#lines.length <= headed && this.#view?.directed) {
        path.setAttribute("marker-end", head);
        // WebKit draws the head that a line had when it came into the document: it comes again.
        this.#scene.prepend(path);
      }
      // What is lit lies above what is not.
      if (hit) this.#scene.insertBefore(path, this.#scene.querySelector("g"));
    }
    this.#svg.classList.toggle("lit", lit > 0);
    const total = this.#spots.size.toLocaleString();
    this.#svg.setAttribute(
      "aria-label",
      `${total} nodes and ${this.#lines.length.toLocaleString()} edges are drawn; ${lit} nodes are in the current result. The rows below tell which. Arrow keys go from node to node, Enter opens one.`,
    );
    this.#svg.dataset["lit"] = String(lit);
    if (this.#focused() === null) this.#stopAt([...nodes].find((id) => this.#spots.has(id)));
    this.#labels();
  }

  /** Shows what is known of a node. */
  pick(id: string | null): void {
    this.#picked = id;
    const spot = id === null ? undefined : this.#spots.get(id);
    for (const one of this.#spots.values()) one.group.classList.toggle("picked", one === spot);
    this.#card.hidden = !spot;
    if (spot) {
      this.#card.setAttribute("aria-label", spot.id);
      const near = this.#lines.flatMap((line) => {
        if (line.source === spot) return [{ kind: line.kind, out: true, id: line.target.id }];
        return line.target === spot ? [{ kind: line.kind, out: false, id: line.source.id }] : [];
      });
      this.#card.replaceChildren(
        ...card(spot, near, { pick: (other) => this.#open(other), close: () => this.#close() }),
      );
    }
    this.#labels();
  }

  /** Shows what is known of a node to whoever goes by keys: what is pressed in the card goes with the card's text. */
  #open(id: string): void {
    this.pick(id);
    this.#card.focus();
  }

  #close(): void {
    const left = this.#spots.get(this.#picked ?? "");
    const inside = this.#host.contains(document.activeElement);
    this.pick(null);
    if (inside) left?.group.focus();
  }

  /** The node that has the focus. */
  #focused(): string | null {
    const at = document.activeElement;
    return at && this.#svg.contains(at) ? (at.getAttribute("data-id") ?? null) : null;
  }

  /** Lets Tab come to this node, or where it is none, to the one that it came to before. */
  #stopAt(id: string | undefined): void {
    const known = [id, this.#stop].find((one) => one !== null && this.#spots.has(one ?? ""));
    const [first] = this.#spots.keys();
    this.#stop = known ?? first ?? null;
    for (const [one, { group }] of this.#spots)
      group.setAttribute("tabindex", one === this.#stop ? "0" : "-1");
  }

  /** Keys on a node: arrows go on to the next one in their direction. */
  #pressed(event: KeyboardEvent): void {
    const spot = this.#spots.get(this.#focused() ?? "");
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#open(spot.id);
    else if (leads(event.key)) ahead(spot, this.#spots.values(), event.key)?.group.focus();
    else return;
    event.preventDefault();
  }

  /** Lets the nodes find their places; at once where nothing should move. */
  #settle(nodes: Spot[], again: boolean): void {
    const { width, height } = this.#lens.room;
    const simulation = simulationOf(nodes, this.#lines, width / height);
    this.#simulation = simulation;
    const still = stillness() || nodes.length > 150 || again;
    simulation.tick(still ? 300 : 60);
    this.#place();
    if (still) return;
    run(simulation, () => this.#place());
  }

  /** The room there is, asked for when it may have changed: in each frame that would lay the page out anew. */
  #measure(): void {
    this.#lens.room = {
      width: this.#host.clientWidth || 600,
      height: this.#host.clientHeight || 400,
      above: this.#note.offsetHeight,
      // The legend lies below, so the graph keeps clear of it.
      below: this.#legend.offsetHeight + 12,
    };
  }

  #resized(): void {
    this.#measure();
    if (this.#host.clientWidth > 0 && this.#spots.size > 0) this.#place();
  }

  /** Fits the places into the pane and draws them there. */
  #place(): void {
    const { width, height } = this.#lens.room;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.#spots.size === 0) return;
    this.#lens.fit([...this.#spots.values()]);
    this.#paint();
  }

  #paint(): void {
    const at = (spot: Spot) => this.#lens.at(spot);
    for (const spot of this.#spots.values()) {
      const [x, y] = at(spot);
      spot.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const line of this.#lines) line.path.setAttribute("d", curve(line, at));
    this.#labels();
  }

  /** As many names as fit, those of the result first. */
  #labels(): void {
    const { width, height, below } = this.#lens.room;
    const lit = this.#hits.nodes;
    const focused = this.#focused();
    const list: Sized[] = [...this.#spots.values()].map((spot) => {
      const [x, y] = this.#lens.at(spot);
      const text = spot.label.textContent ?? "";
      const weight =
        spot.id === this.#picked || spot.id === focused
          ? 1e6
          : lit.has(spot.id)
            ? 1e3 + spot.degree
            : spot.degree;
      const needed =
        spot.id === this.#picked || spot.id === focused || (lit.has(spot.id) && lit.size <= 40);
      return { key: spot.id, x, y, radius: spot.radius, text, weight, needed };
    });
    const spots = placed(list, { width, height: height - below });
    for (const [id, { label }] of this.#spots) {
      const spot = spots.get(id);
      const out = spot ? "" : "none";
      if (label.style.display !== out) label.style.display = out;
      if (!spot) continue;
      label.setAttribute("x", spot.x.toFixed(1));
      label.setAttribute("y", spot.y.toFixed(1));
    }
  }

  has(id: string): boolean {
    return this.#spots.has(id);
  }

  #closer(by: number, at?: [number, number]): void {
    this.#lens.closer(by, at);
    this.#paint();
  }

  #unzoom(): void {
    this.#lens.unzoom();
    this.#paint();
  }

  /** Wheel, drag of the ground, drag of a node, click. */
  #handle(): void {
    const view = this.#svg;
    this.#host.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#close();
    });
    view.addEventListener("keydown", (event) => this.#pressed(event));
    view.addEventListener("focusin", () => {
      const spot = this.#spots.get(this.#focused() ?? "");
      if (!spot) return;
      this.#stopAt(spot.id);
      // What is pressed stays under the pointer; what keys come to is brought into sight.
      if (spot.group.matches(":focus-visible")) {
        this.#lens.bring(spot);
        this.#paint();
      } else this.#labels();
    });
    view.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = view.getBoundingClientRect();
        this.#closer(Math.exp(-event.deltaY / 400), [
          event.clientX - box.left,
          event.clientY - box.top,
        ]);
      },
      { passive: false },
    );
    view.addEventListener("pointerdown", (event) => {
      const id =
        event.target instanceof Element
          ? event.target.closest<SVGGElement>(".spot")?.dataset["id"]
          : undefined;
      const spot = id === undefined ? undefined : this.#spots.get(id);
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
          spot.x += dx / this.#lens.scale.x;
          spot.y += dy / this.#lens.scale.y;
        } else this.#lens.move(dx, dy);
        this.#paint();
      };
      const up = (): void => {
        view.removeEventListener("pointermove", move);
        view.removeEventListener("pointerup", up);
        view.removeEventListener("pointercancel", up);
        if (moved < 4) this.pick(spot && this.#picked !== spot.id ? spot.id : null);
      };
      view.addEventListener("pointermove", move);
      view.addEventListener("pointerup", up);
      view.addEventListener("pointercancel", up);
    });
  }
}
