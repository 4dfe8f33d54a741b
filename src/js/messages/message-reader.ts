import { EventStreamFilter } from "./event-filter.js";
import { JsonScanner } from "./json-scanner.js";
import {
  BRACKETED_TEXT,
  COMPONENT_START,
  MAX_LOOKAHEAD,
  MESSAGE_START,
  OTHER_OBJECT_START,
  UNDECIDED_COMPONENT_START,
  UNDECIDED_START,
} from "./message-patterns.js";
import { PartialMessage } from "./partial-message.js";
import type { ResultCollector } from "./result-collector.js";
import { SeparatorTracker } from "./separators.js";
import { TextBuffer } from "./text-buffer.js";

/** Finds the messages of a text by their brackets. */
export class MessageReader {
  readonly #collector: ResultCollector;
  readonly #eventFilter = new EventStreamFilter();
  readonly #text = new TextBuffer();
  readonly #separators: SeparatorTracker;
  readonly #scanner = new JsonScanner(this.#text);
  /** The message at hand, or the one that comes next. */
  #message: PartialMessage;
  /** How far the text was looked at. */
  #offset = 0;
  /** How far the messages are set in. What is inside of them is set in further. */
  #indent = 0;

  constructor(collector: ResultCollector) {
    this.#collector = collector;
    this.#separators = new SeparatorTracker(collector);
    this.#message = new PartialMessage(collector, this.#text);
  }

  /** How long the text is so far. */
  get length(): number {
    return this.#text.end;
  }

  /** Takes the next piece, and hands on what is complete. */
  push(chunk: string): void {
    this.#add(this.#eventFilter.push(chunk));
    this.#scan(false);
    const to = Math.min(this.#offset, this.#text.end);
    this.#message.receiveUntil(to);
    if (this.#scanner.depth === 0) this.#text.dropBefore(to);
  }

  /** Takes the last piece, and hands on what is left. */
  end(rest: string): void {
    this.#add(this.#eventFilter.push(rest) + this.#eventFilter.end());
    this.#scan(true);
    const isCut = this.#scanner.depth > 0;
    if (isCut) this.#finish(this.#text.end, false);
    this.#separators.finish(this.#text.end, isCut);
  }

  #add(chunk: string): void {
    this.#text.append(chunk, this.#scanner.bufferStart(this.#offset));
  }

  #scan(isLast: boolean): void {
    for (; this.#offset < this.#text.end; this.#offset += 1) {
      const char = this.#text.charAt(this.#offset);
      if (!this.#readChar(char, isLast)) return;
      this.#scanner.advance(char);
    }
  }

  /** Takes what stands next. False where more has to come to tell what it is. */
  #readChar(char: string, isLast: boolean): boolean {
    const scanner = this.#scanner;
    if (char === "\n" && scanner.depth > 0 && !this.#startLine(isLast)) return false;
    if (scanner.depth === 0) return this.#readBetween(char, isLast);
    if (scanner.inString) return this.#readInString(char, isLast);
    if (char === "{" && this.#expectsKey()) return this.#startNested(isLast);
    if (char === "[" && scanner.depth === 1 && !this.#message.isKnown)
      return this.#startList(isLast);
    this.#readStructure(char);
    return true;
  }

  /** Takes what stands between messages. False where more has to come to tell what it is. */
  #readBetween(char: string, isLast: boolean): boolean {
    const next = char === "{" ? this.#lookahead(this.#offset) : "";
    if (!isLast && UNDECIDED_START.test(next) && next.length < MAX_LOOKAHEAD) return false;
    if (this.#separators.advance(char, this.#offset, BRACKETED_TEXT.test(next))) {
      this.#indent = this.#scanner.indent ?? this.#indent;
      this.#text.dropBefore(this.#offset);
      this.#scanner.consume(char, this.#offset);
    }
    return true;
  }

  /** Takes the bracket of a list in an object that is no message; goes into it where it holds messages. False where more has to come to tell. */
  #startList(isLast: boolean): boolean {
    const next = this.#lookahead(this.#offset + 1);
    const first = next.trimStart();
    const isWrapped = this.#scanner.key === "messages" || MESSAGE_START.test(first);
    const isOther = /^[^{]/.test(first) || OTHER_OBJECT_START.test(first);
    if (!(isWrapped || isOther || isLast || next.length >= MAX_LOOKAHEAD)) return false;
    this.#readStructure("[");
    if (isWrapped) this.#enter();
    return true;
  }

  /** Takes what stands in a text. False where more has to come to tell whether the text goes on. */
  #readInString(char: string, isLast: boolean): boolean {
    if (char === "\\") this.#offset += 1;
    if (char !== '"') return true;
    // Behind a quote that was forgotten, texts and what is around them have changed places.
    const before = this.#offset - 1;
    if (this.#message.unfinishedList && this.#text.charAt(before) === "{") {
      const next = this.#lookahead(before);
      if (COMPONENT_START.test(next)) {
        this.#cut(before);
        this.#offset = before - 1;
        return true;
      }
      if (!isLast && next.length < MAX_LOOKAHEAD && UNDECIDED_COMPONENT_START.test(next))
        return false;
    }
    this.#scanner.endString(this.#offset);
    return true;
  }

  /** Takes what stands around the texts of a message. */
  #readStructure(char: string): void {
    const scanner = this.#scanner;
    if (!this.#message.observe(char, this.#offset, scanner)) return;
    scanner.consume(char, this.#offset);
    const { depth, key } = scanner;
    if (char === ":" && depth === 1) this.#message.addKey(key);
    else if (depth === 3) this.#message.enterPart(char, this.#offset + 1, key);
    else if (depth === 0) this.#finish(this.#offset + 1, true);
  }

  /** Whether a key is due where the text is now. */
  #expectsKey(): boolean {
    const { lastToken, depth } = this.#scanner;
    if (lastToken === "," && depth <= this.#message.keyedLevels) return true;
    return this.#message.unfinishedList?.expectsKey(lastToken) ?? false;
  }

  /** Takes a bracket in place of a key, which ends the message, or the component, where it begins another one. False where more has to come to tell. */
  #startNested(isLast: boolean): boolean {
    const next = this.#lookahead(this.#offset);
    const list = this.#message.unfinishedList;
    if (MESSAGE_START.test(next)) {
      this.#finish(this.#offset, false);
      return this.#readBetween("{", isLast);
    }
    const isComponent = list !== undefined && COMPONENT_START.test(next);
    const other = list
      ? !UNDECIDED_COMPONENT_START.test(next) && OTHER_OBJECT_START.test(next)
      : OTHER_OBJECT_START.test(next);
    if (!(isComponent || other || isLast || next.length >= MAX_LOOKAHEAD)) return false;
    if (isComponent) this.#cut(this.#offset);
    this.#readStructure("{");
    return true;
  }

  /** As much as tells what begins at a place. */
  #lookahead(offset: number): string {
    return this.#text.slice(offset, offset + MAX_LOOKAHEAD);
  }

