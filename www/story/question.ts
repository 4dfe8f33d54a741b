import { button, byId, element } from "../page/element.js";
import { showNotice } from "../page/notice.js";

/** Question stage: input, suggested questions and messages. */
export class QuestionView {
  readonly #input = byId("story-question") as HTMLInputElement;
  readonly #form = byId("story-ask") as HTMLFormElement;
  readonly #chips = byId("story-chips");
  readonly #note = byId("story-note");
  /** Text that the user has typed or asked; kept until its answer starts. */
  #draft: string | null = null;
  /** Closes the last notice. */
  #closeNotice: (() => void) | null = null;

  constructor(questions: readonly string[], ask: (question: string) => void) {
    this.#chips.replaceChildren(
      ...questions.map((question) =>
        element(
          "li",
          button(question, { class: "chip" }, () => {
            this.setAsked(question);
            ask(question);
          }),
        ),
      ),
    );
    this.#input.addEventListener("input", () => {
      this.#draft = this.#input.value.trim() || null;
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const words = this.#input.value.trim();
      if (words !== "") {
        this.setAsked(words);
        ask(words);
      } else this.showMessage("Enter a question, or choose one.");
    });
    for (const one of this.#form.querySelectorAll("button")) one.disabled = false;
  }

  /** Puts the asked question into the input until its answer starts. */
  setAsked(words: string): void {
    this.#draft = this.#input.value = words;
  }

  show(question: string): void {
    if (question === this.#draft) this.#draft = null;
    const free = this.#draft === null && document.activeElement !== this.#input;
    if (free) this.#input.value = question;
    for (const chip of this.#chips.querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.textContent === question));
    }
  }

  /** Shows a message for the user; an empty text hides it. */
  showMessage(text: string, ...buttons: HTMLElement[]): void {
    this.#closeNotice?.();
    this.#closeNotice = null;
    // On narrow screens another pane may be visible, so a notice is shown too.
    const here = this.#form.closest<HTMLElement>(".bench")?.hidden === false;
    if (text !== "" && here && this.#form.offsetParent === null) {
      const actions = buttons.map((one) => ({
        label: one.textContent ?? "",
        run: () => one.click(),
      }));
      this.#closeNotice = showNotice({ text, actions });
    }
    this.#note.replaceChildren(...(text === "" ? [] : [element("span", text)]), ...buttons);
    this.#note.hidden = text === "";
  }
}
