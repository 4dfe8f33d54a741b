/** Text that has arrived and was not received yet. Offsets are in the complete text. */
export class TextBuffer {
  #text = "";
  /** Offset of its start. */
  start = 0;
  /** Last part and its offset. Reading the concatenated string would flatten it on each chunk. */
  #tail = "";
  #tailStart = 0;

  /** Offset of its end. */
  get end(): number {
    return this.start + this.#text.length;
  }

  /** Appends a chunk, which is read together with the text after an offset. */
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

  /** Returns the text between two offsets, or an empty string if they are reversed. */
  slice(from: number, to: number): string {
    if (to <= from) return "";
    const tailStart = this.#tailStart;
    if (from >= tailStart) return this.#tail.slice(from - tailStart, to - tailStart);
    return this.#text.slice(from - this.start, to - this.start);
  }

  /** Returns the text up to an offset. */
  sliceTo(offset: number): string {
    return this.slice(this.start, offset);
  }

  /** Drops the text before an offset. */
  dropBefore(offset: number): void {
    this.#text = this.#text.slice(offset - this.start);
    this.start = offset;
  }
}
