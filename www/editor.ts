import type { Diagnostic } from "byname";
import { element } from "./element.js";

/** A longer text is shown in part and not coloured: a page of ten thousand nodes is not for reading. */
const most = 30_000;

export interface Mark {
  start: number;
  end: number;
  /** `now` is no fault: it is what runs. */
  severity: Diagnostic["severity"] | "now";
}

/** A piece of the text and the class that colours it. */
export type Colour = [start: number, end: number, name: string];

export interface EditorOptions {
  label: string;
  placeholder: string;
  /** In order, without overlaps. */
  colours(text: string): Colour[];
  typed(): void;
  apply(): void;
}

/** A text box over a coloured copy of its text, so that marks stand exactly where the text is. */
export class Editor {
  readonly #area = element("textarea", {
    class: "area",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  readonly #paper = element("pre", { class: "paper", "aria-hidden": "true" });
  readonly #colours: EditorOptions["colours"];
  #whole: string | null = null;
  #marks: readonly Mark[] = [];

  constructor(host: HTMLElement, on: EditorOptions) {
    host.append(this.#paper, this.#area);
    this.#colours = on.colours;
    this.#area.setAttribute("aria-label", on.label);
    this.#area.placeholder = on.placeholder;
    this.#area.addEventListener("input", () => {
      this.mark([]);
      on.typed();
    });
    this.#area.addEventListener("scroll", () => this.#follow());
    this.#area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      on.apply();
    });
  }

  get text(): string {
    return this.#whole ?? this.#area.value;
  }

  show(text: string, follow: boolean): void {
    const long = text.length > most;
    this.#whole = long ? text : null;
    this.#area.readOnly = long;
    const shown = long
      ? `${text.slice(0, 2000)}\n… ${(text.length - 2000).toLocaleString()} characters more`
      : text;
    if (this.#area.value !== shown) {
      this.#area.value = shown;
      this.mark([]);
    }
    this.#area.scrollTop = follow ? this.#area.scrollHeight : 0;
    this.#follow();
  }

  mark(marks: readonly Mark[]): void {
    this.#marks = this.#whole === null ? marks : [];
    const text = this.#area.value;
    // A long text that was pasted is shown plain: the marks would be a hundred thousand elements.
    const coloured =
      text.length > most
        ? [document.createTextNode(text)]
        : pieces(text, this.#colours(text), this.#marks);
    this.#paper.replaceChildren(...coloured, "\n");
    this.#follow();
  }

  reveal(start: number, end: number): void {
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
  }

  /** Scrolls so that the first mark is in sight. */
  follow(): void {
    const mark = this.#paper.querySelector<HTMLElement>(".mark");
    if (!mark) return;
    const { scrollTop, clientHeight } = this.#area;
    const top = mark.offsetTop;
    if (top >= scrollTop && top + mark.offsetHeight <= scrollTop + clientHeight) return;
    this.#area.scrollTop = Math.max(0, top - clientHeight / 3);
    this.#follow();
  }

  /** Writes a repair into the text. */
  replace(start: number, end: number, text: string): void {
    this.#area.setRangeText(text, start, end, "end");
    this.mark([]);
    this.#area.focus();
  }

  #follow(): void {
    this.#paper.scrollTop = this.#area.scrollTop;
    this.#paper.scrollLeft = this.#area.scrollLeft;
  }
}

/** The text in coloured pieces, with the marks laid over them. */
function pieces(text: string, classes: readonly Colour[], marks: readonly Mark[]): Node[] {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of classes) cuts.add(start).add(end);
  // A mark of no width still needs a place to stand: the character at it, or the last one.
  const wide = marks.map((one) => ({
    ...one,
    start: Math.max(0, Math.min(one.start, text.length - 1)),
    end: Math.max(one.end, one.start + 1),
  }));
  for (const { start, end } of wide) cuts.add(start).add(Math.min(end, text.length));
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
