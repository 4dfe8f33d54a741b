import { type EventStreamToken, EventStreamTokenizer } from "../event-stream.js";

/** Beginnings of the lines of an event stream; a comment begins with a colon. */
const LINE_STARTS = ["data:", "event:", "id:", "retry:", ":"];
/** Data of the event that some servers send last. */
const DONE_DATA = "[DONE]";
/** Maximum length of a first line, and of `[DONE]` with spaces, that is withheld to decide. */
const MAX_UNDECIDED = 65_536;
/** Longer than any of the beginnings, so that the first line has one of them. */
const MAX_LINE_START = 6;
/** Type of the events with texts. */
const TEXT_TYPE = "text";

/** Receiver of the data of events with the type `text`. */
export interface TextListener {
  /** Maximum length of the data of one event. */
  readonly maxLength: number;
  receiveText(text: string): void;
  /** Called once for an event with longer data, which is dropped. */
  reportTooLarge(): void;
}

/**
 * Replaces everything but the data of server-sent events by spaces, and leaves any other text as
 * it is. The output has the length of the input, so that offsets stay valid. A newline is moved
 * after the field name of the next line, so that data is at the start of a line.
 */
export class EventStreamFilter {
  readonly #tokenizer = new EventStreamTokenizer();
  readonly #listener: TextListener | undefined;
  /** Start of the type of the current event, and the data of an event with the type `text`. */
  #type = "";
  #textLines: string[] = [];
  #textLength = 0;
  #isLineEmpty = true;
  /** Whether the text is an event stream; `undefined` until its beginning decides. */
  #isEventStream: boolean | undefined;
  /** Beginning of the text that does not decide yet. */
  #undecided = "";
  /** Newline before the current line, until the field name of the line is known. */
  #newline = "";
  /** Data of the current line while it may be `[DONE]`. */
  #heldData: string | undefined;

  constructor(listener?: TextListener) {
    this.#listener = listener;
  }

  push(chunk: string): string {
    if (this.#isEventStream === false) return chunk;
    if (this.#isEventStream) return this.#filterTokens(this.#tokenizer.push(chunk));
    const { length } = this.#undecided;
    const text = this.#undecided + chunk;
    // Inspecting the complete text would flatten it on each chunk.
    const start = length === 0 ? text.trimStart() : text;
    const spaces = text.slice(0, text.length - start.length);
    this.#isEventStream =
      length > MAX_LINE_START ? isFieldOrComment(chunk, length) : isEventStream(start);
    this.#undecided = this.#isEventStream === undefined ? start : "";
    if (this.#isEventStream) return spaces + this.#filterTokens(this.#tokenizer.push(start));
    return this.#isEventStream === false ? text : spaces;
  }

  /** Returns the rest of the output at the end of the text. */
  end(): string {
    if (!this.#isEventStream) return this.#undecided;
    const rest = this.#filterTokens(this.#tokenizer.end());
    this.#endEvent();
    return rest + this.#releaseData() + this.#takeNewline();
  }

  #filterTokens(tokens: readonly EventStreamToken[]): string {
    return tokens.map((token) => this.#filterToken(token)).join("");
  }

  #filterToken(token: EventStreamToken): string {
    const { kind, text } = token;
    if (kind === "newline") {
      if (!token.isContinuation) {
        if (this.#isLineEmpty) this.#endEvent();
        this.#isLineEmpty = true;
      }
      const earlier = token.isContinuation ? "" : this.#releaseData() + this.#takeNewline();
      this.#newline += text;
      return earlier;
    }
    this.#isLineEmpty = false;
    if (kind === "field" && token.field === "event") this.#type = "";
    if (kind === "value" && token.field === "event") this.#type = startOfType(this.#type + text);
    if (this.#type.trimEnd() === TEXT_TYPE && (kind === "field" || kind === "value")) {
      if (token.field === "data") return this.#filterText(kind, text);
    }
    // Some servers do not repeat the field name on each line of their data.
    if (kind === "unknown") return this.#takeNewline() + text;
    if (kind === "field" && token.field === "data") this.#heldData = "";
    if (kind === "value" && token.field === "data") return this.#filterData(text);
    return spacesFor(text) + this.#takeNewline();
  }

  #filterText(kind: "field" | "value", text: string): string {
    const before = this.#textLength;
    // A field counts its newline.
    this.#textLength += kind === "field" ? 1 : text.length;
    const maxLength = this.#listener?.maxLength ?? 0;
    if (this.#textLength > maxLength) {
      this.#textLines = [];
      if (before <= maxLength) this.#listener?.reportTooLarge();
    } else if (kind === "field") this.#textLines.push("");
    else this.#textLines.push((this.#textLines.pop() ?? "") + text);
    return spacesFor(text) + this.#takeNewline();
  }

  /** Passes the data of an event with the type `text` to the listener. */
  #endEvent(): void {
    this.#type = "";
    this.#textLength = 0;
    if (this.#textLines.length === 0) return;
    this.#listener?.receiveText(decodeEventText(this.#textLines.join("\n")));
    this.#textLines = [];
  }

  #filterData(text: string): string {
    const before = this.#heldData;
    if (before === undefined) return text;
    const data = before + text;
    this.#heldData = data;
    const isUndecided =
      before.length < DONE_DATA.length
        ? DONE_DATA.startsWith(data) || isDone(data)
        : text.trim() === "" && data.length <= MAX_UNDECIDED;
    return isUndecided ? "" : this.#releaseData();
  }

  /** Returns the held data, or spaces for `[DONE]`. */
  #releaseData(): string {
    const data = this.#heldData ?? "";
    this.#heldData = undefined;
    return isDone(data) ? spacesFor(data) : data;
  }

  #takeNewline(): string {
    const newline = this.#newline;
    this.#newline = "";
    return newline;
  }
}

/** Returns the text of an event, which may be a JSON string. */
function decodeEventText(data: string): string {
  if (!data.startsWith('"')) return data;
  try {
    return String(JSON.parse(data));
  } catch {
    return data;
  }
}

/** Returns whether a text with this beginning is an event stream; `undefined` if more is needed. */
function isEventStream(start: string): boolean | undefined {
  const lineStart = LINE_STARTS.find((one) => start.startsWith(one));
  if (lineStart === "data:") return true;
  if (lineStart === undefined) {
    return LINE_STARTS.some((one) => one.startsWith(start)) ? undefined : false;
  }
  return isFieldOrComment(start, 0);
}

/**
 * Returns whether a first line is a field or a comment; `undefined` if more is needed. Prose may
 * begin like one; a bracket on its first line identifies it. `from` is the offset of the chunk.
 */
function isFieldOrComment(chunk: string, from: number): boolean | undefined {
  const end = /[\r\n{]/.exec(chunk);
  const length = from + (end?.index ?? chunk.length);
  if (length > MAX_UNDECIDED) return false;
  return end === null ? undefined : end[0] !== "{";
}

/** Returns the characters of a type that decide whether it is the one of texts. */
function startOfType(type: string): string {
  const start = type.trimStart();
  return start.trimEnd().length > TEXT_TYPE.length ? "other" : start.slice(0, TEXT_TYPE.length + 1);
}

function isDone(data: string): boolean {
  return data.length <= MAX_UNDECIDED && data.trimEnd() === DONE_DATA;
}

/** Returns a complete text with everything but the data of server-sent events replaced by spaces. */
export function filterEventStream(text: string): string {
  const filter = new EventStreamFilter();
  return filter.push(text) + filter.end();
}

function spacesFor(text: string): string {
  return " ".repeat(text.length);
}
