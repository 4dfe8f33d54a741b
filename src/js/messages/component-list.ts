import { brokenBy } from "./diagnostics.js";
import type { Recipient } from "./result-collector.js";
import type { Received } from "./stream.js";
import type { Pending } from "./text-buffer.js";

/** The pointer to a component by its number. */
const OF_COMPONENT = /^(\/updateComponents\/components\/)(\d+)(.*)$/s;

/** The components of a message as they come. A broken one takes no other with it. */
export class ComponentList {
  readonly #recipient: Recipient;
  readonly #text: Pending;
  /** What makes a message of components that are cut out of the list. */
  readonly #head: string;
  /** Where the first component begins that is not taken yet, and where each of those ends that are complete. */
  #from: number | undefined;
  #ends: number[] = [];
  /** How many have been complete, and how many of them are taken. */
  #complete = 0;
  #taken = 0;
  /** What stands last between components: one of them, a comma, or nothing yet; nothing that is known behind what is broken. */
  #before: "nothing" | "component" | "comma" | undefined = "nothing";
  /** The brackets that are open in the last one. */
  #brackets: string[] = [];
  /** How far they are set in. What is inside of them is set in further. */
  margin = -1;
  /** Whether more may come. */
  isOpen = true;

  constructor(recipient: Recipient, text: Pending, surfaceId: string) {
    this.#recipient = recipient;
    this.#text = text;
    this.#head = `{"updateComponents":{"surfaceId":${JSON.stringify(surfaceId)},"components":[`;
  }

  /** Whether a component has begun that is not complete. */
  get isWithin(): boolean {
    return this.isOpen && this.#brackets.length > 0;
  }

  /** Sees what stands at a place outside of texts, in a line that is set in so far. False for a bracket that is one too much. */
  see(mark: string, place: number, blanks: number | undefined): boolean {
    if (this.#brackets.length === 0 && !this.#seeBetween(mark, place, blanks)) return false;
    if (mark === "{" || mark === "[") {
      this.#brackets.push(mark);
    } else if (mark === "}" || mark === "]") {
      if (this.#brackets.length === 0) this.isOpen = false;
      else if (this.#brackets.length === 1) this.#end(place + 1);
      this.#brackets.pop();
    }
    return true;
  }

  /** Sees what stands in none of the components. */
  #seeBetween(mark: string, place: number, blanks: number | undefined): boolean {
    if (/\s/.test(mark)) return true;
    this.#seeComma(mark, place);
    if (!/[,\]]/.test(mark)) this.#from ??= place;
    // A bracket too much in a component ends no list.
    if (mark === "}") return false;
    if (mark === "{") this.margin = blanks ?? this.margin;
    else if (/[,\]]/.test(mark)) this.#ends.push(place);
    return true;
  }

  /** Tells of a comma between components that is missing, and of one too much. What is broken in another way is told where it is taken. */
  #seeComma(mark: string, place: number): void {
    const before = this.#before;
    this.#before = mark === "{" ? "component" : mark === "," ? "comma" : undefined;
    if (before === undefined) return;
    const isMissing = before === "component" && mark === "{";
    const isTooMuch =
      before !== "component" && (mark === "," || (mark === "]" && before === "comma"));
    const lead = { nothing: "", component: "0", comma: "0," }[before];
    if (isMissing || isTooMuch) this.#note(this.#receive(lead + mark), place - lead.length);
  }

  /** Whether the innermost bracket is that of an object in which no other may begin behind what stands last. */
  expectsKey(last: string): boolean {
    return this.#brackets.at(-1) === "{" && last !== ":";
  }

  /** Ends the component that was never finished, in front of a place. */
  cut(place: number): void {
    let end = place;
    while (/[\s,]/.test(this.#text.charAt(end - 1))) end -= 1;
    this.#end(end);
    this.#brackets = [];
    this.#before = undefined;
  }

  #end(place: number): void {
    this.#ends.push(place);
    this.#complete += 1;
  }

  /** Takes the components that are complete; the text was looked at up to a place. */
  take(place: number): void {
    const to = this.#ends.at(-1);
    if (this.#from === undefined || to === undefined || to <= this.#from) return;
    const all = this.#receivePart(this.#from, to);
    if (brokenBy(all) && this.#ends.length > 1) this.#takeApart(this.#from);
    else this.#note(all, this.#from);
    this.#taken = this.#complete;
    this.#text.drop(to);
    // The next component may have begun already.
    const begun = this.#text.until(place).search(/[^\s,]/);
    this.#from = this.isOpen && begun >= 0 ? to + begun : undefined;
    this.#ends = [];
  }

  /** Takes what is left of the message behind its components. */
  takeRest(place: number, whole: boolean): void {
    const text = this.#text.until(place);
    if (whole && /^\s*\]\s*\}\s*\}$/.test(text)) return;
    const comma = /^\s*,?/.exec(text)?.[0].length ?? 0;
    // A bracket of another kind is wrong behind a component, not in place of one.
    const before = /^\s*\}/.test(text) ? "0" : "";
    const rest = before + text.slice(comma);
    this.#note(this.#receive(rest), this.#text.start + comma - before.length);
  }

  /** Takes components one by one, from a place on. */
  #takeApart(place: number): void {
    let from = place;
    for (const end of this.#ends) {
      from += /^[\s,]*/.exec(this.#text.slice(from, end))?.[0].length ?? 0;
      if (from < end) {
        this.#note(this.#receivePart(from, end), from);
        this.#taken += 1;
      }
      from = end;
    }
  }

  /** Hands the surface the components between two places. */
  #receivePart(from: number, to: number): Received {
    return this.#receive(`${this.#text.slice(from, to)}]}}`);
  }

  #receive(rest: string): Received {
    return this.#recipient.surface.receive(this.#head + rest);
  }

  /** Notes what came of a part that begins at a place, with what is the first in it as one of all of them. */
  #note({ ok, diagnostics }: Received, from: number): void {
    const counted = diagnostics.map((told) => {
      const { location } = told;
      const found = location?.kind === "pointer" ? OF_COMPONENT.exec(location.pointer) : null;
      if (!found) return told;
      const pointer = `${found[1]}${Number(found[2]) + this.#taken}${found[3]}`;
      return { ...told, location: { kind: "pointer" as const, pointer } };
    });
    this.#recipient.note({ ok, diagnostics: counted }, from - this.#head.length);
  }
}
