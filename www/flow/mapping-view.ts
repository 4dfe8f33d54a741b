import { arrowHeads, button, element, svg } from "../page/element.js";
import { count, hint } from "../page/format.js";
import { stillness } from "../page/motion.js";
import type { Shape } from "./diagram.js";
import { drawReads, drawRoutes, laneGap, laneWidth, type Spot } from "./edge-paths.js";
import { arrange, type Plan } from "./layout.js";
import { card, ends, type Side, usesOf } from "./node-card.js";
import type { Call } from "./run.js";

const sides = ["before", "after"] as const;

/** What a node shows of a run. */
export interface Shown {
  state: Call["state"];
  words: string;
  values: Map<string, string>;
  /** The action that it has answered. */
  action: string | null;
}

/** The workflow twice, row by row: as it is written, and as it is mapped. */
export class Picture {
  readonly #host: HTMLElement;
  readonly #heads = element("div", { class: "map-heads" });
  readonly #scroll = element("div", { class: "map-scroll", tabindex: "-1" });
  readonly #rows = element("div", { class: "map-rows" });
  readonly #ways = svg("g", {});
  readonly #reads = svg("g", {});
  readonly #drawing = svg("svg", { class: "map-lines", "aria-hidden": "true" });
  readonly #pick: (id: string) => void;
  #shape: Shape | null = null;
  #plan: Plan = { rows: [], routes: [], down: 0, up: 0 };
  /** Where the cards stood when the ways were drawn. */
  #drawn = 0;
  /** The ways that the run has gone. */
  #taken = new Set<string>();
  readonly #cards = new Map<string, { [side in Side]: HTMLElement }>();

