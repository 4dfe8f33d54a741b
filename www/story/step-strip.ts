import { button, element } from "../page/element.js";
import type { Timeline } from "./timeline.js";

const stageLabels = { question: "question", plan: "plan", flow: "workflow", surface: "surface" };

/** Steps as buttons: one Tab stop, navigated by arrow keys. */
export class StepStrip {
  readonly #host: HTMLElement;
  readonly #timeline: Timeline;

  constructor(host: HTMLElement, timeline: Timeline) {
    this.#host = host;
    this.#timeline = timeline;
    // Keeps the current step visible when the window becomes narrower.
    new ResizeObserver(() => this.#scrollToCurrent()).observe(host);
    host.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const last = timeline.frames.length - 1;
      const edge = { Home: 0, End: last }[event.key];
      const at = edge ?? (to === undefined ? null : timeline.at + to);
      if (at === null || at < 0 || at > last) return;
      event.preventDefault();
      timeline.goTo(at);
      host.querySelector<HTMLElement>("[aria-current]")?.focus();
    });
  }

  show(): void {
    const { frames, at } = this.#timeline;
    // Existing buttons are reused, so that they keep the focus.
    while (this.#host.children.length > frames.length) this.#host.lastElementChild?.remove();
    frames.slice(this.#host.children.length).forEach((frame) => {
      const index = frames.indexOf(frame);
      const label = `${index + 1}. ${stageLabels[frame.stage]}: ${frame.title}`;
      const dot = button("", { class: "step", "aria-label": label, title: label }, () =>
        this.#timeline.goTo(index),
      );
      dot.dataset["stage"] = frame.error === null ? frame.stage : "error";
      this.#host.append(element("li", { "data-stage": frame.stage }, dot));
    });
    [...this.#host.querySelectorAll<HTMLElement>(".step")].forEach((dot, index) => {
      dot.classList.toggle("done", index < at);
      dot.classList.toggle("now", index === at);
      dot.tabIndex = index === at ? 0 : -1;
      if (index === at) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    });
    this.#scrollToCurrent();
  }

  #scrollToCurrent(): void {
    const dot = this.#host.querySelector<HTMLElement>("[aria-current]");
    if (!dot) return;
    const { offsetLeft } = dot;
    const { scrollLeft, clientWidth } = this.#host;
    if (offsetLeft < scrollLeft + 32 || offsetLeft > scrollLeft + clientWidth - 64) {
      this.#host.scrollLeft = offsetLeft - clientWidth / 2;
    }
  }
}
