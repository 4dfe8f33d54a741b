/** Bytes in pieces as text. What is no UTF-8 becomes U+FFFD, and somebody is told. */
export class Utf8Decoder {
  readonly #onInvalid: () => void;
  #decoder = createFatalDecoder();
  /** Whether the last piece was of bytes, and may have ended within a character. */
  #mayBeCut = false;

  constructor(onInvalid: () => void) {
    this.#onInvalid = onInvalid;
  }

  /** Takes a piece; text stays as it is. */
  decode(chunk: string | Uint8Array<ArrayBuffer>): string {
    if (typeof chunk === "string") return this.#mayBeCut ? this.end() + chunk : chunk;
    this.#mayBeCut = true;
    return this.#decode(chunk, { stream: true });
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
      this.#onInvalid();
      this.#decoder = createFatalDecoder();
      return new TextDecoder().decode(bytes) || "\ufffd";
    }
  }
}

function createFatalDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true });
}
