import { element } from "../page/element.js";
import type { EditorOptions, EditorPane, HighlightSpan, TextMark, ViewState } from "./pane.js";

/** Maximum number of characters shown and highlighted; CodeMirror replaces this pane soon. */
const maxShownLength = 30_000;

/** Text area over a highlighted copy of its text. */
export class TextareaPane implements EditorPane {
  readonly #area = element("textarea", {
    class: "area",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  readonly #backdrop = element("pre", { class: "backdrop", "aria-hidden": "true" });
  readonly #colours: EditorOptions["highlight"];
  #fullText: string | null = null;
  #composing = false;
  #locked = true;

  constructor(host: HTMLElement, options: EditorOptions) {
    host.append(this.#backdrop, this.#area);
    this.#colours = options.highlight;
    this.#area.setAttribute("aria-label", options.label);
    this.#area.placeholder = options.placeholder;
    this.#area.readOnly = true;
    this.#area.addEventListener("input", () => options.textEdited());
    this.#area.addEventListener("scroll", () => this.#syncScroll());
    this.#area.addEventListener("compositionstart", () => {
      this.#composing = true;
    });
    this.#area.addEventListener("compositionend", () => {
      this.#composing = false;
    });
    this.#area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!this.#locked) options.apply();
    });
  }

  get text(): string {
    return this.#fullText ?? this.#area.value;
  }

  get composing(): boolean {
    return this.#composing;
  }

  unlock(): void {
    this.#locked = false;
    this.#area.readOnly = this.#fullText !== null;
  }

  show(text: string, scrollToEnd: boolean): void {
    const long = text.length > maxShownLength;
    this.#fullText = long ? text : null;
    this.#area.readOnly = long || this.#locked;
    const shown = long
      ? `${text.slice(0, 2000)}\n… ${(text.length - 2000).toLocaleString()} characters more`
      : text;
    if (this.#area.value !== shown) {
      this.#area.value = shown;
      this.showMarks([]);
    }
    this.#area.scrollTop = scrollToEnd ? this.#area.scrollHeight : 0;
    this.#syncScroll();
  }

  showMarks(marks: readonly TextMark[]): void {
    const text = this.#area.value;
    const shown = this.#fullText === null ? marks : [];
    // A long pasted text is not highlighted, because it would need 100,000 elements.
    const coloured =
      text.length > maxShownLength
        ? [document.createTextNode(text)]
        : styledSegments(text, this.#colours(text), shown);
    this.#backdrop.replaceChildren(...coloured, "\n");
    this.#syncScroll();
  }

  reveal(start: number, end: number): void {
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
  }

  scrollToFirstMark(): void {
    const mark = this.#backdrop.querySelector<HTMLElement>(".mark");
    if (!mark) return;
    const { scrollTop, clientHeight } = this.#area;
    const top = mark.offsetTop;
    if (top >= scrollTop && top + mark.offsetHeight <= scrollTop + clientHeight) return;
    this.#area.scrollTop = Math.max(0, top - clientHeight / 3);
    this.#syncScroll();
  }

  replace(start: number, end: number, text: string): void {
    if (this.#fullText !== null) {
      // Offsets in the truncated text differ from those in the full text.
      this.show(this.#fullText.slice(0, start) + text + this.#fullText.slice(end), false);
      return;
    }
    this.#area.setRangeText(text, start, end, "end");
    this.#area.focus();
  }

  focus(): void {
    this.#area.focus();
  }

  viewState(): ViewState {
    const { selectionStart: start, selectionEnd: end, scrollTop } = this.#area;
    const focused = document.activeElement === this.#area;
    // Offsets in the truncated text differ from those in the full text.
    return this.#fullText === null
      ? { focused, start, end, scrollTop }
      : { focused, start: 0, end: 0, scrollTop: 0 };
  }

  remove(): void {
    this.#backdrop.remove();
    this.#area.remove();
  }

  #syncScroll(): void {
    this.#backdrop.scrollTop = this.#area.scrollTop;
    this.#backdrop.scrollLeft = this.#area.scrollLeft;
  }
}

/** Returns the text as highlighted nodes, with the marks as overlay classes. */
function styledSegments(
  text: string,
  spans: readonly HighlightSpan[],
  marks: readonly TextMark[],
): Node[] {
  const boundaries = new Set([0, text.length]);
  for (const [start, end] of spans) boundaries.add(start).add(end);
  const visibleMarks = marks.map((one) => ({ ...one, ...visibleRange(one, text.length) }));
  for (const { start, end } of visibleMarks) boundaries.add(start).add(end);
  const edges = [...boundaries].sort((a, b) => a - b);
  const nodes: Node[] = [];
  let at = 0;
  edges.slice(0, -1).forEach((from, index) => {
    const to = edges[index + 1] ?? text.length;
    while (at < spans.length && (spans[at]?.[1] ?? 0) <= from) at += 1;
    const [start, , name] = spans[at] ?? [Number.POSITIVE_INFINITY, 0, ""];
    const mark = visibleMarks.find((one) => one.start <= from && from < one.end);
    const part = text.slice(from, to);
    const className = [start <= from ? name : "", mark ? `mark ${mark.severity}` : ""]
      .join(" ")
      .trim();
    nodes.push(
      className === ""
        ? document.createTextNode(part)
        : element("span", { class: className }, part),
    );
  });
  return nodes;
}

/** Returns the range of a mark, extended to at least one character. */
export function visibleRange(
  { start, end }: TextMark,
  length: number,
): { start: number; end: number } {
  const from = Math.max(0, Math.min(start, length - 1));
  return { start: from, end: Math.min(length, Math.max(end, from + 1)) };
}
