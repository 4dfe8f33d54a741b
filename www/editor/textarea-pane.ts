import { element } from "../page/element.js";
import type { Colour, EditorOptions, Mark, Pane, Stand } from "./pane.js";

/** A longer text is shown in part and not coloured: this is a text box, and it is the editor's turn soon. */
const most = 30_000;

/** A text box over a coloured copy of its text, so that marks stand exactly where the text is. */
export class PlainPane implements Pane {
  readonly #area = element("textarea", {
    class: "area",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  readonly #paper = element("pre", { class: "paper", "aria-hidden": "true" });
  readonly #colours: EditorOptions["colours"];
  #whole: string | null = null;
  #composing = false;
  #locked = true;

  constructor(host: HTMLElement, on: EditorOptions) {
    host.append(this.#paper, this.#area);
    this.#colours = on.colours;
    this.#area.setAttribute("aria-label", on.label);
    this.#area.placeholder = on.placeholder;
    this.#area.readOnly = true;
    this.#area.addEventListener("input", () => on.typed());
    this.#area.addEventListener("scroll", () => this.#align());
    this.#area.addEventListener("compositionstart", () => {
      this.#composing = true;
    });
    this.#area.addEventListener("compositionend", () => {
      this.#composing = false;
    });
    this.#area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!this.#locked) on.apply();
    });
  }

  get text(): string {
    return this.#whole ?? this.#area.value;
  }

  get busy(): boolean {
    return this.#composing;
  }

  /** From here on somebody may write. */
  unlock(): void {
    this.#locked = false;
    this.#area.readOnly = this.#whole !== null;
  }

  show(text: string, follow: boolean): void {
    const long = text.length > most;
    this.#whole = long ? text : null;
    this.#area.readOnly = long || this.#locked;
    const shown = long
      ? `${text.slice(0, 2000)}\n… ${(text.length - 2000).toLocaleString()} characters more`
      : text;
    if (this.#area.value !== shown) {
      this.#area.value = shown;
      this.mark([]);
    }
    this.#area.scrollTop = follow ? this.#area.scrollHeight : 0;
    this.#align();
  }

  mark(marks: readonly Mark[]): void {
    const text = this.#area.value;
    const shown = this.#whole === null ? marks : [];
    // A long text that was pasted is shown plain: the marks would be a hundred thousand elements.
    const coloured =
      text.length > most
        ? [document.createTextNode(text)]
        : pieces(text, this.#colours(text), shown);
    this.#paper.replaceChildren(...coloured, "\n");
    this.#align();
  }

  reveal(start: number, end: number): void {
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
  }

  follow(): void {
    const mark = this.#paper.querySelector<HTMLElement>(".mark");
    if (!mark) return;
    const { scrollTop, clientHeight } = this.#area;
    const top = mark.offsetTop;
    if (top >= scrollTop && top + mark.offsetHeight <= scrollTop + clientHeight) return;
    this.#area.scrollTop = Math.max(0, top - clientHeight / 3);
    this.#align();
  }

  replace(start: number, end: number, text: string): void {
    if (this.#whole !== null) {
      // What is shown of a long text has other places than the whole.
      this.show(this.#whole.slice(0, start) + text + this.#whole.slice(end), false);
      return;
    }
    this.#area.setRangeText(text, start, end, "end");
    this.#area.focus();
  }

  focus(): void {
    this.#area.focus();
  }

  stand(): Stand {
    const { selectionStart: start, selectionEnd: end, scrollTop } = this.#area;
    const focused = document.activeElement === this.#area;
    // What is shown in part has no place that means anything in the whole.
    return this.#whole === null
      ? { focused, start, end, scrollTop }
      : { focused, start: 0, end: 0, scrollTop: 0 };
  }

  remove(): void {
    this.#paper.remove();
    this.#area.remove();
  }

  #align(): void {
    this.#paper.scrollTop = this.#area.scrollTop;
    this.#paper.scrollLeft = this.#area.scrollLeft;
  }
}

/** The text in coloured pieces, with the marks laid over them. */
function pieces(text: string, classes: readonly Colour[], marks: readonly Mark[]): Node[] {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of classes) cuts.add(start).add(end);
  const wide = marks.map((one) => ({ ...one, ...seen(one, text.length) }));
  for (const { start, end } of wide) cuts.add(start).add(end);
  const edges = [...cuts].sort((a, b) => a - b);
  const nodes: Node[] = [];
  let at = 0;
  edges.slice(0, -1).forEach((from, index) => {
    const to = edges[index + 1] ?? text.length;
    while (at < classes.length && (classes[at]?.[1] ?? 0) <= from) at += 1;
    const [start, , name] = classes[at] ?? [Number.POSITIVE_INFINITY, 0, ""];
    const mark = wide.find((one) => one.start <= from && from < one.end);
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

/** A mark of no width still needs a place to stand: the character at it, or the last one. */
export function seen({ start, end }: Mark, length: number): { start: number; end: number } {
  const from = Math.max(0, Math.min(start, length - 1));
  return { start: from, end: Math.min(length, Math.max(end, from + 1)) };
}
