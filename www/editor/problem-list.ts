import { button, div, element, p, span } from "../page/element.js";
import { moreHint, withInlineCode } from "../page/format.js";
import type { Editor } from "./editor.js";
import type { TextMark } from "./pane.js";
import type { Problem } from "./problem.js";

/** Maximum number of problems listed per group. */
const maxProblems = 50;

/** Problems of one source; the group of the text itself has no title. */
export interface ProblemGroup {
  title?: string;
  problems: readonly Problem[];
}

export interface ProblemListContext {
  editor: Editor;
  /** Text that the problems refer to; the editor may contain another one now. */
  text: string;
  /** Applies the fixed text. */
  apply(): void;
  /** Checks the current text, if a fix refers to another one. */
  check(): void;
}

/** Returns editor marks of the problems that have a range. */
export function marksOfProblems(problems: readonly Problem[]): TextMark[] {
  return problems.flatMap((problem): TextMark[] => {
    const { range, diagnostic } = problem;
    return range ? [{ ...range, severity: diagnostic.severity, problem }] : [];
  });
}

/** Renders the problems below the text, with a button for each fix. */
export function showProblems(
  host: HTMLElement,
  groups: readonly ProblemGroup[],
  source: ProblemListContext,
): void {
  host.replaceChildren(
    ...groups
      .filter(({ problems }) => problems.length > 0)
      .flatMap(({ title, problems }) => [
        ...(title === undefined ? [] : [element("h3", title)]),
        ...problems.slice(0, maxProblems).map((one) => renderProblem(one, source)),
        ...moreHint(problems.length, maxProblems),
      ]),
  );
  host.hidden = host.childElementCount === 0;
}

function renderProblem(
  { diagnostic, range: place, fixes }: Problem,
  source: ProblemListContext,
): HTMLElement {
  const { editor, text, apply, check } = source;
  const head = div(
    "problem-head",
    span(`dot ${diagnostic.severity}`),
    element("code", diagnostic.code),
  );
  // Offsets are only valid for the text that was checked.
  const current = editor.text === text;
  if (place) {
    const { start, end } = place;
    const words = lineAndColumn(text, start);
    head.append(
      current
        ? button(words, { class: "place", title: "Show in the editor" }, () =>
            editor.reveal(start, end),
          )
        : span("muted", words),
    );
  } else if (diagnostic.location?.kind === "pointer" && diagnostic.location.pointer !== "") {
    head.append(element("code", { class: "muted" }, diagnostic.location.pointer));
  }
  const box = div("problem", head, element("p", ...withInlineCode(diagnostic.message)));
  if (diagnostic.help) box.append(p("muted", ...withInlineCode(diagnostic.help)));
  for (const { start, end, text: replacement, label } of current ? fixes : []) {
    box.append(
      button(label, { class: "small" }, () => {
        if (editor.text !== text) return check();
        editor.replace(start, end, replacement);
        apply();
      }),
    );
  }
  return box;
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
