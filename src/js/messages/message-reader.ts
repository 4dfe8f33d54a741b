import { BLOCK_END } from "./block-tags.js";
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

/** Length of the parts in which a longer chunk is read, so that a message may end in each. */
export const MAX_CHUNK_LENGTH = 2 ** 24;

/** Finds the messages in a text by their brackets. */
export class MessageReader {
  readonly #collector: ResultCollector;
  readonly #eventFilter: EventStreamFilter;
  readonly #text = new TextBuffer();
  readonly #separators: SeparatorTracker;
  readonly #scanner = new JsonScanner(this.#text);
  /** Current or next message. */
  #message: PartialMessage;
  /** Offset up to which the text has been scanned. */
  #offset = 0;
  /** Indentation of the messages. Their content is indented further. */
  #indent = 0;

  constructor(collector: ResultCollector) {
    this.#collector = collector;
    this.#eventFilter = new EventStreamFilter({
      maxLength: collector.maxLength,
      receiveText: (text) => collector.receiveText(text),
      reportTooLarge: () => collector.reportTooLarge(this.#text.end),
    });
    this.#separators = new SeparatorTracker(collector);
    this.#message = new PartialMessage(collector, this.#text);
  }

  /** Length of the text so far. */
  get length(): number {
    return this.#text.end;
  }

  /** Reads a chunk and receives complete parts. */
  push(chunk: string): void {
    for (let at = 0; at === 0 || at < chunk.length; at += MAX_CHUNK_LENGTH)
      this.#pushPart(chunk.slice(at, at + MAX_CHUNK_LENGTH));
  }

  #pushPart(chunk: string): void {
    this.#add(this.#eventFilter.push(chunk));
    this.#scan(false);
    const to = Math.min(this.#offset, this.#text.end);
    this.#message.receiveUntil(to);
    if (this.#scanner.depth > 0) this.#message.limitLength(to);
    if (this.#scanner.inString && this.#scanner.depth > 0) this.#message.showPartialText(to);
    if (this.#scanner.depth === 0) this.#text.dropBefore(to);
    this.#separators.flushText(false);
  }

  /** Reads the last chunk and receives the rest. */
  end(rest: string): void {
    this.#add(this.#eventFilter.push(rest) + this.#eventFilter.end());
    this.#scan(true);
    const isCut = this.#scanner.depth > 0;
    if (isCut) this.#finishMessage(this.#text.end, false);
    this.#separators.finish(this.#text.end, isCut);
  }

  #add(chunk: string): void {
    this.#text.append(chunk, this.#scanner.bufferStart(this.#offset));
  }

  #scan(isLast: boolean): void {
    for (; this.#offset < this.#text.end; this.#offset += 1) {
      const char = this.#text.charAt(this.#offset);
      if (!this.#readChar(char, isLast)) return;
      this.#scanner.trackCharacter(char);
    }
  }

  /** Reads the next character. Returns false if more text is needed to decide. */
  #readChar(char: string, isLast: boolean): boolean {
    const scanner = this.#scanner;
    if (char === "\n" && scanner.depth > 0 && !this.#startLine(isLast)) return false;
    if (scanner.depth === 0) return this.#readBetween(char, isLast);
    if (scanner.inString) return this.#readInString(char, isLast);
    if (char === "<") return this.#readTag(isLast);
    if (char === "{" && this.#expectsKey()) return this.#startNested(isLast);
    if (char === "[" && scanner.depth === 1 && !(this.#message.isKnown || this.#message.isFrame))
      return this.#startList(isLast);
    this.#readStructure(char);
    return true;
  }

  /** Reads a character between messages. Returns false if more text is needed to decide. */
  #readBetween(char: string, isLast: boolean): boolean {
    const next = char === "{" ? this.#textFrom(this.#offset) : "";
    if (!isLast && UNDECIDED_START.test(next) && next.length < MAX_LOOKAHEAD) return false;
    if (this.#separators.beginsMessage(char, this.#offset, BRACKETED_TEXT.test(next))) {
      this.#indent = this.#scanner.indent ?? this.#indent;
      this.#text.dropBefore(this.#offset);
      this.#scanner.consumeCharacter(char, this.#offset);
    }
    return true;
  }

  /**
   * Reads a tag in a message; the end of a block ends an unfinished message. Returns false if more
   * text is needed to decide.
   */
  #readTag(isLast: boolean): boolean {
    const next = this.#text.slice(this.#offset, this.#offset + BLOCK_END.length);
    if (next !== BLOCK_END) return isLast || !BLOCK_END.startsWith(next);
    this.#finishMessage(this.#offset, false);
    return this.#readBetween("<", isLast);
  }

  /**
   * Reads the bracket of a list in an object that is not a message; enters it if it contains
   * messages. Returns false if more text is needed to decide.
   */
  #startList(isLast: boolean): boolean {
    const next = this.#textFrom(this.#offset + 1);
    const first = next.trimStart();
    const isWrapped = this.#scanner.key === "messages" || MESSAGE_START.test(first);
    const isOther = /^[^{]/.test(first) || OTHER_OBJECT_START.test(first);
    if (!(isWrapped || isOther || isLast || next.length >= MAX_LOOKAHEAD)) return false;
    this.#readStructure("[");
    if (isWrapped) this.#enterList();
    return true;
  }

  /** Reads a character in a string. Returns false if more text is needed to decide. */
  #readInString(char: string, isLast: boolean): boolean {
    if (char === "\\") this.#offset += 1;
    if (char !== '"') return true;
    // After a missing quote, strings and the text between them are swapped.
    const before = this.#offset - 1;
    if (this.#message.unfinishedList && this.#text.charAt(before) === "{") {
      const next = this.#textFrom(before);
      if (COMPONENT_START.test(next)) {
        this.#cutComponent(before);
        this.#offset = before - 1;
        return true;
      }
      if (!isLast && next.length < MAX_LOOKAHEAD && UNDECIDED_COMPONENT_START.test(next))
        return false;
    }
    this.#scanner.endString(this.#offset);
    return true;
  }

  /** Reads a character outside of the strings of a message. */
  #readStructure(char: string): void {
    const scanner = this.#scanner;
    if (!this.#message.observeCharacter(char, this.#offset, scanner)) return;
    scanner.consumeCharacter(char, this.#offset);
    const { depth, key } = scanner;
    if (char === ":" && depth === 1) this.#message.addKey(key);
    else if (depth === 3) this.#message.enterPart(char, this.#offset + 1, key);
    else if (depth === 0) this.#finishMessage(this.#offset + 1, true);
  }

  /** Returns whether a key is expected at the current offset. */
  #expectsKey(): boolean {
    const { lastToken, depth } = this.#scanner;
    if (lastToken === "," && depth <= this.#message.keyedLevels) return true;
    return this.#message.unfinishedList?.expectsKey(lastToken) ?? false;
  }

  /**
   * Reads a bracket in place of a key. It ends the message or component if it begins another one.
   * Returns false if more text is needed to decide.
   */
  #startNested(isLast: boolean): boolean {
    const next = this.#textFrom(this.#offset);
    const list = this.#message.unfinishedList;
    if (MESSAGE_START.test(next)) {
      this.#finishMessage(this.#offset, false);
      return this.#readBetween("{", isLast);
    }
    const isComponent = list !== undefined && COMPONENT_START.test(next);
    const other = list
      ? !UNDECIDED_COMPONENT_START.test(next) && OTHER_OBJECT_START.test(next)
      : OTHER_OBJECT_START.test(next);
    if (!(isComponent || other || isLast || next.length >= MAX_LOOKAHEAD)) return false;
    if (isComponent) this.#cutComponent(this.#offset);
    this.#readStructure("{");
    return true;
  }

  /** Returns the text that decides what begins at an offset. */
  #textFrom(offset: number): string {
    return this.#text.slice(offset, offset + MAX_LOOKAHEAD);
  }

  /** Ends an unfinished component before an offset. */
  #cutComponent(offset: number): void {
    this.#message.unfinishedList?.cutComponent(offset);
    this.#scanner.returnTo(3);
  }

  /**
   * Ends the message or component if another one begins on the next line. Returns false if more
   * text is needed to decide.
   */
  #startLine(isLast: boolean): boolean {
    const start = this.#offset + 1;
    const list = this.#message.unfinishedList;
    const maxIndent = Math.max(this.#indent, list?.indent ?? 0);
    const next = this.#text.slice(start, start + maxIndent + MAX_LOOKAHEAD);
    const line = next.replace(/^[ \t]*/, "");
    const lineIndent = next.length - line.length;
    if (lineIndent > maxIndent) return true;
    if (lineIndent <= this.#indent && MESSAGE_START.test(line)) {
      this.#finishMessage(this.#offset, false);
      return true;
    }
    const { inString, lastToken } = this.#scanner;
    const isUnfinished = inString || list?.expectsKey(lastToken);
    if (list && isUnfinished && lineIndent <= list.indent && COMPONENT_START.test(line)) {
      this.#cutComponent(this.#offset);
      return true;
    }
    return isLast || line.length >= MAX_LOOKAHEAD || /^[^{]/.test(line);
  }

  /** Enters an object that only contains a list of messages. */
  #enterList(): void {
    this.#separators.enterMessageList();
    this.#startMessage();
  }

  /** Receives the rest of the current message, which ends at an offset. */
  #finishMessage(end: number, isComplete: boolean): void {
    this.#message.finish(end, isComplete);
    this.#startMessage();
  }

  #startMessage(): void {
    this.#message = new PartialMessage(this.#collector, this.#text);
    this.#scanner.returnTo(0);
  }
}
