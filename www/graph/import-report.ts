import type { Diagnostic } from "byname";
import { button, div, element, p } from "../page/element.js";
import { formatCount, withInlineCode } from "../page/format.js";
import type { OpenResult, ReadingChoice } from "./open-files.js";

/** Number of messages shown at once; the others are in a section that opens. */
const shownMessages = 3;

/** Shows why a file cannot be read as a graph, and the readings that the user can choose. */
export function showImportErrors(
  host: HTMLElement,
  { name, diagnostics, choices }: Extract<OpenResult, { model: null }>,
  choose: (choice: ReadingChoice) => void,
): void {
  host.hidden = false;
  host.replaceChildren(
    div(
      "problem",
      element(
        "p",
        element("strong", name),
        " is not a readable graph. The previous graph is unchanged.",
      ),
      ...renderDiagnostics(diagnostics),
      ...choices.map((one) => button(one.label, { class: "small" }, () => choose(one))),
      closeButton(host),
    ),
  );
}

/** Shows the warnings of an imported graph. */
export function showImportWarnings(host: HTMLElement, diagnostics: readonly Diagnostic[]): void {
  host.hidden = diagnostics.length === 0;
  host.replaceChildren(
    ...(host.hidden ? [] : [div("problem", ...renderDiagnostics(diagnostics), closeButton(host))]),
  );
}

function closeButton(host: HTMLElement): HTMLButtonElement {
  return button("Close", { class: "small" }, () => {
    host.hidden = true;
  });
}

/** Renders the first diagnostics, and the others in a section that opens. */
function renderDiagnostics(diagnostics: readonly Diagnostic[]): HTMLElement[] {
  const first = diagnostics.slice(0, shownMessages).flatMap(renderDiagnostic);
  const others = diagnostics.slice(shownMessages);
  if (others.length === 0) return first;
  const summary = element("summary", `${formatCount(others.length, "more message")}`);
  const section = element("details", { class: "more-messages" }, summary);
  // Rendered when opened, because there can be many.
  section.addEventListener("toggle", () => section.append(...others.flatMap(renderDiagnostic)), {
    once: true,
  });
  return [...first, section];
}

function renderDiagnostic({ message, help, severity }: Diagnostic): HTMLElement[] {
  const tone = severity === "error" ? "error" : "";
  const first = element("p", tone ? { class: tone } : {}, ...withInlineCode(message));
  return help ? [first, p("muted", ...withInlineCode(help))] : [first];
}
