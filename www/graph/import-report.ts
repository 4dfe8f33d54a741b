import type { Diagnostic } from "byname";
import { button, element } from "../page/element.js";
import { ticks } from "../page/format.js";
import type { Opened } from "./open-files.js";

/** Says why a file is no graph. */
export function showRefused(
  home: HTMLElement,
  { name, diagnostics }: Extract<Opened, { graph: null }>,
): void {
  home.hidden = false;
  home.replaceChildren(
    element(
      "div",
      { class: "problem" },
      element(
        "p",
        {},
        element("strong", {}, name),
        " is no graph that can be read. The one before is still here.",
      ),
      ...diagnostics.slice(0, 5).flatMap((one) => words(one, "error")),
      button("Close", { class: "small" }, () => {
        home.hidden = true;
      }),
    ),
  );
}

/** Says what is odd about a graph that was read. */
export function showOddities(home: HTMLElement, diagnostics: readonly Diagnostic[]): void {
  home.hidden = diagnostics.length === 0;
  home.replaceChildren(
    ...diagnostics.slice(0, 3).map((one) => element("div", { class: "problem" }, ...words(one))),
  );
}

function words({ message, help }: Diagnostic, tone?: string): HTMLElement[] {
  const first = element("p", tone ? { class: tone } : {}, ...ticks(message));
  return help ? [first, element("p", { class: "soft" }, ...ticks(help))] : [first];
}
