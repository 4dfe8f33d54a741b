import { button, byId, element } from "../element.js";
import { notice } from "../notice.js";

/** The stage where one asks: a line to write in, questions to press, and what is to be said of them. */
export class QuestionView {
  readonly #input = byId("story-question") as HTMLInputElement;
  readonly #form = byId("story-ask") as HTMLFormElement;
  readonly #chips = byId("story-chips");
  readonly #note = byId("story-note");
  /** Takes away what was said over the page. */
  #away: (() => void) | null = null;

  constructor(questions: readonly string[], ask: (question: string) => void) {
    this.#chips.replaceChildren(
      ...questions.map((question) =>
        element(
          "li",
          {},
          button(question, { class: "chip" }, () => ask(question)),
        ),
      ),
    );
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const words = this.#input.value.trim();
      if (words !== "") ask(words);
      else this.say("Write a question, or press one.");
    });
    for (const one of this.#form.querySelectorAll("button")) one.disabled = false;
  }

  show(question: string): void {
    if (document.activeElement !== this.#input) this.#input.value = question;
    for (const chip of this.#chips.querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.textContent === question));
    }
  }

  /** What a person has to know now; nothing where there is nothing to say. */
  say(words: string, ...buttons: HTMLElement[]): void {
    this.#away?.();
    this.#away = null;
    // A phone may show another pane now.
    const here = this.#form.closest<HTMLElement>(".bench")?.hidden === false;
    if (words !== "" && here && this.#form.offsetParent === null) {
      const actions = buttons.map((one) => ({
        label: one.textContent ?? "",
        run: () => one.click(),
      }));
      this.#away = notice({ words, actions });
    }
    this.#note.replaceChildren(...(words === "" ? [] : [element("span", {}, words)]), ...buttons);
    this.#note.hidden = words === "";
  }
}
