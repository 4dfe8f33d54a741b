import {
  MAX_SHOWN_TEXT,
  noMessageDiagnostic,
  STRAY_TEXT,
  unclosedListResult,
} from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";

/** Maximum number of open brackets around messages. */
const MAX_OPEN_BRACKETS = 64;

/** Text between messages: white space, list punctuation, or stray text. */
export class SeparatorTracker {
  readonly #collector: ResultCollector;
  /** Brackets that would close the open lists and objects around messages. */
  #closing = "";
  /** Number of messages that have begun. */
  #messageCount = 0;
  /** First stray text. */
  #strayText = "";
  /**
   * Last characters, and whether they are in a reasoning section of a model, where brackets are not
   * messages.
   */
  #recentText = "";
  /** Last character that is not white space. A bracket before a message begins a list. */
  #lastNonBlank = "";
  #isInThinking = false;
  /** Text for the listener that it has not received, and whether it contains words. */
  #pendingText = "";
  #hasWords = false;

  constructor(collector: ResultCollector) {
    this.#collector = collector;
  }

  /**
   * Reads a character at an offset. Returns whether it begins a message; a bracket in prose does
   * not.
   */
  advance(char: string, offset: number, isBracketedText: boolean): boolean {
    this.#recentText = (this.#recentText + char).slice(-"</think>".length);
    if (this.#recentText.endsWith("<think>")) this.#isInThinking = true;
    else if (this.#recentText === "</think>") this.#isInThinking = false;
    const previous = this.#lastNonBlank;
    if (char.trim() !== "") this.#lastNonBlank = char;
    if (char === "{" && !(this.#isInThinking || isBracketedText)) {
      if (previous === "[") this.#open("]");
      this.#messageCount += 1;
      this.flushText(true);
      this.#pendingText = "";
      this.#hasWords = false;
      return true;
    }
    const { onText } = this.#collector;
    if (onText !== undefined) this.#pendingText += char;
    if (char === this.#closing.charAt(0)) {
      this.#closing = this.#closing.slice(1);
    } else if (!/[\s[\],]/.test(char)) {
      this.#hasWords = true;
      this.#addStrayText(char, offset);
    } else if (this.#strayText !== "") {
      this.#addStrayText(char, offset);
    }
    return false;
  }

  /** Passes pending text to the listener, without the lines of a code fence. */
  flushText(isComplete: boolean): void {
    const { onText } = this.#collector;
    if (onText === undefined || !this.#hasWords) return;
    const fence = /(?:^|\n)[ \t]*`+[\w-]*[ \t]*$/;
    if (!isComplete && fence.test(this.#pendingText)) return;
    const text = this.#pendingText.replaceAll(/^[ \t]*```[\w-]*[ \t]*$\n?/gm, "");
    this.#pendingText = "";
    if (text !== "") this.#collector.receiveText(text);
  }

  #addStrayText(char: string, offset: number): void {
    if (this.#strayText === "" && this.#collector.onText === undefined) {
      const location = { kind: "text", start: 0, end: 1 } as const;
      this.#collector.add({ ok: true, diagnostics: [{ ...STRAY_TEXT, location }] }, offset);
    }
    if (this.#strayText.length < MAX_SHOWN_TEXT) this.#strayText += char;
  }

  /** Enters `{"messages": […]}`, which some structured outputs require. */
  enterMessageList(): void {
    this.#messageCount -= 1;
    this.#open("]}");
  }

  #open(closing: string): void {
    this.#closing = (closing + this.#closing).slice(0, MAX_OPEN_BRACKETS);
  }

  /** Ends the text at an offset. Reports a text without messages, or an unclosed list of them. */
  finish(offset: number, isCut: boolean): void {
    this.flushText(true);
    this.#collector.reportIgnored();
    if (this.#messageCount === 0 && !this.#collector.hasContent)
      this.#collector.add({ ok: false, diagnostics: [noMessageDiagnostic(this.#strayText)] }, 0);
    else if (this.#closing !== "" && !isCut)
      this.#collector.add(unclosedListResult(this.#closing), offset);
  }
}