  constructor(host: HTMLElement, pick: (id: string) => void) {
    this.#host = host;
    this.#pick = pick;
    this.#drawing.append(arrowHeads(["flow-head", "flow-head-lit"], 7), this.#ways, this.#reads);
    this.#scroll.append(this.#rows);
    this.#rows.append(this.#drawing);
    host.dataset["side"] = "after";
    new ResizeObserver(() => this.#measure()).observe(this.#rows);
    this.#follow();
  }

  /** Says what to do where there is nothing to draw. */
  clear(): void {
    this.#shape = null;
    const words = "Write a workflow: nodes with an id and a type, and edges between them.";
    this.#host.replaceChildren(hint(words));
  }

  /** Draws a workflow; nothing while its text is none. */
  draw(shape: Shape | null, stale: boolean): void {
    this.#host.classList.toggle("stale", stale);
    // While somebody writes, what was drawn last stays.
    if (shape === null) return;
    this.#shape = shape;
    this.#plan = arrange(shape.boxes.length, shape.links, shape.starts);
    this.#showHeads(shape);
    this.#host.replaceChildren(this.#heads, this.#scroll);
    this.#cards.clear();
    const { down, up } = this.#plan;
    this.#rows.style.setProperty("--down", `${down === 0 ? 8 : laneGap + down * laneWidth}px`);
    this.#rows.style.setProperty("--up", `${up === 0 ? 8 : laneGap + up * laneWidth}px`);
    const [before, after] = sides.map((side) => usesOf(shape, side));
    if (!before || !after) return;
    const uses = { before, after };
    const cells: HTMLElement[] = [];
    const outer = sides.map((side) => ends(shape, side, uses[side]));
    const pair = (name: string, made: (HTMLElement | null | undefined)[]): void => {
      const [one, other] = made;
      if (!one || !other) return;
      this.#cards.set(name, { before: one, after: other });
      cells.push(one, ...(shape.mapped ? [other] : []));
    };
    pair(
      "\nInputs",
      outer.map(({ top }) => top),
    );
    for (const place of this.#plan.rows) {
      const box = shape.boxes[place];
      if (box)
        pair(
          String(place),
          sides.map((side) => card(box, side, uses[side], this.#pick)),
        );
    }
    pair(
      "\nOutputs",
      outer.map(({ bottom }) => bottom),
    );
    this.#rows.classList.toggle("unmapped", !shape.mapped);
    if (!shape.mapped)
      cells.push(hint("What the mapping makes of it stands here once the mistakes are mended."));
    this.#rows.replaceChildren(...cells, this.#drawing);
    const first = this.#rows.querySelector<HTMLElement>("button.port, .box-id");
    if (first) first.tabIndex = 0;
    this.#light([]);
    this.#measure();
  }

  /** Shows what a run has done with each node so far. */
  update(shown: ReadonlyMap<string, Shown>, outputs: ReadonlyMap<string, string>): void {
    const taken = new Set<string>();
    this.#shape?.boxes.forEach(({ id }, place) => {
      const box = this.#cards.get(String(place))?.after;
      if (!box) return;
      const now = shown.get(id);
      box.dataset["state"] = now?.state ?? "none";
      const words = box.querySelector(".box-state");
      if (words && words.textContent !== (now?.words ?? "")) words.textContent = now?.words ?? "";
      this.#fill(box, now?.values ?? new Map());
      if (now?.action != null) taken.add(`${place} ${now.action}`);
    });
    this.#taken = taken;
    const end = this.#cards.get("\nOutputs")?.after;
    if (end) this.#fill(end, outputs);
    // What a run tells may make a card taller, and then all below it stand elsewhere.
    if (this.#places() === this.#drawn) this.#showTaken();
    else this.#measure();
  }

  /** Brings a node into sight and marks it. */
  show(id: string, picked: boolean): void {
    const place = this.#shape?.boxes.findIndex((box) => box.id === id) ?? -1;
    const cards = this.#cards.get(String(place));
    if (picked) {
      for (const one of this.#rows.querySelectorAll(".picked")) one.classList.remove("picked");
      for (const side of sides) cards?.[side].classList.add("picked");
    }
    // Whoever looks at something is left there.
    else if (this.#rows.matches(":hover, :focus-within")) return;
    const box = cards && (cards.after.offsetParent ? cards.after : cards.before);
    if (!box) return;
    const { scrollTop, clientHeight } = this.#scroll;
    const inside =
      box.offsetTop >= scrollTop && box.offsetTop + box.offsetHeight <= scrollTop + clientHeight;
    if (inside) return;
    const top = Math.max(0, box.offsetTop - clientHeight / 3);
    this.#scroll.scrollTo({ top, behavior: stillness() ? "auto" : "smooth" });
  }

  #fill(box: HTMLElement, values: ReadonlyMap<string, string>): void {
    for (const cell of box.querySelectorAll<HTMLElement>("[data-value]")) {
      const text = values.get((cell.dataset["value"] ?? "").replace(/^output /, "")) ?? "";
      if (cell.textContent === text) continue;
      cell.textContent = text;
      cell.title = text;
    }
  }

  #showHeads({ collisions, boxes, mapped, rewired }: Shape): void {
    const clash =
      collisions.length === 0
        ? "no key collides"
        : `${count(collisions.length, "key")} ${collisions.length === 1 ? "collides" : "collide"}`;
    const names = boxes.flatMap(({ writes }) =>
      writes.filter(({ name, plain }) => name !== null && name !== plain),
    ).length;
    const told = mapped ? (names === 0 ? "nothing renamed" : count(names, "new name")) : "";
    const choose = (side: Side, label: string): HTMLElement => {
      const chosen = String(this.#host.dataset["side"] === side);
      const made = button(label, { class: "crumb side-choice", "aria-pressed": chosen }, () => {
        this.#host.dataset["side"] = side;
        for (const one of this.#heads.querySelectorAll(".side-choice")) {
          one.setAttribute("aria-pressed", String(one === made));
        }
        this.#measure();
      });
      return made;
    };
    const more =
      rewired > 0
        ? [
            button(
              `renaming alone would break ${count(rewired, "read")}`,
              {
                class: "place",
                title: "Reads that follow a new name, or a plain one that is written besides",
              },
              () => this.#lightRewired(),
            ),
          ]
        : [];
    this.#heads.replaceChildren(
      element(
        "div",
        {},
        element("h2", {}, "As written"),
        choose("before", "As written"),
        element("span", { class: collisions.length > 0 ? "warning" : "soft" }, clash),
      ),
      element(
        "div",
        {},
        element("h2", {}, "After mapping"),
        choose("after", "After mapping"),
        element("span", { class: "soft" }, told),
        ...more,
      ),
    );
  }

  /** A key that is pointed at, or has the focus, shows who writes and who reads it. */
  #follow(): void {
    const over = (event: Event): void => {
      const port =
        event.target instanceof Element ? event.target.closest<HTMLElement>("button.port") : null;
      this.#light(port ? [port] : []);
    };
    for (const type of ["pointerover", "focusin"]) this.#rows.addEventListener(type, over);
    this.#rows.addEventListener("pointerleave", () => this.#light([]));
    this.#rows.addEventListener("focusout", () => this.#light([]));
    this.#rows.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Arrows go from key to key; the whole picture is one stop of the Tab key. */
  #walk(event: KeyboardEvent): void {
    const from = document.activeElement;
    const box = from?.closest<HTMLElement>(".box");
    if (!(from instanceof HTMLElement) || !box) return;
    const side: Side = box.classList.contains("side-before") ? "before" : "after";
    const other: Side =
      { ArrowLeft: "before" as const, ArrowRight: "after" as const }[event.key] ?? side;
    const stops = (which: Side): HTMLElement[] => [
      ...this.#rows.querySelectorAll<HTMLElement>(`.side-${which} :is(button.port, .box-id)`),
    ];
    const at = stops(side).indexOf(from);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const to = stops(other)[at + step];
    if (!to || to === from || to.offsetParent === null) return;
    event.preventDefault();
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  #light(ports: readonly HTMLElement[]): void {
    this.#reads.replaceChildren();
    for (const old of this.#rows.querySelectorAll(".port.hit")) old.classList.remove("hit");
    for (const port of ports) {
      const side: Side = port.closest(".side-before") ? "before" : "after";
      const names = new Set((port.dataset["names"] ?? "").split("\n"));
      const same = [
        ...this.#rows.querySelectorAll<HTMLElement>(`.side-${side} button.port`),
      ].filter((one) => (one.dataset["names"] ?? "").split("\n").some((name) => names.has(name)));
      for (const one of same) one.classList.add("hit");
      const spots = (what: string): Spot[] =>
        same
          .filter((one) => one.classList.contains(what))
          .slice(0, 40)
          .map((one) => this.#spot(one));
      this.#reads.append(...drawReads(spots("writes"), spots("reads")));
    }
  }

  /** All reads that a mapping had to follow. */
  #lightRewired(): void {
    this.#light([]);
    for (const port of this.#rows.querySelectorAll(
      ".side-after .port.reads.new, .side-after .port.writes:has(.alias)",
    )) {
      port.classList.add("hit");
    }
    this.#rows.querySelector(".port.hit")?.scrollIntoView({ block: "nearest" });
  }

  #spot(target: HTMLElement): Spot {
    const mine = this.#rows.getBoundingClientRect();
    const { left, top, width, height } = target.getBoundingClientRect();
    return { left: left - mine.left, top: top - mine.top, width, height };
  }

