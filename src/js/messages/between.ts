import { AROUND, nothing, TOLD_WORDS } from "./faults.js";
import type { Recipient } from "./recipient.js";

/** What stands between messages: blanks, the marks of a list, or words that are nobody's. */
export class Between {
  readonly #recipient: Recipient;
  /** How many objects are open that only hold a list of messages. */
  #lists = 0;
  /** Whether there was a message. */
  #begun = false;
  /** The first words that are no message. */
  #words = "";
  /** What was passed last, and whether that are the thoughts of a model: what is in brackets there is no message. */
  #passed = "";
  #thinks = false;

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
  }

  /** Passes what stands at a place. True where it begins a message; a bracket among words does not. */
  pass(mark: string, place: number, isWord: boolean): boolean {
    this.#passed = (this.#passed + mark).slice(-"</think>".length);
    if (this.#passed.endsWith("<think>")) this.#thinks = true;
    else if (this.#passed === "</think>") this.#thinks = false;
    if (mark === "{" && !(this.#thinks || isWord)) {
      this.#begun = true;
      return true;
    }
    if (mark === "}" && this.#lists > 0) {
      this.#lists -= 1;
    } else if (this.#words !== "") {
      if (this.#words.length < TOLD_WORDS) this.#words += mark;
    } else if (!/[\s[\],]/.test(mark)) {
      this.#words = mark;
      const location = { kind: "text", start: 0, end: 1 } as const;
      this.#recipient.note({ ok: true, diagnostics: [{ ...AROUND, location }] }, place);
    }
    return false;
  }

  /** Goes into `{"messages": […]}`, which some structured outputs need: what is in it are the messages. */
  enter(): void {
    this.#lists += 1;
  }

  /** Ends the text, which has to have held a message. */
  end(): void {
    if (this.#begun) return;
    this.#recipient.note({ ok: false, diagnostics: [nothing(this.#words)] }, 0);
  }
}
