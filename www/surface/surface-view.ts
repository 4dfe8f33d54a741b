import type { SurfaceChange } from "byname";
import { type MountOptions, mount, type SurfaceLike } from "byname/dom";
import { div, element, p } from "../page/element.js";
import { prefersReducedMotion } from "../page/motion.js";

/** Surface that a view can mount and observe. */
export interface ViewableSurface {
  readonly view: SurfaceLike;
  /** Subscribes after the renderer, so that the document is already patched. */
  observe(): () => void;
  readonly options?: MountOptions;
}

/** Maximum number of changes and rows animated. */
const maxAnimatedChanges = 150;

/** Pane with the live surface: highlights changes, animates moved rows, reports clicks. */
export class SurfaceView {
  /** Whether changes are not highlighted. */
  muted = false;
  readonly #host: HTMLElement;
  #surface = div("live");
  /** Hint for a surface without visible content. */
  readonly #empty = p("hint");
  #stop: () => void = () => {};
  #rowTops = new Map<Element, number>();

  constructor(host: HTMLElement, onPick: (key: string, control: boolean) => void) {
    this.#host = host;
    host.addEventListener("click", (event) => {
      // Simulated clicks of an example do not select.
      if (!event.isTrusted) return;
      const target =
        event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]") : null;
      const key = target?.dataset["key"];
      if (!target || key === undefined) return;
      this.#pick(target);
      onPick(
        key,
        event.target instanceof Element &&
          event.target.closest("button,input,textarea,select,label") !== null,
      );
    });
  }

  /** Marks the element of an instance as selected; none without a key. */
  select(key: string | undefined): void {
    this.#pick(key === undefined ? null : this.#elementOf(key));
  }

  #pick(target: HTMLElement | null): void {
    for (const old of this.#host.querySelectorAll("[data-picked]"))
      old.removeAttribute("data-picked");
    if (target) target.dataset["picked"] = "";
  }

  #elementOf(key: string): HTMLElement | null {
    return this.#surface.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  }

  get surface(): HTMLElement {
    return this.#surface;
  }

  /** Mounts a surface; `className` is a CSS class. */
  show(session: ViewableSurface, className = ""): void {
    this.#stop();
    this.#surface = element("div", { class: `live ${className}`.trim() });
    this.#host.replaceChildren(this.#surface, this.#empty);
    const unmount = mount(session.view, this.#surface, session.options);
    const unwatch = session.observe();
    this.afterUpdate();
    this.#stop = () => {
      unwatch();
      unmount();
    };
  }

  /** Records row positions, so that moves can be animated. */
  beforeUpdate(): void {
    this.#rowTops.clear();
    if (this.muted || prefersReducedMotion()) return;
    for (const row of [...this.#surface.querySelectorAll("[role=listitem]")].slice(
      0,
      maxAnimatedChanges,
    ))
      this.#rowTops.set(row, row.getBoundingClientRect().top);
  }

  /** Shows a hint if the surface is empty. */
  afterUpdate(): void {
    const drawn = this.#surface.querySelector(".bn-surface");
    const seen = drawn?.textContent?.trim() || drawn?.querySelector("input,textarea,img,svg,video");
    this.#empty.hidden = Boolean(seen);
    this.#empty.textContent = drawn?.hasChildNodes()
      ? "Components without data. Their content appears with the data."
      : "The surface is empty. Its first component has the id root.";
  }

  animateChanges(changes: readonly SurfaceChange[]): void {
    for (const [row, top] of this.#rowTops) {
      const shift = row.isConnected ? top - row.getBoundingClientRect().top : 0;
      if (Math.abs(shift) > 1)
        row.animate([{ transform: `translateY(${shift}px)` }, { transform: "none" }], {
          duration: 320,
          easing: "cubic-bezier(.2,.7,.2,1)",
        });
    }
    this.#rowTops.clear();
    if (this.muted) return;
    for (const change of changes.slice(0, maxAnimatedChanges)) {
      if (change.kind !== "unmount") this.#flash(change.key);
    }
  }

  #flash(key: string): void {
    const target = this.#elementOf(key);
    if (!target) return;
    const round = getComputedStyle(target).borderRadius;
    const shape = { borderRadius: round === "0px" ? "4px" : round };
    const flash = {
      ...shape,
      backgroundColor: "var(--flash)",
      boxShadow: "0 0 0 4px var(--flash)",
    };
    const end = { ...shape, backgroundColor: "transparent", boxShadow: "0 0 0 4px transparent" };
    // With reduced motion the highlight does not fade.
    target.animate(prefersReducedMotion() ? [flash, flash] : [flash, end], {
      duration: 1100,
      easing: "ease-out",
    });
  }
}
