import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { nextDiagnostic } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import {
  Annotation,
  type ChangeSet,
  EditorState,
  type Extension,
  Prec,
  Transaction,
} from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { div } from "../page/element.js";
import { lineHighlighting } from "./line-highlighting.js";
import { firstMark, marksExtension, showMarks } from "./marks.js";
import type { EditorOptions, EditorPane, TextMark, ViewState } from "./pane.js";
import { theme, tokenStyles } from "./theme.js";

/**
 * Maximum number of characters shown; a longer text is truncated, because the browser slows down.
 */
const maxShownLength = 4_000_000;

/** Marks a change that the page made, not the user. */
const byPage = Annotation.define<boolean>();

/** CodeMirror editor in a shadow root, where adopted style sheets satisfy a strict CSP. */
export class CodePane implements EditorPane {
  readonly #host = div("code");
  readonly #view: EditorView;
  readonly #apply: () => void;
  #fullText: string | null = null;
  /** Whether the user has edited since the page last set the text. */
  #edited = false;
  /** Whether the user has ever edited; from then on undo covers changes of the page too. */
  #keepsHistory = false;

  constructor(host: HTMLElement, options: EditorOptions, text: string, stand: ViewState) {
    host.append(this.#host);
    const root = this.#host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [tokenStyles()];
    this.#apply = options.apply;
    const state = EditorState.create({ extensions: this.#extensions(options) });
    this.#view = new EditorView({ state, root, parent: root });
    this.show(text, false);
    const length = this.#view.state.doc.length;
    const [anchor, head] = [Math.min(stand.start, length), Math.min(stand.end, length)];
    this.#view.dispatch({ selection: { anchor, head } });
    this.#view.scrollDOM.scrollTop = stand.scrollTop;
    if (stand.focused) this.#view.focus();
  }

  get text(): string {
    return this.#fullText ?? this.#view.state.doc.toString();
  }

  get composing(): boolean {
    return this.#view.composing;
  }

  show(fullText: string, scrollToEnd: boolean): void {
    const text = fullText.replace(/\r\n?/g, "\n");
    const long = text.length > maxShownLength;
    this.#fullText = long ? fullText : null;
    const shown = long
      ? `${text.slice(0, 2000)}\n… ${(text.length - 2000).toLocaleString()} characters more`
      : text;
    const before = this.#view.state.doc.toString();
    const same = before === shown;
    // An appended text is a pure insertion; any other change replaces the document.
    const from = shown.startsWith(before) ? before.length : 0;
    const changes = { from, to: before.length, insert: shown.slice(from) };
    const quiet = [byPage.of(true), Transaction.addToHistory.of(this.#keepsHistory)];
    const scroll = EditorView.scrollIntoView(scrollToEnd ? shown.length : 0, {
      y: scrollToEnd ? "nearest" : "start",
      yMargin: scrollToEnd ? 5 : 12,
    });
    this.#view.dispatch({ ...(same ? {} : { changes }), annotations: quiet, effects: scroll });
    if (!same) this.#edited = false;
  }

  showMarks(marks: readonly TextMark[]): void {
    const shown = this.#fullText === null ? marks : [];
    showMarks(this.#view, shown, this.#apply, (edit) => {
      this.replace(edit.start, edit.end, edit.text);
    });
  }

  reveal(start: number, end: number): void {
    const { length } = this.#view.state.doc;
    const [anchor, head] = [Math.min(start, length), Math.min(end, length)];
    const effects = EditorView.scrollIntoView(anchor, { y: "center" });
    this.#view.dispatch({ selection: { anchor, head }, effects });
    this.#view.focus();
  }

  scrollToFirstMark(): void {
    const from = firstMark(this.#view.state);
    if (from === null) return;
    this.#view.dispatch({
      effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 48 }),
    });
  }

  replace(start: number, end: number, text: string): void {
    if (this.#fullText !== null) {
      // Offsets in the truncated text differ from those in the full text.
      this.show(this.#fullText.slice(0, start) + text + this.#fullText.slice(end), false);
      return;
    }
    this.#view.dispatch({
      changes: { from: start, to: end, insert: text },
      selection: { anchor: start + text.length },
      annotations: byPage.of(true),
      userEvent: "input.repair",
    });
    this.#edited = this.#keepsHistory = true;
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  viewState(): ViewState {
    const { from, to } = this.#view.state.selection.main;
    const { scrollTop } = this.#view.scrollDOM;
    return { focused: this.#view.hasFocus, start: from, end: to, scrollTop };
  }

  remove(): void {
    this.#view.destroy();
    this.#host.remove();
  }

  #extensions(options: EditorOptions): Extension[] {
    const applyText = (): boolean => {
      options.apply();
      return true;
    };
    return [
      Prec.highest(
        keymap.of([
          { key: "Mod-Enter", run: applyText },
          { key: "Ctrl-Enter", run: applyText },
          // Tab leaves the editor, as in any field; only an open completion list accepts it.
          { key: "Tab", run: acceptCompletion },
        ]),
      ),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...searchKeymap,
        ...completionKeymap,
        { key: "F8", run: nextDiagnostic },
        { key: "Escape", run: blurEditor },
      ]),
      EditorView.contentAttributes.of({
        tabindex: "0",
        "aria-label": options.label,
        "aria-keyshortcuts": "Control+Enter",
      }),
      EditorView.lineWrapping,
      EditorState.tabSize.of(2),
      EditorState.languageData.of(() => [{ closeBrackets: { brackets: ["{", "[", "(", '"'] } }]),
      placeholder(options.placeholder),
      highlightSpecialChars(),
      // Adjacent changes of the page are undone together, but never together with the user's edits.
      history({
        joinToEvent: (change, adjacent) =>
          adjacent && (change.annotation(byPage) === true) !== this.#edited,
      }),
      // A truncated text can only be replaced as a whole.
      EditorState.changeFilter.of(
        (change) =>
          this.#fullText === null ||
          change.annotation(byPage) === true ||
          replacesAll(change.changes),
      ),
      bracketMatching(),
      closeBrackets(),
      search({ top: true }),
      autocompletion({ override: [(at) => completionsAt(options, at)], icons: false }),
      lineHighlighting(options.highlight),
      marksExtension,
      theme,
      EditorView.updateListener.of((update) => {
        const mine = update.transactions.some((one) => one.annotation(byPage));
        if (!update.docChanged || mine) return;
        this.#fullText = null;
        this.#edited = this.#keepsHistory = true;
        options.textEdited();
      }),
    ];
  }
}

function replacesAll(changes: ChangeSet): boolean {
  let all = false;
  changes.iterChangedRanges((from, to) => {
    all ||= from === 0 && to === changes.length;
  });
  return all;
}

/** Runs only if no open panel of the editor has handled Escape. */
function blurEditor(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}

function completionsAt(options: EditorOptions, at: CompletionContext): CompletionResult | null {
  const found = options.complete?.(at.state.doc.toString(), at.pos);
  if (!found) return null;
  // Completions open after the first character, or on request.
  const begun = /[\w*$."{-]/.test(at.state.sliceDoc(at.pos - 1, at.pos));
  if (!at.explicit && !begun) return null;
  return {
    from: found.from,
    options: found.options.map(({ label, detail, insert }) => ({
      label,
      ...(detail === undefined ? {} : { detail }),
      ...(insert === undefined ? {} : { apply: insert }),
    })),
  };
}