  /** Ends the component that was never finished, in front of a place. */
  #cut(offset: number): void {
    this.#message.unfinishedList?.cutComponent(offset);
    this.#scanner.returnTo(3);
  }

  /** Ends the message, or the component, that another one follows on the next line. False where more has to come to tell. */
  #startLine(isLast: boolean): boolean {
    const start = this.#offset + 1;
    const list = this.#message.unfinishedList;
    const maxIndent = Math.max(this.#indent, list?.indent ?? 0);
    const next = this.#text.slice(start, start + maxIndent + MAX_LOOKAHEAD);
    const line = next.replace(/^[ \t]*/, "");
    const lineIndent = next.length - line.length;
    if (lineIndent > maxIndent) return true;
    if (lineIndent <= this.#indent && MESSAGE_START.test(line)) {
      this.#finish(this.#offset, false);
      return true;
    }
    const { inString, lastToken } = this.#scanner;
    const isUnfinished = inString || list?.expectsKey(lastToken);
    if (list && isUnfinished && lineIndent <= list.indent && COMPONENT_START.test(line)) {
      this.#cut(this.#offset);
      return true;
    }
    return isLast || line.length >= MAX_LOOKAHEAD || /^[^{]/.test(line);
  }

  /** Goes into an object that only holds a list of messages. */
  #enter(): void {
    this.#separators.enterMessageList();
    this.#begin();
  }

  /** Takes what is left of the message at hand, which ends at a place. */
  #finish(end: number, isComplete: boolean): void {
    this.#message.finish(end, isComplete);
    this.#begin();
  }

  #begin(): void {
    this.#message = new PartialMessage(this.#collector, this.#text);
    this.#scanner.returnTo(0);
  }
}
