import type { Diagnostic } from "byname";
import { button, div, element, p } from "../page/element.js";
import { withInlineCode } from "../page/format.js";
import type { OpenResult } from "./open-files.js";

/** Shows why a file cannot be read as a graph. */
export function showImportErrors(
  host: HTMLElement,
  { name, diagnostics }: Extract<OpenResult, { graph: null }>,
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
      ...diagnostics.slice(0, 5).flatMap((one) => renderDiagnostic(one, "error")),
      button("Close", { class: "small" }, () => {
        host.hidden = true;
      }),
    ),
  );
}

/** Shows the warnings of an imported graph. */
export function showImportWarnings(home: HTMLElement, diagnostics: readonly Diagnostic[]): void {
  home.hidden = diagnostics.length === 0;
  home.replaceChildren(
    ...diagnostics.slice(0, 3).map((one) => div("problem", ...renderDiagnostic(one))),
  );
}

function renderDiagnostic({ message, help }: Diagnostic, tone?: string): HTMLElement[] {
  const first = element("p", tone ? { class: tone } : {}, ...withInlineCode(message));
  return help ? [first, p("muted", ...withInlineCode(help))] : [first];
}
