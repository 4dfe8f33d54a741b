/** One server-sent event. */
export interface SseEvent {
  /** Empty where the server names none. */
  event: string;
  data: string;
}

/** Server-sent events (HTML, section 9.2.6) out of text that is cut anywhere. */
export class SseParser {
  /** The line that has not ended yet. */
  #line = "";
  /** The last piece ended in a carriage return, so a line feed that follows belongs to it. */
  #afterReturn = false;
  #event = "";
  #data: string[] = [];

  /** The events that are whole now. */
  push(piece: string): SseEvent[] {
    let text = piece;
    if (this.#afterReturn && text !== "") {
      this.#afterReturn = false;
      if (text.startsWith("\n")) text = text.slice(1);
    }
    this.#afterReturn ||= text.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    const last = lines.pop() ?? "";
    const events: SseEvent[] = [];
    for (const line of lines) {
      const event = this.#take(this.#line + line);
      this.#line = "";
      if (event !== undefined) events.push(event);
    }
    this.#line += last;
    return events;
  }

  /** What is left when the text ends: an event whose empty line did not come. */
  end(): SseEvent | undefined {
    if (this.#line !== "") this.#take(this.#line);
    this.#line = "";
    return this.#take("");
  }

  /** Takes a line; an empty one ends an event. */
  #take(line: string): SseEvent | undefined {
    if (line === "") {
      const event = { event: this.#event, data: this.#data.join("\n") };
      const some = this.#data.length > 0;
      this.#event = "";
      this.#data = [];
      return some ? event : undefined;
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") this.#data.push(value);
    if (name === "event") this.#event = value;
    return undefined;
  }
}
