import type { EditorOptions, EditorPane, TextMark } from "./pane.js";
import { TextareaPane } from "./textarea-pane.js";

/**
 * Text editor: a text area at first, because it renders at once, later CodeMirror. It is read-only
 * until `unlock` is called, because edits before that would be lost.
 */
export class Editor {
  #pane: EditorPane;
  #marks: readonly TextMark[] = [];
  /** Makes the editor writable; called when the core has loaded. */
  unlock: () => void = () => {};

  constructor(host: HTMLElement, callbacks: EditorOptions) {
    const options: EditorOptions = {
      ...callbacks,
      textEdited: () => {
        this.mark([]);
        callbacks.textEdited();
      },
    };
    const plain = new TextareaPane(host, options);
    this.#pane = plain;
    const unlocked = new Promise<void>((done) => {
      this.unlock = () => {
        plain.unlock();
        done();
      };
    });
    void this.#loadCodeMirror(host, options, unlocked);
  }

  get text(): string {
    return this.#pane.text;
  }

  show(text: string, scrollToEnd: boolean): void {
    const before = this.text;
    this.#pane.show(text, scrollToEnd);
    if (this.text !== before) this.mark([]);
  }

  mark(marks: readonly TextMark[]): void {
    this.#marks = marks;
    this.#pane.showMarks(marks);
  }

  reveal(start: number, end: number): void {
    this.#pane.reveal(start, end);
  }

  scrollToFirstMark(): void {
    this.#pane.scrollToFirstMark();
  }

  /** Applies a fix to the text. */
  replace(start: number, end: number, text: string): void {
    this.#pane.replace(start, end, text);
    this.mark([]);
  }

  focus(): void {
    this.#pane.focus();
  }

  /** Replaces the text area by CodeMirror when the page is idle; keeps it if the import fails. */
  async #loadCodeMirror(
    host: HTMLElement,
    on: EditorOptions,
    unlocked: Promise<void>,
  ): Promise<void> {
    await waitUntilIdle();
    const loaded = await import("./codemirror-pane.js").catch(() => null);
    if (!loaded) return;
    await unlocked;
    await waitUntilIdle();
    // An unfinished input-method composition would be lost.
    while (this.#pane.composing) await waitUntilIdle();
    const old = this.#pane;
    const { text } = old;
    const stand = old.viewState();
    old.remove();
    this.#pane = new loaded.CodePane(host, on, text, stand);
    this.#pane.showMarks(this.#marks);
  }
}

function waitUntilIdle(): Promise<void> {
  return new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done(), { timeout: 2000 });
    else setTimeout(done, 50);
  });
}
