import { element } from "./element.js";

/** Parts that fold. What was opened or closed by hand stays so when the parts are made anew. */
export class CollapsibleSections {
  readonly #open = new Map<string, boolean>();

  /** A part by its path, with the pieces of its head. */
  section(path: string, open: boolean, head: HTMLElement[]): HTMLDetailsElement {
    const made = element("details", { class: "node" }, element("summary", {}, ...head));
    made.open = this.#open.get(path) ?? open;
    made
      .querySelector("summary")
      ?.addEventListener("click", () => this.#open.set(path, !made.open));
    return made;
  }
}
