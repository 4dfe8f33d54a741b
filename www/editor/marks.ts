import { type Action, forEachDiagnostic, setDiagnostics } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { div, element, p } from "../page/element.js";
import { withInlineCode } from "../page/format.js";
import type { TextMark } from "./pane.js";
import type { QuickFix } from "./problem.js";
import { visibleRange } from "./textarea-pane.js";

const runningDecoration = Decoration.mark({ class: "mark now" });
const setRunning = StateEffect.define<{ start: number; end: number }[]>();

/** Decorations of the running ranges; errors are lint diagnostics. */
const runningRanges = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(current, { changes, effects }) {
    const effect = effects.find((one) => one.is(setRunning));
    if (!effect) return current.map(changes);
    const ranges = effect.value as { start: number; end: number }[];
    return Decoration.set(
      ranges
        .filter(({ start, end }) => end > start)
        .map(({ start, end }) => runningDecoration.range(start, end)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const marksExtension: Extension = [runningRanges];

/** Underlines problems, with the message as a tooltip and fixes as buttons. */
export function showMarks(
  view: EditorView,
  marks: readonly TextMark[],
  apply: () => void,
  applyFix: (edit: QuickFix) => void,
): void {
  const { length } = view.state.doc;
  const runningRanges: { start: number; end: number }[] = [];
  const diagnostics = marks.flatMap((mark) => {
    const { start, end } = visibleRange(mark, length);
    const { severity, problem } = mark;
    if (severity === "now") {
      runningRanges.push({ start, end });
      return [];
    }
    const { diagnostic, fixes = [] } = problem ?? {};
    const actions = fixes.map(
      (edit): Action => ({
        name: edit.label,
        apply: () => {
          applyFix(edit);
          apply();
        },
      }),
    );
    return [
      {
        from: start,
        to: end,
        severity,
        message: diagnostic?.message ?? "",
        renderMessage: () => renderProblem(mark),
        actions,
      },
    ];
  });
  view.dispatch(setDiagnostics(view.state, diagnostics), { effects: setRunning.of(runningRanges) });
}

function renderProblem({ problem }: TextMark): HTMLElement {
  const { code = "", message = "", help } = problem?.diagnostic ?? {};
  const made = div("words", element("code", code), element("p", ...withInlineCode(message)));
  if (help) made.append(p("help", ...withInlineCode(help)));
  return made;
}

/** Returns the offset of the first mark, or null. */
export function firstMark(state: EditorState): number | null {
  let first: number | null = null;
  forEachDiagnostic(state, (_, from) => {
    first = Math.min(first ?? from, from);
  });
  state.field(runningRanges).between(0, state.doc.length, (from) => {
    first = Math.min(first ?? from, from);
    return false;
  });
  return first;
}
