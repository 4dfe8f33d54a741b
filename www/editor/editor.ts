import type { EditorOptions, Mark, Pane } from "./pane.js";
import { PlainPane } from "./textarea-pane.js";

/**
 * The box that a text is written in: plain at first, so that the page stands at once, and a real editor soon. Until
 * `unlock`, its text can be read only: what is written before anything can read it would be lost.
 */
export class Editor {
  #pane: Pane;
  #marks: readonly Mark[] = [];
  /** The core is here. */
  unlock: () => void = () => {};

  constructor(host: HTMLElement, on: EditorOptions) {
    const heard: EditorOptions = {
      ...on,
      typed: () => {
        this.mark([]);
        on.typed();
      },
    };
    const plain = new PlainPane(host, heard);
    this.#pane = plain;
    const unlocked = new Promise<void>((done) => {
      this.unlock = () => {
        plain.unlock();
        done();
      };
    });
    void this.#better(host, heard, unlocked);
  }

  get text(): string {
    return this.#pane.text;
  }

  show(text: string, follow: boolean): void {
    const before = this.text;
    this.#pane.show(text, follow);
    if (this.text !== before) this.mark([]);
  }

  mark(marks: readonly Mark[]): void {
    this.#marks = marks;
    this.#pane.mark(marks);
  }

  reveal(start: number, end: number): void {
    this.#pane.reveal(start, end);
  }

  /** Scrolls so that the first mark is in sight. */
  follow(): void {
    this.#pane.follow();
  }

  /** Writes a repair into the text. */
  replace(start: number, end: number, text: string): void {
    this.#pane.replace(start, end, text);
    this.mark([]);
  }

  focus(): void {
    this.#pane.focus();
  }

  /** Takes the editor when the page has nothing else to do. Without it, the plain box stays and does its work. */
  async #better(host: HTMLElement, on: EditorOptions, unlocked: Promise<void>): Promise<void> {
    await idle();
    const loaded = await import("./codemirror-pane.js").catch(() => null);
    if (!loaded) return;
    await unlocked;
    await idle();
    // Half a character of an input method would be lost.
    while (this.#pane.busy) await idle();
    const old = this.#pane;
    const { text } = old;
    const stand = old.stand();
    old.remove();
    this.#pane = new loaded.CodePane(host, on, text, stand);
    this.#pane.mark(this.#marks);
  }
}

function idle(): Promise<void> {
  return new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done(), { timeout: 2000 });
    else setTimeout(done, 50);
  });
}
