/** What has come of a text and is not taken yet. Places are those in the whole text. */
export class Pending {
  #text = "";
  /** Where it begins. */
  start = 0;
  /** The end of it, which has come last, and where that begins: to look at what is put together puts it together, every time. */
  #fresh = "";
  #freshAt = 0;

  /** Where it ends. */
  get end(): number {
    return this.start + this.#text.length;
  }

  /** Takes what comes next, which is looked at together with what stands behind a place. */
  add(piece: string, place: number): void {
    const at = Math.min(place, this.end);
    this.#fresh = this.slice(at, this.end) + piece;
    this.#freshAt = at;
    this.#text += piece;
  }

  charAt(place: number): string {
    const at = place - this.#freshAt;
    return at >= 0 ? this.#fresh.charAt(at) : this.#text.charAt(place - this.start);
  }

  /** The text between two places; none where the second comes first. */
  slice(from: number, to: number): string {
    if (to <= from) return "";
    const at = this.#freshAt;
    if (from >= at) return this.#fresh.slice(from - at, to - at);
    return this.#text.slice(from - this.start, to - this.start);
  }

  /** The text up to a place. */
  until(place: number): string {
    return this.slice(this.start, place);
  }

  /** Forgets the text before a place. */
  drop(place: number): void {
    this.#text = this.#text.slice(place - this.start);
    this.start = place;
  }
}
