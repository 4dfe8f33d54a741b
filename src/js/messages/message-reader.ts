import { EventMarks } from "./event-filter.js";
import { Structure } from "./json-scanner.js";
import {
  BEGUN,
  BEGUN_COMPONENT,
  COMPONENT,
  LONGEST_OPENING,
  OPENING,
  OTHER_KEY,
  WORDS,
} from "./message-patterns.js";
import { ComingMessage } from "./partial-message.js";
import type { Recipient } from "./result-collector.js";
import { Between } from "./separators.js";
import { Pending } from "./text-buffer.js";

/** Finds the messages of a text by their brackets. */
export class MessageReader {
  readonly #recipient: Recipient;
  readonly #marks = new EventMarks();
  readonly #text = new Pending();
  readonly #between: Between;
  readonly #structure = new Structure(this.#text);
  /** The message at hand, or the one that comes next. */
  #message: ComingMessage;
  /** How far the text was looked at. */
  #at = 0;
  /** How far the messages are set in. What is inside of them is set in further. */
  #margin = 0;

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
    this.#between = new Between(recipient);
    this.#message = new ComingMessage(recipient, this.#text);
  }

  /** How long the text is so far. */
  get length(): number {
    return this.#text.end;
  }

  /** Takes the next piece, and hands on what is complete. */
  read(piece: string): void {
    this.#add(this.#marks.read(piece));
    this.#scan(false);
    const to = Math.min(this.#at, this.#text.end);
    this.#message.take(to);
    if (this.#structure.depth === 0) this.#text.drop(to);
  }

  /** Takes the last piece, and hands on what is left. */
  end(rest: string): void {
    this.#add(this.#marks.read(rest) + this.#marks.end());
    this.#scan(true);
    const isCut = this.#structure.depth > 0;
    if (isCut) this.#finish(this.#text.end, false);
    this.#between.end(this.#text.end, isCut);
  }

  #add(piece: string): void {
    this.#text.add(piece, this.#structure.keptFrom(this.#at));
  }

  #scan(last: boolean): void {
    for (; this.#at < this.#text.end; this.#at += 1) {
      const mark = this.#text.charAt(this.#at);
      if (!this.#look(mark, last)) return;
      this.#structure.pass(mark);
    }
  }

  /** Takes what stands next. False where more has to come to tell what it is. */
  #look(mark: string, last: boolean): boolean {
    const structure = this.#structure;
    if (mark === "\n" && structure.depth > 0 && !this.#startLine(last)) return false;
    if (structure.depth === 0) return this.#lookBetween(mark, last);
    if (structure.inString) return this.#lookInString(mark, last);
    if (mark === "{" && this.#wantsKey()) return this.#startWithin(last);
    if (mark === "[" && structure.depth === 1 && !this.#message.isKnown)
      return this.#startList(last);
    this.#lookAround(mark);
    return true;
  }

  /** Takes what stands between messages. False where more has to come to tell what it is. */
  #lookBetween(mark: string, last: boolean): boolean {
    const next = mark === "{" ? this.#opening(this.#at) : "";
    if (!last && BEGUN.test(next) && next.length < LONGEST_OPENING) return false;
    if (this.#between.pass(mark, this.#at, WORDS.test(next))) {
      this.#margin = this.#structure.blanks ?? this.#margin;
      this.#text.drop(this.#at);
      this.#structure.take(mark, this.#at);
    }
    return true;
  }

  /** Takes the bracket of a list in an object that is no message; goes into it where it holds messages. False where more has to come to tell. */
  #startList(last: boolean): boolean {
    const next = this.#opening(this.#at + 1);
    const first = next.trimStart();
    const isWrapped = this.#structure.key === "messages" || OPENING.test(first);
    const isOther = /^[^{]/.test(first) || OTHER_KEY.test(first);
    if (!(isWrapped || isOther || last || next.length >= LONGEST_OPENING)) return false;
    this.#lookAround("[");
    if (isWrapped) this.#enter();
    return true;
  }

  /** Takes what stands in a text. False where more has to come to tell whether the text goes on. */
  #lookInString(mark: string, last: boolean): boolean {
    if (mark === "\\") this.#at += 1;
    if (mark !== '"') return true;
    // Behind a quote that was forgotten, texts and what is around them have changed places.
    const before = this.#at - 1;
    if (this.#message.unfinished && this.#text.charAt(before) === "{") {
      const next = this.#opening(before);
      if (COMPONENT.test(next)) {
        this.#cut(before);
        this.#at = before - 1;
        return true;
      }
      if (!last && next.length < LONGEST_OPENING && BEGUN_COMPONENT.test(next)) return false;
    }
    this.#structure.endString(this.#at);
    return true;
  }

  /** Takes what stands around the texts of a message. */
  #lookAround(mark: string): void {
    const structure = this.#structure;
    if (!this.#message.see(mark, this.#at, structure)) return;
    structure.take(mark, this.#at);
    const { depth, key } = structure;
    if (mark === ":" && depth === 1) this.#message.name(key);
    else if (depth === 3) this.#message.open(mark, this.#at + 1, key);
    else if (depth === 0) this.#finish(this.#at + 1, true);
  }

  /** Whether a key is due where the text is now. */
  #wantsKey(): boolean {
    const { last, depth } = this.#structure;
    if (last === "," && depth <= this.#message.keyedLevels) return true;
    return this.#message.unfinished?.expectsKey(last) ?? false;
  }

  /** Takes a bracket in place of a key, which ends the message, or the component, where it begins another one. False where more has to come to tell. */
  #startWithin(last: boolean): boolean {
    const next = this.#opening(this.#at);
    const list = this.#message.unfinished;
    if (OPENING.test(next)) {
      this.#finish(this.#at, false);
      return this.#lookBetween("{", last);
    }
    const isComponent = list !== undefined && COMPONENT.test(next);
    const other = list ? !BEGUN_COMPONENT.test(next) && OTHER_KEY.test(next) : OTHER_KEY.test(next);
    if (!(isComponent || other || last || next.length >= LONGEST_OPENING)) return false;
    if (isComponent) this.#cut(this.#at);
    this.#lookAround("{");
    return true;
  }

  /** As much as tells what begins at a place. */
  #opening(place: number): string {
    return this.#text.slice(place, place + LONGEST_OPENING);
  }

  /** Ends the component that was never finished, in front of a place. */
  #cut(place: number): void {
    this.#message.unfinished?.cut(place);
    this.#structure.leave(3);
  }

  /** Ends the message, or the component, that another one follows on the next line. False where more has to come to tell. */
  #startLine(last: boolean): boolean {
    const start = this.#at + 1;
    const list = this.#message.unfinished;
    const margin = Math.max(this.#margin, list?.margin ?? 0);
    const next = this.#text.slice(start, start + margin + LONGEST_OPENING);
    const line = next.replace(/^[ \t]*/, "");
    const blanks = next.length - line.length;
    if (blanks > margin) return true;
    if (blanks <= this.#margin && OPENING.test(line)) {
      this.#finish(this.#at, false);
      return true;
    }
    const { inString, last: before } = this.#structure;
    const isUnfinished = inString || list?.expectsKey(before);
    if (list && isUnfinished && blanks <= list.margin && COMPONENT.test(line)) {
      this.#cut(this.#at);
      return true;
    }
    return last || line.length >= LONGEST_OPENING || /^[^{]/.test(line);
  }

  /** Goes into an object that only holds a list of messages. */
  #enter(): void {
    this.#between.enter();
    this.#begin();
  }

  /** Takes what is left of the message at hand, which ends at a place. */
  #finish(end: number, whole: boolean): void {
    this.#message.finish(end, whole);
    this.#begin();
  }

  #begin(): void {
    this.#message = new ComingMessage(this.#recipient, this.#text);
    this.#structure.leave(0);
  }
}
