/** Bytes in pieces as text. What is no UTF-8 becomes U+FFFD, and somebody is told. */
export class Utf8 {
  readonly #tell: () => void;
  #decoder = strict();
  /** Whether the last piece was of bytes, and may have ended within a character. */
  #mayBeCut = false;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Takes a piece; text stays as it is. */
  read(piece: string | Uint8Array<ArrayBuffer>): string {
    if (typeof piece === "string") return this.#mayBeCut ? this.end() + piece : piece;
    this.#mayBeCut = true;
    return this.#decode(piece, { stream: true });
  }

  /** What is left where bytes end within a character. */
  end(): string {
    this.#mayBeCut = false;
    return this.#decode(new Uint8Array(), {});
  }

  #decode(bytes: Uint8Array<ArrayBuffer>, options: TextDecodeOptions): string {
    try {
      return this.#decoder.decode(bytes, options);
    } catch {
      this.#tell();
      this.#decoder = strict();
      return new TextDecoder().decode(bytes) || "\ufffd";
    }
  }
}

function strict(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true });
}
