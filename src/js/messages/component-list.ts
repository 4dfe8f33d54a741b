import { partialError, trailingCommaDiagnostic } from "./diagnostics.js";
import { DuplicateIds } from "./duplicate-ids.js";
import { closeInString, componentEndsWithLongText } from "./partial-text.js";
import { receiveRepaired } from "./repair.js";
import type { ResultCollector } from "./result-collector.js";
import type { TextBuffer } from "./text-buffer.js";
import type { Received } from "./types.js";

/** Pointer to a component by its index. */
const COMPONENT_POINTER = /^(\/(?:updateComponents|surfaceUpdate)\/components\/)(\d+)(.*)$/s;

/**
 * Components of a message while it is streamed. Other components are received despite a broken one.
 */
export class ComponentList {
  readonly #collector: ResultCollector;
  readonly #text: TextBuffer;
  readonly #surfaceId: string;
  /** Start of a message for components of the list. */
  readonly #head: string;
  /** Pointer to the list. */
  readonly #pointer: string;
  readonly #duplicateIds = new DuplicateIds();
  /** Start offset of the component whose text is displayed while it arrives. */
  #partialStart: number | undefined;
  /**
   * Start offset of the first component that was not received, and end offsets of complete ones.
   */
  #pendingStart: number | undefined;
  #pendingEnds: number[] = [];
  /** Numbers of complete and of received components. */
  #completeCount = 0;
  #receivedCount = 0;
  /** Last token between components; `undefined` after a broken one. */
  #previousToken: "nothing" | "component" | "comma" | undefined = "nothing";
  /** Open brackets in the last component. */
  #brackets: string[] = [];
  /** Indentation of the components in characters. Their content is indented further. */
  indent = -1;
  /** Whether more components may follow. */
  isOpen = true;

  /** `kind` is the message that adds components. */
  constructor(collector: ResultCollector, text: TextBuffer, kind: string, surfaceId: string) {
    this.#collector = collector;
    this.#text = text;
    this.#surfaceId = surfaceId;
    this.#pointer = `/${kind}/components`;
    this.#head = `{"${kind}":{"surfaceId":${JSON.stringify(surfaceId)},"components":[`;
  }

  /** Whether the last component is incomplete. */
  get isInComponent(): boolean {
    return this.isOpen && this.#brackets.length > 0;
  }

  /**
   * Reads a character outside of strings in a line with this indentation. Returns false for an
   * unmatched bracket.
   */
  observeCharacter(char: string, offset: number, lineIndent: number | undefined): boolean {
    if (this.#brackets.length === 0 && !this.#observeBetweenComponents(char, offset, lineIndent))
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

  /** Reads a character outside of the components. */
  #observeBetweenComponents(char: string, offset: number, lineIndent: number | undefined): boolean {
    if (/\s/.test(char)) return true;
    this.#checkComma(char, offset);
    if (!/[,\]]/.test(char)) this.#pendingStart ??= offset;
    // An extra bracket in a component does not end the list.
    if (char === "}") return false;
    if (char === "{") this.indent = lineIndent ?? this.indent;
    else if (/[,\]]/.test(char)) this.#pendingEnds.push(offset);
    return true;
  }

  /**
   * Reports missing and extra commas between components. Other errors are reported on receiving.
   */
  #checkComma(char: string, offset: number): void {
    const previous = this.#previousToken;
    this.#previousToken = char === "{" ? "component" : char === "," ? "comma" : undefined;
    if (previous === undefined) return;
    if (char === "]" && previous === "comma") {
      this.#collector.add({ ok: true, diagnostics: [trailingCommaDiagnostic(char, 0)] }, offset);
      return;
    }
    const isMissing = previous === "component" && char === "{";
    const isExtra = previous !== "component" && char === ",";
    const prefix = { nothing: "", component: "0", comma: "0," }[previous];
    if (isMissing || isExtra)
      this.#report(this.#receiveList(prefix + char), offset - prefix.length);
  }

  /** Returns whether the innermost bracket is an object that expects a key after this token. */
  expectsKey(last: string): boolean {
    return this.#brackets.at(-1) === "{" && last !== ":";
  }

  /** Ends an unfinished component before an offset. */
  cutComponent(offset: number): void {
    this.#endComponent(this.#endBeforeComma(offset));
    this.#brackets = [];
    this.#previousToken = undefined;
  }

  /** Returns the offset after the last character before white space and commas. */
  #endBeforeComma(offset: number): number {
    let end = offset;
    while (/[\s,]/.test(this.#text.charAt(end - 1))) end -= 1;
    return end;
  }

  #endComponent(offset: number): void {
    this.#pendingEnds.push(offset);
    this.#completeCount += 1;
  }

  /** Receives the complete components; the text has been scanned up to a UTF-16 offset. */
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

  /** Displays the text of the last component, if it is in a property of the component. */
  showPartialText(offset: number): void {
    if (this.#pendingStart === undefined || this.#brackets.includes("[")) return;
    const brackets = "}".repeat(this.#brackets.length);
    const closed = closeInString(this.#text.slice(this.#pendingStart, offset), brackets);
    if (closed === undefined || !componentEndsWithLongText(closed.value)) return;
    const { id, component } = closed.value;
    if (typeof id !== "string" || component === undefined) return;
    if (this.#partialStart !== this.#pendingStart) {
      // A displayed component would lose the properties that have not arrived again.
      if (this.#collector.surface.hasComponent?.(id, this.#surfaceId)) return;
      this.#partialStart = this.#pendingStart;
    }
    // The complete component reports its diagnostics.
    this.#receiveList(`${closed.json}]}}`, this.#receivedCount);
  }

  /** Receives the rest of the message after its components. */
  receiveRest(offset: number, isComplete: boolean): void {
    const text = this.#text.sliceTo(offset);
    if (isComplete && /^\s*\]\s*\}\s*\}$/.test(text)) return;
    const comma = /^\s*,?/.exec(text)?.[0].length ?? 0;
    // A bracket of another type is an error after a component, not in place of one.
    const before = /^\s*\}/.test(text) ? "0" : "";
    const rest = before + text.slice(comma);
    this.#report(this.#receiveList(rest), this.#text.start + comma - before.length);
  }

  /** Receives components one by one from an offset. */
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

  /** Sends the components between two offsets to the surface. */
  #receivePart(from: number, to: number): Received {
    const part = this.#text.slice(from, this.#endBeforeComma(to));
    const { ok, diagnostics } = this.#receiveList(`${part}]}}`, this.#receivedCount);
    if (!ok) return { ok, diagnostics };
    return { ok, diagnostics: [...diagnostics, ...this.#duplicateIds.add(part, this.#pointer)] };
  }

  #receiveList(rest: string, firstIndex?: number): Received {
    return receiveRepaired(this.#collector.surface, this.#head + rest, firstIndex);
  }

  /** Reports a result whose part begins at an offset, with indices counted in the complete list. */
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
