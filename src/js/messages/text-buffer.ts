/** What has come of a text and is not taken yet. Places are those in the whole text. */
export class TextBuffer {
  #text = "";
  /** Where it begins. */
  start = 0;
  /** The end of it, which has come last, and where that begins: to look at what is put together puts it together, every time. */
  #tail = "";
  #tailStart = 0;

  /** Where it ends. */
  get end(): number {
    return this.start + this.#text.length;
  }

  /** Takes what comes next, which is looked at together with what stands behind a place. */
  append(chunk: string, offset: number): void {
    const tailStart = Math.min(offset, this.end);
    this.#tail = this.slice(tailStart, this.end) + chunk;
    this.#tailStart = tailStart;
    this.#text += chunk;
  }

  charAt(offset: number): string {
    const tailIndex = offset - this.#tailStart;
    return tailIndex >= 0 ? this.#tail.charAt(tailIndex) : this.#text.charAt(offset - this.start);
  }

  /** The text between two places; none where the second comes first. */
  slice(from: number, to: number): string {
    if (to <= from) return "";
    const tailStart = this.#tailStart;
    if (from >= tailStart) return this.#tail.slice(from - tailStart, to - tailStart);
    return this.#text.slice(from - this.start, to - this.start);
  }

  /** The text up to a place. */
  sliceTo(offset: number): string {
    return this.slice(this.start, offset);
  }

  /** Forgets the text before a place. */
  dropBefore(offset: number): void {
    this.#text = this.#text.slice(offset - this.start);
    this.start = offset;
  }
}
