/** About as wide as a character of the strip is, in pixels. */
const character = 6.7;

/** The end of a text that arrives: as much of it as fits in one line, from where something begins. */
export class Tail {
  readonly #host: HTMLElement;
  #text = "";
  #most = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
    new ResizeObserver(([entry]) => {
      this.#most = Math.floor((entry?.contentRect.width ?? 0) / character);
      this.#draw();
    }).observe(host);
  }

  show(text: string): void {
    this.#text = text;
    this.#draw();
  }

  #draw(): void {
    this.#host.textContent = tailOf(this.#text, this.#most);
  }
}

/** At most so many characters of the end, cut before a word and never in it. */
function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(text.length - Math.max(0, most - 2));
  const word = end.search(/(?<=[\s,[{:])./);
  return `… ${word < 0 ? end : end.slice(word).trimStart()}`;
}
