import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import { arrowHeads, button, element, svg } from "../element.js";
import { stillness } from "../motion.js";
import { cut } from "../words.js";
import { ahead, leads } from "./ahead.js";
import { card } from "./card.js";
import { placed, type Sized } from "./labels.js";
import { shapeOf, shapePath } from "./shapes.js";
import type { DrawnNode, View } from "./view.js";

interface Spot extends DrawnNode {
  index?: number;
  x: number;
  y: number;
  vx?: number;
  vy?: number;
  fx?: number | null;
  fy?: number | null;
  degree: number;
  radius: number;
  group: SVGGElement;
  label: SVGTextElement;
}

interface Line {
  id: string;
  source: Spot;
  target: Spot;
  kind: string;
  /** How far it bends, so that edges side by side can be told apart. */
  bend: number;
  path: SVGPathElement;
}

/** Edges are drawn with heads up to so many; beyond they are only noise. */
const headed = 160;
const margin = 24;
/** Milliseconds: a picture that moves in such steps moves by jerks; after so many of them it is drawn as it will be. */
const lateFrame = 50;
const fewLate = 5;
/** How much farther one direction may be pulled than the other. */
const stretch = 1.6;

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
  /** What a wheel or a finger has done on top of the fit. */
  #zoom = { k: 1, x: 0, y: 0 };
  #fit = { x: { k: 1, to: 0 }, y: { k: 1, to: 0 } };
  /** The room there is, measured when it may have changed: asking for it in each frame would lay the page out anew. */
  #room = { width: 600, height: 400, above: 0, below: 0 };

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
    if (!view.nodes.some(({ id }) => before.has(id))) this.#zoom = { k: 1, x: 0, y: 0 };
    this.#simulation?.stop();
    this.#spots = new Map();
    const degrees = new Map<string, number>();
    for (const { source, target } of view.edges) {
      degrees.set(source, (degrees.get(source) ?? 0) + 1);
      degrees.set(target, (degrees.get(target) ?? 0) + 1);
    }
    const kinds = ranked(view.nodes.map(({ kind }) => kind));
    const nodes = view.nodes.map((node) =>
      this.#spot(node, degrees.get(node.id) ?? 0, kinds, before.get(node.id)),
    );
    this.#lines = this.#drawLines(view);
    this.#scene.replaceChildren(
      ...this.#lines.map(({ path }) => path),
      ...nodes.map(({ group }) => group),
      ...nodes.map(({ label }) => label),
    );
    this.#showLegend(kinds, view);
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

  /** Moves the picture where a node that gets the focus lies out of sight. */
  #bring(spot: Spot): void {
    const { width, height } = this.#room;
    const [x, y] = this.#at(spot);
    const inside = (at: number, most: number): number =>
      Math.max(margin, Math.min(most - margin, at));
    this.#zoom.x += inside(x, width) - x;
    this.#zoom.y += inside(y, height) - y;
    this.#paint();
  }

  #spot(node: DrawnNode, degree: number, kinds: readonly string[], before: Spot | undefined): Spot {
    const radius = Math.min(11, 5 + Math.sqrt(degree));
    const words = node.kind === "" ? node.id : `${node.id}, ${node.kind}`;
    const named = { role: "button", "aria-label": words, tabindex: "-1" };
    const group = svg("g", { class: "spot", "data-id": node.id, ...named });
    const shape = svg("path", { d: shapePath(shapeOf(kinds.indexOf(node.kind)), radius) });
    const title = svg("title", {});
    title.textContent = words;
    group.append(title, shape);
    const label = svg("text", { class: "label" });
    label.textContent = cut(node.id, 24);
    const spot: Spot = {
      ...node,
      // The simulation gives places to those that have none.
      x: before?.x ?? Number.NaN,
      y: before?.y ?? Number.NaN,
      degree,
      radius,
      group,
      label,
    };
    this.#spots.set(node.id, spot);
    return spot;
  }

  #drawLines(view: View): Line[] {
    const beside = new Map<string, number>();
    return view.edges.flatMap(({ id, source, target, kind }) => {
      const [from, to] = [this.#spots.get(source), this.#spots.get(target)];
      if (!from || !to) return [];
      const pair = source < target ? `${source}\n${target}` : `${target}\n${source}`;
      const nth = beside.get(pair) ?? 0;
      beside.set(pair, nth + 1);
      const side = (nth % 2 === 0 ? 1 : -1) * (source < target ? 1 : -1);
      const path = svg("path", { class: "edge", "data-id": id });
      const title = svg("title", {});
      title.textContent = `${source} ${kind === "" ? "→" : `–${kind}→`} ${target}`;
      path.append(title);
      return [{ id, source: from, target: to, kind, bend: Math.ceil(nth / 2) * side * 18, path }];
    });
  }

  /** Lets the nodes find their places; at once where nothing should move. */
  #settle(nodes: Spot[], again: boolean): void {
    const { width, height } = this.#room;
    const wide = Math.max(0.4, Math.min(2.5, width / height));
    const simulation = forceSimulation<Spot>(nodes)
      .force(
        "link",
        forceLink<Spot, { source: Spot; target: Spot }>(
          this.#lines.map(({ source, target }) => ({ source, target })),
        ).distance(46),
      )
      .force("charge", forceManyBody<Spot>().strength(-190).distanceMax(420))
      .force("x", forceX<Spot>().strength(0.07 / wide))
      .force("y", forceY<Spot>().strength(0.07 * wide))
      .force(
        "collide",
        forceCollide<Spot>((spot) => spot.radius + 9),
      )
      .stop();
    this.#simulation = simulation;
    const still = stillness() || nodes.length > 150 || again;
    simulation.tick(still ? 300 : 60);
    this.#place();
    if (still) return;
    simulation.alpha(0.6).alphaDecay(0.06);
    let last = performance.now();
    let late = 0;
    const step = (): void => {
      const now = performance.now();
      if (now - last > lateFrame) late += 1;
      last = now;
      // A machine that cannot draw it as it moves has other things to do.
      if (late > fewLate) simulation.stop().tick(300);
      this.#place();
    };
    simulation.on("tick", step).restart();
  }

  #measure(): void {
    this.#room = {
      width: this.#host.clientWidth || 600,
      height: this.#host.clientHeight || 400,
      above: margin + this.#note.offsetHeight,
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
    const { width, height } = this.#room;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const spots = [...this.#spots.values()];
    if (spots.length === 0) return;
    const xs = spots.map(({ x }) => x);
    const ys = spots.map(({ y }) => y);
    const [left, right, top, bottom] = [
      Math.min(...xs),
      Math.max(...xs),
      Math.min(...ys),
      Math.max(...ys),
    ];
    const below = this.#room.below + margin;
    const { above } = this.#room;
    const room = { x: width - 2 * margin, y: height - above - below };
    const fits = { x: room.x / Math.max(1, right - left), y: room.y / Math.max(1, bottom - top) };
    // A pane that is wider than the graph may stretch it a little.
    const x = Math.min(1.9, fits.x, fits.y * stretch);
    const y = Math.min(1.9, fits.y, fits.x * stretch);
    this.#fit = {
      x: { k: x, to: width / 2 - (x * (left + right)) / 2 },
      y: { k: y, to: above + room.y / 2 - (y * (top + bottom)) / 2 },
    };
    this.#paint();
  }

  #at({ x, y }: { x: number; y: number }): [number, number] {
    const { k: zoom, x: left, y: up } = this.#zoom;
    const { x: across, y: down } = this.#fit;
    return [(x * across.k + across.to) * zoom + left, (y * down.k + down.to) * zoom + up];
  }

  #paint(): void {
    for (const spot of this.#spots.values()) {
      const [x, y] = this.#at(spot);
      spot.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const line of this.#lines) line.path.setAttribute("d", this.#curve(line));
    this.#labels();
  }

  #curve({ source, target, bend }: Line): string {
    const [x1, y1] = this.#at(source);
    const [x2, y2] = this.#at(target);
    if (source === target) {
      const r = source.radius + 4;
      return `M${x1} ${y1 - r}a${r} ${r} 0 1 1 ${r} ${r}`;
    }
    const [dx, dy] = [x2 - x1, y2 - y1];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const start = Math.min(source.radius + 1, length / 3);
    const end = Math.min(target.radius + 4, length / 3);
    const from = `${(x1 + ux * start).toFixed(1)} ${(y1 + uy * start).toFixed(1)}`;
    const to = `${(x2 - ux * end).toFixed(1)} ${(y2 - uy * end).toFixed(1)}`;
    if (bend === 0) return `M${from}L${to}`;
    const middle = `${(x1 + dx / 2 - uy * bend).toFixed(1)} ${(y1 + dy / 2 + ux * bend).toFixed(1)}`;
    return `M${from}Q${middle} ${to}`;
  }

  /** As many names as fit, those of the result first. */
  #labels(): void {
    const { width, height } = this.#room;
    const lit = this.#hits.nodes;
    const focused = this.#focused();
    const list: Sized[] = [...this.#spots.values()].map((spot) => {
      const [x, y] = this.#at(spot);
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
    const spots = placed(list, { width, height: height - this.#room.below });
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

  #showLegend(kinds: readonly string[], view: View): void {
    const named = kinds.filter((kind) => kind !== "").slice(0, 6);
    this.#legend.replaceChildren(
      ...named.map((kind) => {
        const icon = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" });
        icon.append(svg("path", { d: shapePath(shapeOf(kinds.indexOf(kind)), 6) }));
        const total = view.nodes.filter((node) => node.kind === kind).length;
        return element("li", {}, icon, `${cut(kind.toLowerCase(), 18)} ${total}`);
      }),
    );
  }

  #closer(by: number, at?: [number, number]): void {
    const { width, height } = this.#room;
    const [x, y] = at ?? [width / 2, height / 2];
    const k = Math.max(0.5, Math.min(8, this.#zoom.k * by));
    const real = k / this.#zoom.k;
    this.#zoom = { k, x: x - (x - this.#zoom.x) * real, y: y - (y - this.#zoom.y) * real };
    this.#paint();
  }

  #unzoom(): void {
    this.#zoom = { k: 1, x: 0, y: 0 };
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
      // What is pressed stays under the pointer.
      if (spot.group.matches(":focus-visible")) this.#bring(spot);
      else this.#labels();
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
          spot.x += dx / (this.#fit.x.k * this.#zoom.k);
          spot.y += dy / (this.#fit.y.k * this.#zoom.k);
        } else {
          this.#zoom.x += dx;
          this.#zoom.y += dy;
        }
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

function ranked(kinds: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
}
