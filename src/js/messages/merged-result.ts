import type { Diagnostic } from "../types.js";
import { AT_LEAST, leftOut, MORE } from "./diagnostics.js";
import type { Received } from "./stream.js";

/** So many diagnostics are told of one text, as they are of one message. */
const MOST_TOLD = 100;

/** What has come of many messages: the first diagnostics, errors before others, and how many more there were. */
export class Tally {
  #ok = true;
  readonly #first: Diagnostic[] = [];
  #more = 0;
  /** Whether there may have been more than that: nobody counts for ever. */
  #isLeast = false;

  note({ ok, diagnostics }: Received): void {
    this.#ok &&= ok;
    for (const one of diagnostics) {
      // One may itself say how many were left out.
      if (one.code === MORE) this.#leaveOut(one.message);
      else this.#add(one);
    }
  }

  /** Keeps one while there is room; an error takes the place of what is none. */
  #add(one: Diagnostic): void {
    if (this.#first.length === MOST_TOLD) {
      this.#more += 1;
      if (one.severity !== "error") return;
      const other = this.#first.findIndex(({ severity }) => severity !== "error");
      if (other < 0) return;
      this.#first.splice(other, 1);
    }
    this.#first.push(one);
  }

  #leaveOut(message: string): void {
    this.#more += Number(/\d+/.exec(message)?.[0] ?? 1);
    this.#isLeast ||= message.startsWith(AT_LEAST);
  }

  /** What is told of them. */
  get received(): Received {
    const more = this.#more > 0 ? [leftOut(this.#more, this.#isLeast ? AT_LEAST : "")] : [];
    return { ok: this.#ok, diagnostics: [...this.#first, ...more] };
  }
}
