import {
  MAX_SHOWN_TEXT,
  noMessageDiagnostic,
  STRAY_TEXT,
  unclosedListResult,
} from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";

/** So many brackets around messages are counted. */
const MAX_OPEN_BRACKETS = 64;

/** What stands between messages: blanks, the marks of a list, or words that are nobody's. */
export class SeparatorTracker {
  readonly #collector: ResultCollector;
  /** What closes the lists of messages that are open, and the objects that only hold one. */
  #closing = "";
  /** Whether there was a message. */
  #hasMessage = false;
  /** The first words that are no message. */
  #strayText = "";
  /** What was passed last, and whether that are the thoughts of a model: what is in brackets there is no message. */
  #recentText = "";
  /** What stands last that is no blank: a bracket which a message follows begins a list of them. */
  #lastNonBlank = "";
  #isInThinking = false;

  constructor(collector: ResultCollector) {
    this.#collector = collector;
  }

  /** Passes what stands at a place. True where it begins a message; a bracket among words does not. */
  advance(char: string, offset: number, isBracketedText: boolean): boolean {
    this.#recentText = (this.#recentText + char).slice(-"</think>".length);
    if (this.#recentText.endsWith("<think>")) this.#isInThinking = true;
    else if (this.#recentText === "</think>") this.#isInThinking = false;
    const previous = this.#lastNonBlank;
    if (char.trim() !== "") this.#lastNonBlank = char;
    if (char === "{" && !(this.#isInThinking || isBracketedText)) {
      if (previous === "[") this.#open("]");
      this.#hasMessage = true;
      return true;
    }
    if (char === this.#closing.charAt(0)) {
      this.#closing = this.#closing.slice(1);
    } else if (this.#strayText !== "") {
      if (this.#strayText.length < MAX_SHOWN_TEXT) this.#strayText += char;
    } else if (!/[\s[\],]/.test(char)) {
      this.#strayText = char;
      const location = { kind: "text", start: 0, end: 1 } as const;
      this.#collector.add({ ok: true, diagnostics: [{ ...STRAY_TEXT, location }] }, offset);
    }
    return false;
  }

  /** Goes into `{"messages": […]}`, which some structured outputs need: what is in it are the messages. */
  enterMessageList(): void {
    this.#open("]}");
  }

  #open(closing: string): void {
    this.#closing = (closing + this.#closing).slice(0, MAX_OPEN_BRACKETS);
  }

  /** Ends the text at a place. It has to have held a message, and the list of them that is open may have been cut. */
  finish(offset: number, isCut: boolean): void {
    if (!this.#hasMessage)
      this.#collector.add({ ok: false, diagnostics: [noMessageDiagnostic(this.#strayText)] }, 0);
    else if (this.#closing !== "" && !isCut)
      this.#collector.add(unclosedListResult(this.#closing), offset);
  }
}
