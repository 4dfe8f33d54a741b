import { type EventStreamToken, EventStreamTokenizer } from "../event-stream.js";

/** Beginnings of the lines of an event stream; a comment begins with a colon. */
const LINE_STARTS = ["data:", "event:", "id:", "retry:", ":"];
/** Data of the event that some servers send last. */
const DONE_DATA = "[DONE]";

/**
 * Replaces everything but the data of server-sent events by spaces, and leaves any other text as
 * it is. The output has the length of the input, so that offsets stay valid. A newline is moved
 * after the field name of the next line, so that data is at the start of a line.
 */
export class EventStreamFilter {
  readonly #tokenizer = new EventStreamTokenizer();
  readonly #onText: (text: string) => void;
  /** Type of the current event, and the data of an event with the type `text`. */
  #type = "";
  #textLines: string[] = [];
  #isLineEmpty = true;
  /** Whether the text is an event stream; `undefined` until its beginning decides. */
  #isEventStream: boolean | undefined;
  /** Beginning of the text that does not decide yet. */
  #undecided = "";
  /** Newline before the current line, until the field name of the line is known. */
  #newline = "";
  /** Data of the current line while it may be `[DONE]`. */
  #heldData: string | undefined;

  /** `onText` is called with the data of events with the type `text`. */
  constructor(onText: (text: string) => void = () => {}) {
    this.#onText = onText;
  }

  push(chunk: string): string {
    if (this.#isEventStream === false) return chunk;
    if (this.#isEventStream) return this.#filterTokens(this.#tokenizer.push(chunk));
    const text = this.#undecided + chunk;
    const start = text.trimStart();
    const spaces = text.slice(0, text.length - start.length);
    this.#isEventStream = isEventStream(start);
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
    if (kind === "value" && token.field === "event") this.#type += text;
    if (this.#type.trim() === "text" && (kind === "field" || kind === "value")) {
      if (token.field === "data") return this.#filterText(kind, text);
    }
    // Some servers do not repeat the field name on each line of their data.
    if (kind === "unknown") return this.#takeNewline() + text;
    if (kind === "field" && token.field === "data") this.#heldData = "";
    if (kind === "value" && token.field === "data") return this.#filterData(text);
    return spacesFor(text) + this.#takeNewline();
  }

  #filterText(kind: "field" | "value", text: string): string {
    if (kind === "field") this.#textLines.push("");
    else this.#textLines.push((this.#textLines.pop() ?? "") + text);
    return spacesFor(text) + this.#takeNewline();
  }

  /** Passes the data of an event with the type `text` to the listener. */
  #endEvent(): void {
    this.#type = "";
    if (this.#textLines.length === 0) return;
    this.#onText(decodeEventText(this.#textLines.join("\n")));
    this.#textLines = [];
  }

  #filterData(text: string): string {
    if (this.#heldData === undefined) return text;
    this.#heldData += text;
    const isUndecided =
      DONE_DATA.startsWith(this.#heldData) || this.#heldData.trimEnd() === DONE_DATA;
    return isUndecided ? "" : this.#releaseData();
  }

  /** Returns the held data, or spaces for `[DONE]`. */
  #releaseData(): string {
    const data = this.#heldData ?? "";
    this.#heldData = undefined;
    return data.trimEnd() === DONE_DATA ? spacesFor(data) : data;
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
  // Prose may begin like another field or a comment; a bracket on its first line identifies it.
  const end = /[\r\n{]/.exec(start)?.[0];
  return end === undefined ? undefined : end !== "{";
}

/** Returns a complete text with everything but the data of server-sent events replaced by spaces. */
export function filterEventStream(text: string): string {
  const filter = new EventStreamFilter();
  return filter.push(text) + filter.end();
}

function spacesFor(text: string): string {
  return " ".repeat(text.length);
}
