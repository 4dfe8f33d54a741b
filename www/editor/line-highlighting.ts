import type { Extension } from "@codemirror/state";
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";
import type { EditorOptions } from "./pane.js";

/** A longer line is not coloured: it is a whole document without breaks. */
const longest = 20_000;

/** Colours the lines in sight, each by itself: what a page of a text costs does not grow with the text. */
export function colouring(colours: EditorOptions["colours"]): Extension {
  const names = new Map<string, Decoration>();
  const mark = (name: string): Decoration => {
    const made = names.get(name) ?? Decoration.mark({ class: name });
    names.set(name, made);
    return made;
  };
  const draw = ({ state: { doc }, visibleRanges }: EditorView): DecorationSet => {
    const drawn = new RangeSetBuilder<Decoration>();
    let done = -1;
    for (const { from, to } of visibleRanges) {
      for (let at = Math.max(from, done + 1); at <= to; ) {
        const line = doc.lineAt(at);
        if (line.from > done && line.length <= longest) {
          for (const [start, end, name] of colours(line.text)) {
            if (end > start) drawn.add(line.from + start, line.from + end, mark(name));
          }
        }
        done = line.to;
        at = line.to + 1;
      }
    }
    return drawn.finish();
  };
  return ViewPlugin.define<{ drawn: DecorationSet; update(of: unknown): void }>(
    (view) => ({
      drawn: draw(view),
      update(of) {
        const {
          docChanged,
          viewportChanged,
          view: now,
        } = of as {
          docChanged: boolean;
          viewportChanged: boolean;
          view: EditorView;
        };
        if (docChanged || viewportChanged) this.drawn = draw(now);
      },
    }),
    { decorations: ({ drawn }) => drawn },
  );
}
