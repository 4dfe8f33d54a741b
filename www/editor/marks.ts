import { type Action, forEachDiagnostic, setDiagnostics } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { element } from "../page/element.js";
import { ticks } from "../page/format.js";
import type { Mark } from "./pane.js";
import type { Repair } from "./problem.js";
import { seen } from "./textarea-pane.js";

const runs = Decoration.mark({ class: "mark now" });
const setRunning = StateEffect.define<{ start: number; end: number }[]>();

/** What runs is lit; what is wrong is CodeMirror's. */
const running = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, { changes, effects }) {
    const told = effects.find((one) => one.is(setRunning));
    if (!told) return now.map(changes);
    const places = told.value as { start: number; end: number }[];
    return Decoration.set(
      places
        .filter(({ start, end }) => end > start)
        .map(({ start, end }) => runs.range(start, end)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const marking: Extension = [running];

/** Underlines what is wrong, with its words where one points, and its repair as a button. */
export function showMarks(
  view: EditorView,
  marks: readonly Mark[],
  apply: () => void,
  mend: (edit: Repair) => void,
): void {
  const { length } = view.state.doc;
  const now: { start: number; end: number }[] = [];
  const wrong = marks.flatMap((mark) => {
    const { start, end } = seen(mark, length);
    const { severity, problem } = mark;
    if (severity === "now") {
      now.push({ start, end });
      return [];
    }
    const { diagnostic, repairs = [] } = problem ?? {};
    const actions = repairs.map(
      (edit): Action => ({
        name: edit.label,
        apply: () => {
          mend(edit);
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
        renderMessage: () => words(mark),
        actions,
      },
    ];
  });
  view.dispatch(setDiagnostics(view.state, wrong), { effects: setRunning.of(now) });
}

function words({ problem }: Mark): HTMLElement {
  const { code = "", message = "", help } = problem?.diagnostic ?? {};
  const made = element(
    "div",
    { class: "words" },
    element("code", {}, code),
    element("p", {}, ...ticks(message)),
  );
  if (help) made.append(element("p", { class: "help" }, ...ticks(help)));
  return made;
}

/** Where the first mark stands; nothing where there is none. */
export function firstMark(state: EditorState): number | null {
  let first: number | null = null;
  forEachDiagnostic(state, (_, from) => {
    first = Math.min(first ?? from, from);
  });
  state.field(running).between(0, state.doc.length, (from) => {
    first = Math.min(first ?? from, from);
    return false;
  });
  return first;
}
