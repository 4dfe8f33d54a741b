/** About as wide as a character of the strip is, in pixels. */
const charWidth = 6.7;

/** The end of a text that arrives: as much of it as fits in one line, from where something begins. */
export class TextTail {
  readonly #host: HTMLElement;
  #text = "";
  #maxLength = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
    new ResizeObserver(([entry]) => {
      this.#maxLength = Math.floor((entry?.contentRect.width ?? 0) / charWidth);
      this.#draw();
    }).observe(host);
  }

  show(text: string): void {
    this.#text = text;
    this.#draw();
  }

  #draw(): void {
    this.#host.textContent = truncateStart(this.#text, this.#maxLength);
  }
}

/** At most so many characters of the end, cut before a word and never in it. */
function truncateStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.slice(text.length - Math.max(0, maxLength - 2));
  const word = end.search(/(?<=[\s,[{:])./);
  return `… ${word < 0 ? end : end.slice(word).trimStart()}`;
}
