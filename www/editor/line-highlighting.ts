import type { Extension } from "@codemirror/state";
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";
import type { EditorOptions } from "./pane.js";

/** Maximum length of a highlighted line. */
const maxLineLength = 20_000;

/** Highlights the visible lines one by one, so that the cost does not grow with the text. */
export function lineHighlighting(colours: EditorOptions["highlight"]): Extension {
  const decorations = new Map<string, Decoration>();
  const mark = (name: string): Decoration => {
    const made = decorations.get(name) ?? Decoration.mark({ class: name });
    decorations.set(name, made);
    return made;
  };
  const decorate = ({ state: { doc }, visibleRanges }: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    let done = -1;
    for (const { from, to } of visibleRanges) {
      for (let at = Math.max(from, done + 1); at <= to; ) {
        const line = doc.lineAt(at);
        if (line.from > done && line.length <= maxLineLength) {
          for (const [start, end, name] of colours(line.text)) {
            if (end > start) builder.add(line.from + start, line.from + end, mark(name));
          }
        }
        done = line.to;
        at = line.to + 1;
      }
    }
    return builder.finish();
  };
  return ViewPlugin.define<{ drawn: DecorationSet; update(of: unknown): void }>(
    (view) => ({
      drawn: decorate(view),
      update(of) {
        const {
          docChanged,
          viewportChanged,
          view: now,
        } = of as { docChanged: boolean; viewportChanged: boolean; view: EditorView };
        if (docChanged || viewportChanged) this.drawn = decorate(now);
      },
    }),
    { decorations: ({ drawn }) => drawn },
  );
}
