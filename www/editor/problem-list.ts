import { button, element } from "../page/element.js";
import { withInlineCode } from "../page/format.js";
import type { Editor } from "./editor.js";
import type { TextMark } from "./pane.js";
import type { Problem } from "./problem.js";

/** More problems than this are not read. */
const maxProblems = 50;

/** Problems with what they are about; the first group has no title, because it is about the text. */
export interface ProblemGroup {
  title?: string;
  problems: readonly Problem[];
}

/** Where a list of problems comes from, and what its buttons do. */
export interface ProblemListContext {
  editor: Editor;
  /** What the problems were found in; the editor may hold another text by now. */
  text: string;
  /** Takes the text that has been mended. */
  apply(): void;
  /** Looks the text over again, where a repair was of another one. */
  check(): void;
}

/** Where problems stand, with what they say. */
export function marksOfProblems(problems: readonly Problem[]): TextMark[] {
  return problems.flatMap((problem): TextMark[] => {
    const { range, diagnostic } = problem;
    return range ? [{ ...range, severity: diagnostic.severity, problem }] : [];
  });
}

/** The list below the text: what is wrong, where, and what to do; a repair that is spelled out becomes a button. */
export function showProblems(
  host: HTMLElement,
  groups: readonly ProblemGroup[],
  source: ProblemListContext,
): void {
  host.replaceChildren(
    ...groups
      .filter(({ problems }) => problems.length > 0)
      .flatMap(({ title, problems }) => [
        ...(title === undefined ? [] : [element("h3", {}, title)]),
        ...problems.slice(0, maxProblems).map((one) => renderProblem(one, source)),
      ]),
  );
  host.hidden = host.childElementCount === 0;
}

function renderProblem(
  { diagnostic, range: place, fixes }: Problem,
  source: ProblemListContext,
): HTMLElement {
  const { editor, text, apply, check } = source;
  const head = element(
    "div",
    { class: "problem-head" },
    element("span", { class: `dot ${diagnostic.severity}` }),
    element("code", {}, diagnostic.code),
  );
  // What is wrong with a text that the editor does not hold has no place in it.
  const current = editor.text === text;
  if (place) {
    const { start, end } = place;
    const words = lineAndColumn(text, start);
    head.append(
      current
        ? button(words, { class: "place", title: "Show the place" }, () =>
            editor.reveal(start, end),
          )
        : element("span", { class: "soft" }, words),
    );
  } else if (diagnostic.location?.kind === "pointer" && diagnostic.location.pointer !== "") {
    head.append(element("code", { class: "soft" }, diagnostic.location.pointer));
  }
  const box = element(
    "div",
    { class: "problem" },
    head,
    element("p", {}, ...withInlineCode(diagnostic.message)),
  );
  if (diagnostic.help)
    box.append(element("p", { class: "soft" }, ...withInlineCode(diagnostic.help)));
  for (const { start, end, text: replacement, label } of current ? fixes : []) {
    box.append(
      button(label, { class: "small" }, () => {
        // Nobody knows where it would stand in another text.
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
