import { element } from "./element.js";

/** Collapsible sections that keep their state when they are rendered again. */
export class CollapsibleSections {
  readonly #open = new Map<string, boolean>();

  /** Creates a section; `path` identifies it across renderings. */
  section(path: string, open: boolean, head: HTMLElement[]): HTMLDetailsElement {
    const made = element("details", { class: "node" }, element("summary", ...head));
    made.open = this.#open.get(path) ?? open;
    made
      .querySelector("summary")
      ?.addEventListener("click", () => this.#open.set(path, !made.open));
    return made;
  }
}
