/** Fields of a server-sent event; the standard ignores all others. */
export type EventField = "data" | "event" | "id" | "retry";

/**
 * Token of an event stream. The texts of all tokens are the input, in order and without gaps.
 * `field` is a field name with its colon and the space after it, `value` a part of its value.
 * `unknown` is a part of a line with another field name; the standard ignores it, as it does
 * comments and the byte order mark. A `newline` is a continuation if it is the LF of a CRLF that
 * was cut between two chunks.
 */
export type EventStreamToken =
  | { kind: "field" | "value"; field: EventField; text: string }
  | { kind: "comment" | "unknown"; text: string }
  | { kind: "newline"; text: string; isContinuation: boolean };

const FIELD_NAMES: readonly string[] = ["data", "event", "id", "retry"] satisfies EventField[];
const FIELD = /^(data|event|id|retry)(?:: ?|$)/;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Splits an event stream into tokens, by the grammar of the HTML standard, section 9.2.5. Chunks
 * may end anywhere.
 */
export class EventStreamTokenizer {
  /** Start of a line that may become a field name. */
  #undecided = "";
  /** Kind of the current line, once it is known. */
  #line: EventField | "comment" | "unknown" | undefined;
  #isStart = true;
  /** Whether the last chunk ended with CR, so that an LF belongs to it. */
  #isAfterReturn = false;

  push(chunk: string): EventStreamToken[] {
    const tokens: EventStreamToken[] = [];
    if (chunk === "") return tokens;
    let text = chunk;
    if (this.#isStart && text.startsWith(BYTE_ORDER_MARK)) {
      tokens.push({ kind: "comment", text: BYTE_ORDER_MARK });
      text = text.slice(1);
    }
    this.#isStart = false;
    if (this.#isAfterReturn && text.startsWith("\n")) {
      tokens.push({ kind: "newline", text: "\n", isContinuation: true });
      text = text.slice(1);
    }
    this.#isAfterReturn = chunk.endsWith("\r");
    let start = 0;
    for (const { 0: newline, index } of text.matchAll(/\r\n|\r|\n/g)) {
      this.#readLine(text.slice(start, index), true, tokens);
      tokens.push({ kind: "newline", text: newline, isContinuation: false });
      this.#line = undefined;
      start = index + newline.length;
    }
    this.#readLine(text.slice(start), false, tokens);
    return tokens;
  }

  /** Returns the tokens of a last line without a newline. */
  end(): EventStreamToken[] {
    const tokens: EventStreamToken[] = [];
    this.#readLine("", true, tokens);
    return tokens;
  }

  /** Reads a part of a line; `isComplete` says that the line ends after it. */
  #readLine(part: string, isComplete: boolean, tokens: EventStreamToken[]): void {
    let text = part;
    if (this.#line === undefined) {
      text = this.#undecided + part;
      this.#undecided = "";
      if (text === "") return;
      // A space after the colon belongs to the field name.
      if (!isComplete && FIELD_NAMES.some((name) => `${name}:`.startsWith(text))) {
        this.#undecided = text;
        return;
      }
      const [name, field] = FIELD.exec(text) ?? [];
      this.#line = text.startsWith(":") ? "comment" : ((field as EventField) ?? "unknown");
      if (name !== undefined) {
        tokens.push({ kind: "field", field: field as EventField, text: name });
        text = text.slice(name.length);
      }
    }
    if (text === "") return;
    const line = this.#line;
    if (line === "comment" || line === "unknown") tokens.push({ kind: line, text });
    else tokens.push({ kind: "value", field: line, text });
  }
}

/** Server-sent event. */
export interface ServerSentEvent {
  /** `message` if the server sends no type. */
  type: string;
  data: string;
}

/** Parses server-sent events, as the HTML standard interprets an event stream (section 9.2.6). */
export class EventStreamParser {
  readonly #tokenizer = new EventStreamTokenizer();
  #type = "";
  /** Lines of the data of the current event. */
  #data: string[] = [];
  #isLineEmpty = true;

  /** Returns the events that a chunk completes. */
  push(chunk: string): ServerSentEvent[] {
    return this.#read(this.#tokenizer.push(chunk));
  }

  /** Returns the event that the end of the stream has cut off. The standard discards it. */
  end(): ServerSentEvent | undefined {
    this.#read(this.#tokenizer.end());
    return this.#takeEvent();
  }

  #read(tokens: readonly EventStreamToken[]): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const token of tokens) {
      if (token.kind !== "newline") {
        this.#isLineEmpty &&= token.text === BYTE_ORDER_MARK;
        this.#readField(token);
      } else if (!token.isContinuation) {
        const event = this.#isLineEmpty ? this.#takeEvent() : undefined;
        if (event !== undefined) events.push(event);
        this.#isLineEmpty = true;
      }
    }
    return events;
  }

  #readField(token: EventStreamToken): void {
    if (token.kind !== "field" && token.kind !== "value") return;
    const { kind, field, text } = token;
    if (field === "data") {
      if (kind === "field") this.#data.push("");
      else this.#data[this.#data.length - 1] += text;
    } else if (field === "event") {
      this.#type = kind === "field" ? "" : this.#type + text;
    }
  }

  /** Returns the current event, or nothing if it has no data, and begins the next one. */
  #takeEvent(): ServerSentEvent | undefined {
    const event = { type: this.#type || "message", data: this.#data.join("\n") };
    const hasData = this.#data.length > 0;
    this.#type = "";
    this.#data = [];
    return hasData ? event : undefined;
  }
}
