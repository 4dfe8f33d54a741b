import "../css/token-table.css";
import { button, div, element, p } from "../page/element.js";
import { emptyPaneHint } from "../page/format.js";
import { loadOrReload } from "../page/load-script.js";
import { type Format, formatNames } from "./formats.js";
import { type EditMeasurement, measureEdits } from "./measure.js";

const listSizes = [5, 20, 100] as const;

const loadTokenizer = () => import("gpt-tokenizer/encoding/o200k_base");

/** Table of token counts. The tokenizer has 2 MB, so it is loaded on demand. */
export class TokenTable {
  readonly #redraw: () => void;
  #rows: number = 20;
  #count: ((text: string) => number) | null = null;
  #loading = false;
  #error = "";
  #focusLabel = "";
  #selected: { edit: string; format: Format } | null = null;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  draw(): HTMLElement[] {
    if (this.#count === null) {
      if (this.#error === "") void this.#load();
      else
        return [
          emptyPaneHint(this.#error),
          button("Try again", { class: "small" }, () => this.#retry()),
        ];
      return [emptyPaneHint("Loading the tokenizer (o200k)…")];
    }
    const measured = measureEdits(this.#rows, this.#count);
    return [
      p(
        "muted",
        "The same edits of a list of people as A2UI, JSON Patch and HAM: tokens (o200k) and bytes. Select a number to see the text.",
      ),
      element(
        "p",
        { class: "token-sizes", role: "group", "aria-label": "Number of rows" },
        ...listSizes.map((size) =>
          button(`${size} rows`, { "aria-pressed": String(size === this.#rows) }, () => {
            this.#rows = size;
            this.#redraw();
          }),
        ),
      ),
      div("token-table", this.#table(measured)),
      ...this.#text(measured),
      emptyPaneHint(
        "HAM is longer for the first load, because each row includes its id. It is shorter where A2UI sends the list again. JSON Patch is short too, but addresses rows by their current index.",
      ),
    ];
  }

  #table(measured: readonly EditMeasurement[]): HTMLElement {
    const head = formatNames.map((name) => element("th", { scope: "col" }, name));
    const rows = measured.flatMap(({ edit, counts }) => {
      const least = Math.min(...counts.map(({ tokens }) => tokens));
      const cells = counts.map(({ format, tokens, bytes }) => {
        const chosen = this.#selected?.edit === edit && this.#selected.format === format;
        const words = {
          "aria-label": `${edit}, ${format}: ${tokens} tokens, ${bytes} bytes`,
          "aria-pressed": String(chosen),
        };
        const press = this.#toggleButton(tokens.toLocaleString("en"), words, () => {
          this.#selected = { edit, format };
        });
        const small = element("small", { class: "muted" }, `${bytes.toLocaleString("en")} B`);
        return element("td", tokens === least ? { class: "least" } : {}, press, small);
      });
      return [
        element(
          "tr",
          element("th", { scope: "rowgroup", colspan: String(formatNames.length) }, edit),
        ),
        element("tr", ...cells),
      ];
    });
    return element("table", element("thead", element("tr", ...head)), element("tbody", ...rows));
  }

  /** Creates a button that keeps the focus when the table is redrawn. */
  #toggleButton(
    label: string,
    attributes: { [name: string]: string },
    act: () => void,
  ): HTMLElement {
    const name = attributes["aria-label"] ?? label;
    const made = button(label, { class: "crumb", ...attributes }, () => {
      act();
      this.#focusLabel = name;
      this.#redraw();
    });
    if (this.#focusLabel === name) {
      this.#focusLabel = "";
      queueMicrotask(() => made.focus({ preventScroll: true }));
    }
    return made;
  }

  #text(measured: readonly EditMeasurement[]): HTMLElement[] {
    const shown = this.#selected;
    if (shown === null) return [];
    const counts = measured.find(({ edit }) => edit === shown.edit)?.counts;
    const text = counts?.find(({ format }) => format === shown.format)?.text ?? "";
    return [
      element("p", element("strong", `${shown.edit}, ${shown.format}`)),
      element("pre", { class: "card token-text", tabindex: "0" }, text),
    ];
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { encode } = await loadOrReload(loadTokenizer);
      this.#count = (text) => encode(text).length;
    } catch {
      this.#error = "Could not load the tokenizer. Check the network.";
    }
    this.#loading = false;
    this.#redraw();
  }

  #retry(): void {
    this.#error = "";
    this.#redraw();
  }
}
