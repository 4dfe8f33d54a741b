/** How a line of server-sent events begins; a comment begins with the colon. */
const FIELDS = ["data:", "event:", "id:", "retry:", ":"];
/** The data that some servers end their events with. */
const DONE = "[DONE]";

/**
 * Blanks out what server-sent events (HTML, section 9.2.6) put around their data, so that the data are left. What comes out
 * is as long as what went in: a place in it is the place in the text. Any other text stays as it is.
 */
export class EventMarks {
  /** Whether the text is one of events; unknown until it has begun. */
  #events: boolean | undefined;
  /** What has come and cannot be told yet. */
  #held = "";
  /** What the rest of the line is. */
  #line: "unknown" | "data" | "kept" | "blanked" = "unknown";
  /** The end of the line before. It is put behind the mark that follows, so that data stand at the beginning of a line. */
  #lineEnd = "";

  read(piece: string): string {
    if (this.#events === false) return piece;
    let text = this.#held + piece;
    let made = "";
    this.#held = "";
    if (this.#events === undefined) {
      const begun = text.trimStart();
      made = text.slice(0, text.length - begun.length);
      text = begun;
      this.#events = isOfEvents(begun);
      if (this.#events === undefined) {
        this.#held = begun;
        return made;
      }
      if (!this.#events) return made + begun;
    }
    let from = 0;
    for (const { index } of text.matchAll(/[\r\n]/g)) {
      made += this.#take(text.slice(from, index), true);
      this.#lineEnd = text.charAt(index);
      this.#line = "unknown";
      from = index + 1;
    }
    return made + this.#take(text.slice(from), false);
  }

  /** What is left when the text ends. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return this.#events ? this.#take(held, true) : held;
  }

  /** Takes a part of a line, or the last one. */
  #take(part: string, last: boolean): string {
    switch (this.#line) {
      case "kept":
        return part;
      case "blanked":
        return blanks(part);
      case "data":
        if (!last && DONE.startsWith(part)) return this.#hold(part);
        this.#line = "kept";
        return part.trimEnd() === DONE ? blanks(part) : part;
      default:
        return this.#begin(part, last);
    }
  }

  #begin(line: string, last: boolean): string {
    // Whether a blank follows the colon is part of the mark.
    const open =
      line === "data:" || FIELDS.some((field) => field !== line && field.startsWith(line));
    if (open && !last) return this.#hold(line);
    const field = FIELDS.find((name) => line.startsWith(name));
    const mark = field === "data:" ? (/^data: ?/.exec(line)?.[0] ?? "") : "";
    this.#line = field === undefined ? "kept" : field === "data:" ? "data" : "blanked";
    const made = blanks(mark) + this.#lineEnd;
    this.#lineEnd = "";
    return made + this.#take(line.slice(mark.length), last);
  }

  #hold(part: string): string {
    this.#held = part;
    return "";
  }
}

/** Whether a text that begins so is one of events; undefined where more has to come to tell. */
function isOfEvents(begun: string): boolean | undefined {
  const field = FIELDS.find((name) => begun.startsWith(name));
  if (field === "data:") return true;
  if (field === undefined) return FIELDS.some((name) => name.startsWith(begun)) ? undefined : false;
  // Words may begin like another field or a comment; with a bracket on their line they are no mark.
  const end = /[\r\n{]/.exec(begun)?.[0];
  return end === undefined ? undefined : end !== "{";
}

/** A text with what server-sent events put around their data blanked out. A place in it is the place in the text. */
export function dataOf(text: string): string {
  const marks = new EventMarks();
  return marks.read(text) + marks.end();
}

function blanks(text: string): string {
  return " ".repeat(text.length);
}
