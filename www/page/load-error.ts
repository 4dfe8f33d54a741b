import { button, element } from "./element.js";
import { errorText } from "./format.js";

/** Shows that something failed to load, with a retry button. */
export function showLoadError(
  host: HTMLElement,
  what: string,
  error: unknown,
  retry: () => void,
): void {
  const message = errorText(error);
  const words = navigator.onLine ? message.replace(/\.$/, "") : "there is no network";
  const paragraph = element(
    "p",
    { class: "hint", role: "alert" },
    `Could not load ${what}: ${words}. `,
  );
  const control = button("Try again", { class: "small" }, () => {
    paragraph.textContent = "Trying again…";
    retry();
  });
  host.hidden = false;
  host.replaceChildren(paragraph, control);
}
