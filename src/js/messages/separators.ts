import { AROUND, listCut, nothing, TOLD_WORDS } from "./diagnostics.js";
import type { Recipient } from "./result-collector.js";

/** So many brackets around messages are counted. */
const MOST_CLOSING = 64;

/** What stands between messages: blanks, the marks of a list, or words that are nobody's. */
export class Between {
  readonly #recipient: Recipient;
  /** What closes the lists of messages that are open, and the objects that only hold one. */
  #closing = "";
  /** Whether there was a message. */
  #begun = false;
  /** The first words that are no message. */
  #words = "";
  /** What was passed last, and whether that are the thoughts of a model: what is in brackets there is no message. */
  #passed = "";
  /** What stands last that is no blank: a bracket which a message follows begins a list of them. */
  #last = "";
  #thinks = false;

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
  }

  /** Passes what stands at a place. True where it begins a message; a bracket among words does not. */
  pass(mark: string, place: number, isWord: boolean): boolean {
    this.#passed = (this.#passed + mark).slice(-"</think>".length);
    if (this.#passed.endsWith("<think>")) this.#thinks = true;
    else if (this.#passed === "</think>") this.#thinks = false;
    const before = this.#last;
    if (mark.trim() !== "") this.#last = mark;
    if (mark === "{" && !(this.#thinks || isWord)) {
      if (before === "[") this.#open("]");
      this.#begun = true;
      return true;
    }
    if (mark === this.#closing.charAt(0)) {
      this.#closing = this.#closing.slice(1);
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
    this.#open("]}");
  }

  #open(closing: string): void {
    this.#closing = (closing + this.#closing).slice(0, MOST_CLOSING);
  }

  /** Ends the text at a place. It has to have held a message, and the list of them that is open may have been cut. */
  end(place: number, isCut: boolean): void {
    if (!this.#begun) this.#recipient.note({ ok: false, diagnostics: [nothing(this.#words)] }, 0);
    else if (this.#closing !== "" && !isCut) this.#recipient.note(listCut(this.#closing), place);
  }
}
