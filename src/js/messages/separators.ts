import { BLOCK_TAGS } from "./block-tags.js";
import {
  MAX_SHOWN_TEXT,
  noMessageDiagnostic,
  STRAY_TEXT,
  unclosedListResult,
} from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";

/** Maximum number of open brackets around messages. */
const MAX_OPEN_BRACKETS = 64;

/** Bracket at the end of a text, which may begin a list of messages. */
const LIST_START = /\[\s*$/;

/** Line of a code fence, or the beginning of one. */
const FENCE = /^[ \t]*`+[\w-]*[ \t]*$/;

/** Maximum length of a text that is withheld because it may begin a list or be a code fence. */
const MAX_WITHHELD = 200;

/** Maximum length of a text without words that is kept for the listener, until words follow. */
const MAX_BLANK = 65_536;

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
  /** Beginning of a tag of a block, which is not text. */
  #tag = "";
  /** Text for the listener that it has not received, and whether it contains words. */
  #pendingText = "";
  #hasWords = false;
  /** Whether the line that the pending text continues is blank so far. */
  #isLineBlank = true;

  constructor(collector: ResultCollector) {
    this.#collector = collector;
  }

  /**
   * Reads a character at an offset. Returns whether it begins a message; a bracket in prose does
   * not.
   */
  beginsMessage(char: string, offset: number, isBracketedText: boolean): boolean {
    this.#recentText = (this.#recentText + char).slice(-"</think>".length);
    if (this.#recentText.endsWith("<think>")) this.#isInThinking = true;
    else if (this.#recentText === "</think>") this.#isInThinking = false;
    if (this.#readTag(char, offset)) return false;
    const previous = this.#lastNonBlank;
    if (char.trim() !== "") this.#lastNonBlank = char;
    if (char === "{" && !(this.#isInThinking || isBracketedText)) {
      if (previous === "[") {
        this.#openBracket("]");
        this.#pendingText = this.#pendingText.replace(LIST_START, "");
      }
      this.#messageCount += 1;
      this.#endText();
      return true;
    }
    this.#addText(char, offset);
    return false;
  }

  /** Reads a character of a tag. Returns false if the character is not one of a tag. */
  #readTag(char: string, offset: number): boolean {
    if (this.#tag === "" && char !== "<") return false;
    const tag = this.#tag + char;
    this.#tag = "";
    if (BLOCK_TAGS.includes(tag)) {
      this.#endText();
      return true;
    }
    if (BLOCK_TAGS.some((one) => one.startsWith(tag))) {
      this.#tag = tag;
      return true;
    }
    // Another text begins like a tag; its last character may begin one.
    const length = tag.length - 1;
    for (const [index, one] of [...tag.slice(0, length)].entries())
      this.#addText(one, offset - length + index);
    return length > 0 && this.#readTag(char, offset);
  }

  /** Passes the text before a message or a tag to the listener. */
  #endText(): void {
    this.flushText(true);
    this.#pendingText = "";
    this.#hasWords = false;
    this.#isLineBlank = true;
  }

  /** Adds a character outside of messages to the text around them. */
  #addText(char: string, offset: number): void {
    if (char === this.#closing.charAt(0)) {
      this.#closing = this.#closing.slice(1);
      return;
    }
    const { onText } = this.#collector;
    if (onText !== undefined) this.#pendingText += char;
    if (!this.#hasWords && this.#pendingText.length > 2 * MAX_BLANK)
      this.#pendingText = this.#pendingText.slice(-MAX_BLANK);
    if (!/[\s[\],]/.test(char)) {
      this.#hasWords = true;
      this.#addStrayText(char, offset);
    } else if (this.#strayText !== "") {
      this.#addStrayText(char, offset);
    }
  }

  /** Passes pending text to the listener, without the lines of a code fence. */
  flushText(isComplete: boolean): void {
    const { onText } = this.#collector;
    if (onText === undefined || !this.#hasWords) return;
    const length = this.#pendingText.length - (isComplete ? 0 : this.#withheldLength());
    const before = this.#pendingText.slice(0, length);
    this.#pendingText = this.#pendingText.slice(length);
    // A fence is a line of its own.
    const start = this.#isLineBlank ? 0 : before.indexOf("\n") + 1 || before.length;
    const lines = before
      .slice(start)
      .replaceAll(/^([ \t]*```[\w-]*[ \t]*)$\n?/gm, (found: string, line: string) =>
        line.length > MAX_WITHHELD ? found : "",
      );
    const text = before.slice(0, start) + lines;
    const line = before.lastIndexOf("\n") + 1;
    this.#isLineBlank = (line > 0 || this.#isLineBlank) && before.slice(line).trim() === "";
    if (text !== "") this.#collector.receiveText(text);
  }

  /** Returns the length of the end of the pending text that may begin a list or be a fence. */
  #withheldLength(): number {
    const line = this.#pendingText.lastIndexOf("\n") + 1;
    const rest = this.#pendingText.slice(Math.max(line, this.#pendingText.length - MAX_WITHHELD));
    const isWholeLine = rest.length + line === this.#pendingText.length;
    if (isWholeLine && (line > 0 || this.#isLineBlank) && FENCE.test(rest)) return rest.length;
    return LIST_START.exec(this.#pendingText.slice(-MAX_WITHHELD))?.[0].length ?? 0;
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
    this.#openBracket("]}");
  }

  #openBracket(closing: string): void {
    this.#closing = (closing + this.#closing).slice(0, MAX_OPEN_BRACKETS);
  }

  /** Ends the text at an offset. Reports a text without messages, or an unclosed list of them. */
  finish(offset: number, isCut: boolean): void {
    for (const [index, char] of [...this.#tag].entries())
      this.#addText(char, offset - this.#tag.length + index);
    this.#tag = "";
    this.flushText(true);
    this.#collector.reportIgnored();
    if (this.#messageCount === 0 && !this.#collector.hasContent)
      this.#collector.add({ ok: false, diagnostics: [noMessageDiagnostic(this.#strayText)] }, 0);
    else if (this.#closing !== "" && !isCut)
      this.#collector.add(unclosedListResult(this.#closing), offset);
  }
}
