import { arrowHeads, button, div, element, span, svg } from "../page/element.js";
import { emptyPaneHint, formatCount } from "../page/format.js";
import { prefersReducedMotion } from "../page/motion.js";
import type { WorkflowDiagram } from "./diagram.js";
import { type CardBox, drawReads, drawRoutes, laneGap, laneWidth } from "./edge-paths.js";
import { layOutRows, type RowLayout } from "./layout.js";
import {
  boundaryCards,
  type CardActions,
  collectUses,
  type MappingStage,
  nodeCard,
} from "./node-card.js";
import type { Call } from "./run.js";

const mappingStages = ["before", "after"] as const;

/** Status of a node in a run. */
export interface NodeStatus {
  state: Call["state"];
  words: string;
  values: Map<string, string>;
  action: string | null;
}

/** Workflow in two columns, before and after mapping, one row per node. */
export class MappingView {
  readonly #host: HTMLElement;
  readonly #heads = div("map-heads");
  readonly #scroll = element("div", { class: "map-scroll", tabindex: "-1" });
  readonly #rows = div("map-rows");
  readonly #edgePaths = svg("g", {});
  readonly #readPaths = svg("g", {});
  readonly #svg = svg("svg", { class: "map-lines", "aria-hidden": "true" });
  readonly #actions: CardActions;
  #diagram: WorkflowDiagram | null = null;
  #layout: RowLayout = { rows: [], routes: [], down: 0, up: 0 };
  /** Hash of the card positions when the edges were last drawn. */
  #drawnPositions = 0;
  /** Edges that the run has taken. */
  #takenEdges = new Set<string>();
  readonly #cards = new Map<string, { [stage in MappingStage]: HTMLElement }>();

  constructor(host: HTMLElement, actions: CardActions) {
    this.#host = host;
    this.#actions = actions;
    this.#svg.append(
      arrowHeads(["flow-head", "flow-head-failure", "flow-head-lit"], 7),
      this.#edgePaths,
      this.#readPaths,
    );
    this.#scroll.append(this.#rows);
    this.#rows.append(this.#svg);
    host.dataset["side"] = "after";
    new ResizeObserver(() => this.#drawEdges()).observe(this.#rows);
    this.#listen();
  }

  /** Shows a hint for an empty workflow. */
  clear(): void {
    this.#diagram = null;
    const text = "Enter a workflow: nodes with an id and a type, and edges between them.";
    this.#host.replaceChildren(emptyPaneHint(text));
  }

