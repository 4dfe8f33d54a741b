import { button, byId, element } from "../element.js";

/** The stage where one asks: a line to write in, questions to press, and what is to be said of them. */
export class QuestionView {
  readonly #input = byId("story-question") as HTMLInputElement;
  readonly #form = byId("story-ask") as HTMLFormElement;
  readonly #chips = byId("story-chips");
  readonly #note = byId("story-note");

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
    this.#note.replaceChildren(...(words === "" ? [] : [element("span", {}, words)]), ...buttons);
    this.#note.hidden = words === "";
  }
}
