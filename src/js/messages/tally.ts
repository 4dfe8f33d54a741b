import type { Diagnostic } from "../types.js";
import { leftOut, MORE } from "./faults.js";
import type { Received } from "./stream.js";

/** So many diagnostics are told of one text, as they are of one message. */
const MOST_TOLD = 100;

/** What has come of many messages: the first diagnostics, and how many more there were. */
export class Tally {
  #ok = true;
  readonly #first: Diagnostic[] = [];
  #more = 0;

  note({ ok, diagnostics }: Received): void {
    this.#ok &&= ok;
    for (const one of diagnostics) {
      // One may itself say how many were left out.
      if (one.code === MORE) this.#more += Number.parseInt(one.message, 10) || 1;
      else if (this.#first.length < MOST_TOLD) this.#first.push(one);
      else this.#more += 1;
    }
  }

  /** What is told of them. */
  get received(): Received {
    const more = this.#more > 0 ? [leftOut(this.#more)] : [];
    return { ok: this.#ok, diagnostics: [...this.#first, ...more] };
  }
}