  /** Draws a workflow; a null diagram keeps the last one. */
  draw(diagram: WorkflowDiagram | null, stale: boolean): void {
    this.#host.classList.toggle("stale", stale);
    if (diagram === null) return;
    this.#diagram = diagram;
    this.#layout = layOutRows(diagram.nodes.length, diagram.edges, diagram.starts);
    this.#showHeads(diagram);
    this.#host.replaceChildren(this.#heads, this.#scroll);
    this.#cards.clear();
    const { down, up } = this.#layout;
    this.#rows.style.setProperty("--down", `${down === 0 ? 8 : laneGap + down * laneWidth}px`);
    this.#rows.style.setProperty("--up", `${up === 0 ? 8 : laneGap + up * laneWidth}px`);
    const [before, after] = mappingStages.map((stage) => collectUses(diagram, stage));
    if (!before || !after) return;
    const uses = { before, after };
    const cells: HTMLElement[] = [];
    const outer = mappingStages.map((stage) => boundaryCards(diagram, stage, uses[stage]));
    const pair = (name: string, made: (HTMLElement | null | undefined)[]): void => {
      const [one, other] = made;
      if (!one || !other) return;
      this.#cards.set(name, { before: one, after: other });
      cells.push(one, ...(diagram.mapped ? [other] : []));
    };
    pair(
      "\nInputs",
      outer.map(({ top }) => top),
    );
    for (const place of this.#layout.rows) {
      const box = diagram.nodes[place];
      if (box)
        pair(
          String(place),
          mappingStages.map((stage) => nodeCard(box, stage, uses[stage], this.#actions)),
        );
    }
    pair(
      "\nOutputs",
      outer.map(({ bottom }) => bottom),
    );
    this.#rows.classList.toggle("unmapped", !diagram.mapped);
    if (!diagram.mapped) cells.push(emptyPaneHint("Fix the errors to see the mapping."));
    this.#rows.replaceChildren(...cells, this.#svg);
    const first = this.#rows.querySelector<HTMLElement>("button.port, .box-id");
    if (first) first.tabIndex = 0;
    this.#highlight([]);
    this.#drawEdges();
  }

  /** Shows the status of each node, and the outputs. */
  update(shown: ReadonlyMap<string, NodeStatus>, outputs: ReadonlyMap<string, string>): void {
    const taken = new Set<string>();
    this.#diagram?.nodes.forEach(({ id }, place) => {
      const box = this.#cards.get(String(place))?.after;
      if (!box) return;
      const now = shown.get(id);
      box.dataset["state"] = now?.state ?? "none";
      const words = box.querySelector(".box-state");
      if (words && words.textContent !== (now?.words ?? "")) words.textContent = now?.words ?? "";
      this.#setValues(box, now?.values ?? new Map());
      if (now?.action != null) taken.add(`${place} ${now.action}`);
    });
    this.#takenEdges = taken;
    const end = this.#cards.get("\nOutputs")?.after;
    if (end) this.#setValues(end, outputs);
    // Run values may change the height of a card, and so the position of those below.
    if (this.#positionHash() === this.#drawnPositions) this.#markTakenEdges();
    else this.#drawEdges();
  }

  /** Scrolls a node into view and selects it. */
  reveal(id: string, picked: boolean): void {
    const place = this.#diagram?.nodes.findIndex((box) => box.id === id) ?? -1;
    const cards = this.#cards.get(String(place));
    if (picked) {
      for (const one of this.#rows.querySelectorAll(".picked")) one.classList.remove("picked");
      for (const stage of mappingStages) cards?.[stage].classList.add("picked");
    }
    // The scroll position is kept while the user points at the rows or focuses them.
    else if (this.#rows.matches(":hover, :focus-within")) return;
    const box = cards && (cards.after.offsetParent ? cards.after : cards.before);
    if (!box) return;
    const { scrollTop, clientHeight } = this.#scroll;
    const inside =
      box.offsetTop >= scrollTop && box.offsetTop + box.offsetHeight <= scrollTop + clientHeight;
    if (inside) return;
    const top = Math.max(0, box.offsetTop - clientHeight / 3);
    this.#scroll.scrollTo({ top, behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  #setValues(box: HTMLElement, values: ReadonlyMap<string, string>): void {
    for (const cell of box.querySelectorAll<HTMLElement>("[data-value]")) {
      const text = values.get((cell.dataset["value"] ?? "").replace(/^output /, "")) ?? "";
      if (cell.textContent === text) continue;
      cell.textContent = text;
      cell.title = text;
    }
  }

  #showHeads({ collisions, nodes, mapped, rewiredReads }: WorkflowDiagram): void {
    const clash =
      collisions.length === 0
        ? "no key collides"
        : `${formatCount(collisions.length, "key")} ${collisions.length === 1 ? "collides" : "collide"}`;
    const names = nodes.flatMap(({ writes }) =>
      writes.filter(({ mappedName, plainName }) => mappedName !== null && mappedName !== plainName),
    ).length;
    const renamedText = mapped
      ? names === 0
        ? "nothing renamed"
        : formatCount(names, "new name")
      : "";
    const choose = (stage: MappingStage, label: string): HTMLElement => {
      const chosen = String(this.#host.dataset["side"] === stage);
      const made = button(label, { class: "crumb side-choice", "aria-pressed": chosen }, () => {
        this.#host.dataset["side"] = stage;
        for (const one of this.#heads.querySelectorAll(".side-choice")) {
          one.setAttribute("aria-pressed", String(one === made));
        }
        this.#drawEdges();
      });
      return made;
    };
    const more =
      rewiredReads > 0
        ? [
            button(
              `renaming alone would break ${formatCount(rewiredReads, "read")}`,
              { class: "place", title: "Reads of a new name, or of an alias" },
              () => this.#highlightRewired(),
            ),
          ]
        : [];
    this.#heads.replaceChildren(
      element(
        "div",
        element("h2", "As written"),
        choose("before", "As written"),
        element("span", { class: collisions.length > 0 ? "warning" : "muted" }, clash),
      ),
      element(
        "div",
        element("h2", "After mapping"),
        choose("after", "After mapping"),
        span("muted", renamedText),
        ...more,
      ),
    );
  }

  /** Highlights the writers and readers of the name that is hovered or focused. */
  #listen(): void {
    const highlightTarget = (event: Event): void => {
      const port =
        event.target instanceof Element ? event.target.closest<HTMLElement>("button.port") : null;
      this.#highlight(port ? [port] : []);
    };
    for (const type of ["pointerover", "focusin"])
      this.#rows.addEventListener(type, highlightTarget);
    this.#rows.addEventListener("pointerleave", () => this.#highlight([]));
    this.#rows.addEventListener("focusout", () => this.#highlight([]));
    this.#rows.addEventListener("keydown", (event) => this.#handleArrow(event));
  }

  /** Moves the focus between names by arrow keys; the view is one Tab stop. */
  #handleArrow(event: KeyboardEvent): void {
    const from = document.activeElement;
    const box = from?.closest<HTMLElement>(".box");
    if (!(from instanceof HTMLElement) || !box) return;
    const stage: MappingStage = box.classList.contains("side-before") ? "before" : "after";
    const other: MappingStage =
      { ArrowLeft: "before" as const, ArrowRight: "after" as const }[event.key] ?? stage;
    const stops = (which: MappingStage): HTMLElement[] => [
      ...this.#rows.querySelectorAll<HTMLElement>(`.side-${which} :is(button.port, .box-id)`),
    ];
    const at = stops(stage).indexOf(from);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const to = stops(other)[at + step];
    if (!to || to === from || to.offsetParent === null) return;
    event.preventDefault();
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  #highlight(ports: readonly HTMLElement[]): void {
    this.#readPaths.replaceChildren();
    for (const old of this.#rows.querySelectorAll(".port.hit")) old.classList.remove("hit");
    for (const port of ports) {
      const stage: MappingStage = port.closest(".side-before") ? "before" : "after";
      const names = new Set((port.dataset["names"] ?? "").split("\n"));
      const same = [
        ...this.#rows.querySelectorAll<HTMLElement>(`.side-${stage} button.port`),
      ].filter((one) => (one.dataset["names"] ?? "").split("\n").some((name) => names.has(name)));
      for (const one of same) one.classList.add("hit");
      const spots = (what: string): CardBox[] =>
        same
          .filter((one) => one.classList.contains(what))
          .slice(0, 40)
          .map((one) => this.#boxOf(one));
      this.#readPaths.append(...drawReads(spots("writes"), spots("reads")));
    }
  }

  /** Highlights the reads that the mapping had to rewire. */
  #highlightRewired(): void {
    this.#highlight([]);
    for (const port of this.#rows.querySelectorAll(
      ".side-after .port.reads.new, .side-after .port.writes:has(.alias)",
    )) {
      port.classList.add("hit");
    }
    this.#rows.querySelector(".port.hit")?.scrollIntoView({ block: "nearest" });
  }

