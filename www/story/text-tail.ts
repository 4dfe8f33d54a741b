/** Average character width in pixels. */
const charWidth = 6.7;

/** End of a growing text, truncated to one line. */
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

/** Truncates the start of a text at a word boundary. */
function truncateStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.slice(text.length - Math.max(0, maxLength - 2));
  const word = end.search(/(?<=[\s,[{:])./);
  return `… ${word < 0 ? end : end.slice(word).trimStart()}`;
}