  /** Where all cards stand, in one number. */
  #places(): number {
    let sum = 0;
    for (const { before, after } of this.#cards.values()) {
      sum = (sum * 31 + before.offsetTop + after.offsetTop + after.offsetHeight) % 1e9;
    }
    return sum;
  }

  /** Draws the ways again: cards have got other places. */
  #measure(): void {
    const { clientWidth, scrollHeight } = this.#rows;
    if (clientWidth === 0 || !this.#shape) return;
    this.#drawing.setAttribute("width", String(clientWidth));
    this.#drawing.setAttribute("height", String(scrollHeight));
    const drawn = sides.flatMap((side) =>
      drawRoutes(this.#plan, side, (place) => {
        const box = this.#cards.get(String(place))?.[side];
        if (!box || box.offsetParent === null) return null;
        return {
          left: box.offsetLeft,
          top: box.offsetTop,
          width: box.offsetWidth,
          height: box.offsetHeight,
        };
      }),
    );
    this.#ways.replaceChildren(...drawn);
    this.#drawn = this.#places();
    this.#showTaken();
  }

  #showTaken(): void {
    for (const way of this.#ways.querySelectorAll<SVGElement>("[data-way]")) {
      way.classList.toggle("taken", this.#taken.has(way.dataset["way"] ?? ""));
    }
  }
}
