import { button, element } from "./element.js";

/** Says in a place that something did not load, and lets one try again. */
export function sayNotLoaded(
  place: HTMLElement,
  what: string,
  error: unknown,
  again: () => void,
): void {
  const fault = error instanceof Error ? error.message : String(error);
  const words = navigator.onLine ? fault.replace(/\.$/, "") : "there is no network";
  const said = element("p", { class: "hint", role: "alert" }, `${what} did not load: ${words}. `);
  const retry = button("Try again", { class: "small" }, () => {
    said.textContent = "Trying again…";
    again();
  });
  place.hidden = false;
  place.replaceChildren(said, retry);
}
