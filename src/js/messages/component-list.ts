import { partialError } from "./diagnostics.js";
import type { ResultCollector } from "./result-collector.js";
import type { TextBuffer } from "./text-buffer.js";
import type { Received } from "./types.js";

/** The pointer to a component by its number. */
const COMPONENT_POINTER = /^(\/updateComponents\/components\/)(\d+)(.*)$/s;

/** The components of a message as they come. A broken one takes no other with it. */
export class ComponentList {
  readonly #collector: ResultCollector;
  readonly #text: TextBuffer;
  /** What makes a message of components that are cut out of the list. */
  readonly #head: string;
  /** Where the first component begins that is not taken yet, and where each of those ends that are complete. */
  #pendingStart: number | undefined;
  #pendingEnds: number[] = [];
  /** How many have been complete, and how many of them are taken. */
  #completeCount = 0;
  #receivedCount = 0;
  /** What stands last between components: one of them, a comma, or nothing yet; nothing that is known behind what is broken. */
  #previousToken: "nothing" | "component" | "comma" | undefined = "nothing";
  /** The brackets that are open in the last one. */
  #brackets: string[] = [];
  /** How far they are set in. What is inside of them is set in further. */
  indent = -1;
  /** Whether more may come. */
  isOpen = true;

  constructor(collector: ResultCollector, text: TextBuffer, surfaceId: string) {
    this.#collector = collector;
    this.#text = text;
    this.#head = `{"updateComponents":{"surfaceId":${JSON.stringify(surfaceId)},"components":[`;
  }

  /** Whether a component has begun that is not complete. */
  get isInComponent(): boolean {
    return this.isOpen && this.#brackets.length > 0;
  }

  /** Sees what stands at a place outside of texts, in a line that is set in so far. False for a bracket that is one too much. */
  observe(char: string, offset: number, lineIndent: number | undefined): boolean {
    if (this.#brackets.length === 0 && !this.#observeBetween(char, offset, lineIndent))
      return false;
    if (char === "{" || char === "[") {
      this.#brackets.push(char);
    } else if (char === "}" || char === "]") {
      if (this.#brackets.length === 0) this.isOpen = false;
      else if (this.#brackets.length === 1) this.#endComponent(offset + 1);
      this.#brackets.pop();
    }
    return true;
  }

  /** Sees what stands in none of the components. */
  #observeBetween(char: string, offset: number, lineIndent: number | undefined): boolean {
    if (/\s/.test(char)) return true;
    this.#checkComma(char, offset);
    if (!/[,\]]/.test(char)) this.#pendingStart ??= offset;
    // A bracket too much in a component ends no list.
    if (char === "}") return false;
    if (char === "{") this.indent = lineIndent ?? this.indent;
    else if (/[,\]]/.test(char)) this.#pendingEnds.push(offset);
    return true;
  }

  /** Tells of a comma between components that is missing, and of one too much. What is broken in another way is told where it is taken. */
  #checkComma(char: string, offset: number): void {
    const previous = this.#previousToken;
    this.#previousToken = char === "{" ? "component" : char === "," ? "comma" : undefined;
    if (previous === undefined) return;
    const isMissing = previous === "component" && char === "{";
    const isExtra =
      previous !== "component" && (char === "," || (char === "]" && previous === "comma"));
    const prefix = { nothing: "", component: "0", comma: "0," }[previous];
    if (isMissing || isExtra) this.#report(this.#receive(prefix + char), offset - prefix.length);
  }

  /** Whether the innermost bracket is that of an object in which no other may begin behind what stands last. */
  expectsKey(last: string): boolean {
    return this.#brackets.at(-1) === "{" && last !== ":";
  }

  /** Ends the component that was never finished, in front of a place. */
  cutComponent(offset: number): void {
    let end = offset;
    while (/[\s,]/.test(this.#text.charAt(end - 1))) end -= 1;
    this.#endComponent(end);
    this.#brackets = [];
    this.#previousToken = undefined;
  }

  #endComponent(offset: number): void {
    this.#pendingEnds.push(offset);
    this.#completeCount += 1;
  }

  /** Takes the components that are complete; the text was looked at up to a place. */
  receiveUntil(offset: number): void {
    const to = this.#pendingEnds.at(-1);
    if (this.#pendingStart === undefined || to === undefined || to <= this.#pendingStart) return;
    const all = this.#receivePart(this.#pendingStart, to);
    if (partialError(all) && this.#pendingEnds.length > 1)
      this.#receiveOneByOne(this.#pendingStart);
    else this.#report(all, this.#pendingStart);
    this.#receivedCount = this.#completeCount;
    this.#text.dropBefore(to);
    // The next component may have begun already.
    const nextStart = this.#text.sliceTo(offset).search(/[^\s,]/);
    this.#pendingStart = this.isOpen && nextStart >= 0 ? to + nextStart : undefined;
    this.#pendingEnds = [];
  }

  /** Takes what is left of the message behind its components. */
  receiveRest(offset: number, isComplete: boolean): void {
    const text = this.#text.sliceTo(offset);
    if (isComplete && /^\s*\]\s*\}\s*\}$/.test(text)) return;
    const comma = /^\s*,?/.exec(text)?.[0].length ?? 0;
    // A bracket of another kind is wrong behind a component, not in place of one.
    const before = /^\s*\}/.test(text) ? "0" : "";
    const rest = before + text.slice(comma);
    this.#report(this.#receive(rest), this.#text.start + comma - before.length);
  }

  /** Takes components one by one, from a place on. */
  #receiveOneByOne(offset: number): void {
    let from = offset;
    for (const end of this.#pendingEnds) {
      from += /^[\s,]*/.exec(this.#text.slice(from, end))?.[0].length ?? 0;
      if (from < end) {
        this.#report(this.#receivePart(from, end), from);
        this.#receivedCount += 1;
      }
      from = end;
    }
  }

  /** Hands the surface the components between two places. */
  #receivePart(from: number, to: number): Received {
    return this.#receive(`${this.#text.slice(from, to)}]}}`);
  }

  #receive(rest: string): Received {
    return this.#collector.surface.receive(this.#head + rest);
  }

  /** Notes what came of a part that begins at a place, with what is the first in it as one of all of them. */
  #report({ ok, diagnostics }: Received, from: number): void {
    const counted = diagnostics.map((diagnostic) => {
      const { location } = diagnostic;
      const found = location?.kind === "pointer" ? COMPONENT_POINTER.exec(location.pointer) : null;
      if (!found) return diagnostic;
      const pointer = `${found[1]}${Number(found[2]) + this.#receivedCount}${found[3]}`;
      return { ...diagnostic, location: { kind: "pointer" as const, pointer } };
    });
    this.#collector.add({ ok, diagnostics: counted }, from - this.#head.length);
  }
}