  #boxOf(target: HTMLElement): CardBox {
    const mine = this.#rows.getBoundingClientRect();
    const { left, top, width, height } = target.getBoundingClientRect();
    return { left: left - mine.left, top: top - mine.top, width, height };
  }

  /** Returns a hash of the positions of all cards. */
  #positionHash(): number {
    let sum = 0;
    for (const { before, after } of this.#cards.values()) {
      sum = (sum * 31 + before.offsetTop + after.offsetTop + after.offsetHeight) % 1e9;
    }
    return sum;
  }

  /** Redraws the edges after cards have moved. */
  #drawEdges(): void {
    const { clientWidth, scrollHeight } = this.#rows;
    if (clientWidth === 0 || !this.#diagram) return;
    this.#svg.setAttribute("width", String(clientWidth));
    this.#svg.setAttribute("height", String(scrollHeight));
    const drawn = mappingStages.flatMap((stage) =>
      drawRoutes(this.#layout, stage, (place) => {
        const box = this.#cards.get(String(place))?.[stage];
        if (!box || box.offsetParent === null) return null;
        return {
          left: box.offsetLeft,
          top: box.offsetTop,
          width: box.offsetWidth,
          height: box.offsetHeight,
        };
      }),
    );
    this.#edgePaths.replaceChildren(...drawn);
    this.#drawnPositions = this.#positionHash();
    this.#markTakenEdges();
  }

  #markTakenEdges(): void {
    for (const edge of this.#edgePaths.querySelectorAll<SVGElement>("[data-edge]")) {
      edge.classList.toggle("taken", this.#takenEdges.has(edge.dataset["edge"] ?? ""));
    }
  }
}
